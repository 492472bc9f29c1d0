package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// column is one of the table that was written: numbers in plain notation, "" where there is none,
// or text.
type column struct {
	Name  string
	Cells []string
	Text  bool
	Index bool // of rows, no variable
}

// values are the numbers of a column, NaN where there is none.
func (c *column) values() []float64 {
	v := make([]float64, len(c.Cells))
	for i, cell := range c.Cells {
		v[i] = math.NaN()
		if cell != "" {
			v[i], _ = strconv.ParseFloat(cell, 64)
		}
	}
	return v
}

// table is the truth: what a person meant.
type table struct {
	Columns []column
	Header  string // the kind of names that it has: "words", "years", ..., "none"
	p       int
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// chance is true once in n times.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// headers are kinds of names.
var headers = []string{"words", "words", "words", "units", "years", "decreasing years", "ages", "tens", "rooms", "from 0", "from 1", "wavelengths", "sorted", "none", "none", "none", "none"}

// numeric reports whether names are numbers.
func numeric(header string) bool { return !slices.Contains([]string{"words", "units", "none"}, header) }

// random draws a table as the work of people has them.
func random(r *rand.Rand) *table {
	t := &table{p: pick(r, 4, 6, 9, 15, 25, 40, 80, 200), Header: headers[r.IntN(len(headers))]}
	n := 1 + r.IntN(7)
	switch t.Header { // of one whole number among others, or of few in no order, nobody can tell
	case "words", "units", "none", "years":
	case "rooms", "tens", "decreasing years":
		n = max(n, 2)
	case "sorted":
		n += 5
	default:
		n = max(n, 3)
	}
	mixed := !numeric(t.Header) || chance(r, 3)
	kind := r.IntN(len(kinds))
	for range n {
		if mixed && !chance(r, 4) {
			kind = r.IntN(len(kinds))
		}
		t.Columns = append(t.Columns, column{Cells: kinds[kind](r, t.p)})
	}
	t.name(r)
	return t
}

func cellsOf(p int, f func(i int) string) []string {
	cells := make([]string, p)
	for i := range cells {
		cells[i] = f(i)
	}
	return cells
}

func decimals(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// kinds of columns: measurements, counts, answers, money, shares, times, binary ones.
var kinds = []func(r *rand.Rand, p int) []string{
	func(r *rand.Rand, p int) []string { // rounded, with all their digits
		mean, dev, digits := 20*r.NormFloat64(), math.Exp(2*r.NormFloat64()), 1+r.IntN(4)
		return cellsOf(p, func(int) string { return decimals(mean+dev*r.NormFloat64(), digits) })
	},
	func(r *rand.Rand, p int) []string { // rounded, without final zeros
		mean := 5 * r.Float64()
		return cellsOf(p, func(int) string {
			return strconv.FormatFloat(math.Round(10*(mean+r.NormFloat64()))/10, 'f', -1, 64)
		})
	},
	func(r *rand.Rand, p int) []string { // all digits
		scale := math.Exp(5 * r.NormFloat64())
		return cellsOf(p, func(int) string { return strconv.FormatFloat(scale*r.NormFloat64(), 'g', -1, 64) })
	},
	func(r *rand.Rand, p int) []string { // counts
		most := pick(r, 4, 10, 40, 100, 500)
		return cellsOf(p, func(int) string { return strconv.Itoa(int(float64(most) * r.Float64() * r.Float64())) })
	},
	func(r *rand.Rand, p int) []string { // whole numbers around a mean
		mean := pick(r, 8., 20, 100, 1500)
		return cellsOf(p, func(int) string { return strconv.Itoa(int(mean + math.Sqrt(mean)*r.NormFloat64())) })
	},
	func(r *rand.Rand, p int) []string { // answers
		most := pick(r, 5, 7)
		return cellsOf(p, func(int) string { return strconv.Itoa(1 + r.IntN(most)) })
	},
	func(r *rand.Rand, p int) []string { // money
		return cellsOf(p, func(int) string { return decimals(math.Exp(6+2*r.NormFloat64()), 2) })
	},
	func(r *rand.Rand, p int) []string { // shares
		return cellsOf(p, func(int) string { return decimals(r.Float64(), 3) })
	},
	func(r *rand.Rand, p int) []string { // growing
		v := 0.
		return cellsOf(p, func(int) string { v += r.ExpFloat64(); return decimals(v, 2) })
	},
	func(r *rand.Rand, p int) []string { // large and small
		return cellsOf(p, func(int) string { return strconv.FormatFloat(math.Exp(15*r.NormFloat64()), 'e', 3, 64) })
	},
}

var nouns = []string{"height", "weight", "age", "score", "pH", "x1", "Temp", "flow rate", "Länge", "CO2", "N", "dose", "y", "Umsatz", "año", "température", "RT", "a", "b", "V2"}

func (t *table) name(r *rand.Rand) {
	start := map[string]int{"years": 1980 + r.IntN(40), "decreasing years": 2024, "ages": pick(r, 18, 20, 30), "tens": 10, "rooms": 101, "from 0": 0, "from 1": 1, "wavelengths": 400}[t.Header]
	step := map[string]int{"years": pick(r, 1, 1, 5), "decreasing years": -1, "ages": pick(r, 1, 5, 10), "tens": 10, "rooms": 1, "from 0": 1, "from 1": 1, "wavelengths": 2}[t.Header]
	half := chance(r, 2)
	order := r.Perm(len(nouns))
	sorted := 0
	for j := range t.Columns {
		c := &t.Columns[j]
		switch t.Header {
		case "none":
		case "words":
			c.Name = nouns[order[j]]
		case "units":
			c.Name = nouns[order[j]] + pick(r, " (mm)", " [%]", " (mg/l)", "_kg")
		case "sorted":
			sorted += 1 + r.IntN(9)
			c.Name = strconv.Itoa(sorted)
		case "wavelengths":
			c.Name = strconv.Itoa(start + j*step)
			if half {
				c.Name = decimals(float64(start)+float64(j*step)/4, 2)
			}
		default:
			c.Name = strconv.Itoa(start + j*step)
		}
	}
}

// missing empties cells, once in n times.
func (t *table) missing(r *rand.Rand, n int) {
	for j := range t.Columns {
		for i := range t.p {
			if !t.Columns[j].Text && !t.Columns[j].Index && chance(r, n) {
				t.Columns[j].Cells[i] = ""
			}
		}
	}
}

// labels are a column of text.
func labels(r *rand.Rand, p int) column {
	c := column{Text: true, Name: pick(r, "species", "who", "Region", "label")}
	words := pick(r, []string{"setosa", "versicolor", "virginica"}, []string{"A", "B"}, []string{"New York", "San José", "St. Louis"}, []string{"yes", "no"})
	unique, day := chance(r, 3), chance(r, 5)
	c.Cells = cellsOf(p, func(i int) string {
		switch {
		case day:
			return fmt.Sprintf("2024-%02d-%02d", 1+i/28%12, 1+i%28)
		case unique:
			return fmt.Sprintf("s%d", i+1)
		}
		return words[r.IntN(len(words))]
	})
	if day {
		c.Name = "date"
	}
	return c
}

// insert puts a column before others, or behind them.
func (t *table) insert(at int, c column) {
	if t.Header == "none" {
		c.Name = ""
	}
	t.Columns = slices.Insert(t.Columns, at, c)
}

// index is a column that counts the rows.
func index(p, from int, name string) column {
	return column{Name: name, Index: true, Cells: cellsOf(p, func(i int) string { return strconv.Itoa(from + i) })}
}

// style is how a program writes numbers.
type style struct {
	decimal, group string
	indian, minus  bool
	fortran        bool
}

func (s style) number(cell string) string {
	if cell == "" {
		return ""
	}
	sign, rest := "", cell
	if strings.HasPrefix(cell, "-") {
		sign, rest = "-", cell[1:]
	}
	if s.minus && sign != "" {
		sign = "\u2212"
	}
	mantissa, exponent, has := strings.Cut(rest, "e")
	whole, fraction, point := strings.Cut(mantissa, ".")
	if s.group != "" && !has {
		whole = grouped(whole, s.group, s.indian)
	}
	if point {
		whole += s.decimal + fraction
	}
	if has {
		whole += map[bool]string{false: "e", true: "D"}[s.fortran] + exponent
	}
	return sign + whole
}

func grouped(whole, sign string, indian bool) string {
	size, out := 3, ""
	for len(whole) > size {
		out = sign + whole[len(whole)-size:] + out
		whole = whole[:len(whole)-size]
		if indian {
			size = 2
		}
	}
	return whole + out
}
