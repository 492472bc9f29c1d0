package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

func (t *table) each(f func(cell string) string) {
	for j := range t.Columns {
		if c := &t.Columns[j]; !c.Text && !c.Index {
			for i := range c.Cells {
				c.Cells[i] = f(c.Cells[i])
			}
		}
	}
}

func (f *file) headless() {
	f.Truth.Header = "none"
	for j := range f.Truth.Columns {
		f.Truth.Columns[j].Name = ""
	}
}

// unspaced takes blanks out of names.
func (f *file) unspaced() {
	for j := range f.Truth.Columns {
		f.Truth.Columns[j].Name = strings.ReplaceAll(f.Truth.Columns[j].Name, " ", "")
	}
}

// missing empties some cells in some files, which word fills.
func (f *file) missing(r *rand.Rand, word string) {
	if chance(r, 3) {
		f.Truth.missing(r, 20)
		f.Pandas["na_values"] = []string{word}
	}
	f.Pandas["missing"] = word
}

func (f *file) na(r *rand.Rand) { f.missing(r, "NA") }

// optional adds what a table of mixed contents has.
func (f *file) optional(r *rand.Rand) {
	if chance(r, 3) {
		at := r.IntN(len(f.Truth.Columns) + 1)
		if f.Truth.Columns[0].Index {
			at = max(1, at)
		}
		f.Truth.insert(at, labels(r, f.Truth.p))
	}
	f.missing(r, "")
}

// named adds an index of several kinds.
func (f *file) named(r *rand.Rand) {
	if len(f.Truth.Columns[0].Cells) < f.Truth.p {
		for j := range f.Truth.Columns {
			f.Truth.Columns[j].Cells = kinds[r.IntN(len(kinds))](r, f.Truth.p)
		}
	}
	c := index(f.Truth.p, pick(r, 0, 1, 1000), pick(r, "id", "sample", "Row", "t"))
	if chance(r, 3) { // after rows were dropped
		at := r.IntN(5)
		for i := range c.Cells {
			c.Cells[i] = strconv.Itoa(at)
			at += 1 + r.IntN(3)
		}
	}
	f.Truth.insert(0, c)
}

// quoting of names and text: where it is needed, of all, or never.
type quoting int

const (
	sometimes quoting = iota
	always
	never
	all
)

func (q quoting) text(s, delimiter string) string {
	if q == always || q == all || q == sometimes && strings.ContainsAny(s, delimiter+"\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// delimited writes lines of fields.
func (f *file) delimited(r *rand.Rand, delimiter string, s style, q quoting) {
	word, _ := f.Pandas["missing"].(string)
	delete(f.Pandas, "missing")
	t := f.Truth
	if t.Header != "none" && t.Header != "words" && chance(r, 6) {
		q = always // csv.QUOTE_NONNUMERIC: names in quotation marks
	}
	var b strings.Builder
	line := func(field func(c *column) string) {
		for j := range t.Columns {
			if j > 0 {
				b.WriteString(delimiter)
			}
			b.WriteString(field(&t.Columns[j]))
		}
		b.WriteString("\n")
	}
	if t.Header != "none" {
		line(func(c *column) string { return q.text(c.Name, delimiter) })
	}
	for i := range t.p {
		line(func(c *column) string {
			switch cell := c.Cells[i]; {
			case c.Text:
				return q.text(cell, delimiter)
			case cell == "":
				return word
			case c.Index && q == always:
				return `"` + cell + `"`
			default:
				number := s.number(cell)
				if q == all || q != never && strings.ContainsAny(number, delimiter) {
					number = `"` + number + `"`
				}
				return number
			}
		})
	}
	f.Text, f.Delimiter = b.String(), delimiter
	f.Pandas["sep"] = strings.TrimSuffix(delimiter, " ")
	if delimiter == " " {
		f.Pandas["sep"] = " "
	}
	f.Pandas["decimal"] = s.decimal
	if s.group != "" {
		f.Pandas["thousands"] = s.group
	}
	f.numbers()
}

// numbers notes which columns of pandas are variables.
func (f *file) numbers() {
	f.Columns = nil
	k := 0
	for _, c := range f.Truth.Columns {
		if c.Index {
			continue
		}
		if !c.Text {
			f.Columns = append(f.Columns, k)
		}
		k++
	}
}

// rowNames writes as R's write.table does: names of rows, above which there is nothing.
func (f *file) rowNames(r *rand.Rand, delimiter, decimal string) {
	f.na(r)
	q := pick(r, always, never)
	if q == never {
		f.unspaced()
	}
	f.delimited(r, delimiter, style{decimal: decimal}, q)
	lines := strings.SplitAfter(strings.TrimSuffix(f.Text, "\n"), "\n")
	for i := range lines {
		switch {
		case i == 0 && f.Truth.Header != "none":
		case f.Truth.Header != "none":
			lines[i] = q.text(strconv.Itoa(i), delimiter) + delimiter + lines[i]
		default:
			lines[i] = q.text(strconv.Itoa(i+1), delimiter) + delimiter + lines[i]
		}
	}
	f.Text = strings.Join(lines, "") + "\n"
	c := index(f.Truth.p, 1, "")
	f.Truth.Columns = slices.Insert(f.Truth.Columns, 0, c)
	f.Pandas["index_col"] = 0
}

func (f *file) excel(r *rand.Rand, delimiter string, s style) {
	if chance(r, 2) {
		s.group = "" // cells without a format
	}
	f.optional(r)
	f.delimited(r, delimiter, s, sometimes)
	f.Text = strings.ReplaceAll(f.Text, "\n", "\r\n")
	if chance(r, 2) {
		f.Text = "\ufeff" + f.Text
	}
	if len(s.group) > 1 || s.indian {
		f.Pandas = nil // of one character
	}
}

// fortran writes wide fields.
func (f *file) fortran(r *rand.Rand, d bool) {
	t := f.Truth
	if d {
		t.each(func(cell string) string {
			v, _ := strconv.ParseFloat(cell, 64)
			return strconv.FormatFloat(v, 'e', pick(r, 3, 3, 15), 64)
		})
	}
	f.unspaced()
	f.lines(r, style{decimal: ".", fortran: d}, 3)
	if d {
		f.Pandas = nil
	}
}

// aligned writes columns that end, or begin, below each other.
func (f *file) aligned(r *rand.Rand, s style) {
	f.unspaced()
	f.lines(r, s, 1+r.IntN(2))
}

func (f *file) lines(r *rand.Rand, s style, gap int) {
	word, _ := f.Pandas["missing"].(string)
	delete(f.Pandas, "missing")
	t := f.Truth
	left, lead := chance(r, 3), strings.Repeat(" ", r.IntN(3))
	rows := make([][]string, 0, t.p+1)
	if t.Header != "none" {
		var row []string
		for _, c := range t.Columns {
			row = append(row, c.Name)
		}
		rows = append(rows, row)
	}
	for i := range t.p {
		var row []string
		for _, c := range t.Columns {
			cell := s.number(c.Cells[i])
			if cell == "" {
				cell = word
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(lead)
		for j, cell := range row {
			width := 0
			for _, other := range rows {
				width = max(width, len([]rune(other[j])))
			}
			pad := strings.Repeat(" ", width-len([]rune(cell)))
			if left {
				cell += pad
			} else {
				cell = pad + cell
			}
			if j > 0 {
				b.WriteString(strings.Repeat(" ", gap))
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
	f.Text = b.String()
	f.Pandas["sep"], f.Pandas["decimal"] = `\s+`, s.decimal
	f.numbers()
}

// fixed writes fields of one width, which may run together or overflow, and blanks for what is
// missing.
func (f *file) fixed(r *rand.Rand) {
	t := f.Truth
	f.unspaced()
	width, digits := pick(r, 7, 8, 10, 12), pick(r, 1, 2, 3)
	t.each(func(cell string) string {
		v, _ := strconv.ParseFloat(cell, 64)
		return decimals(v, digits)
	})
	if chance(r, 4) {
		t.missing(r, 20)
	}
	var b strings.Builder
	if t.Header != "none" {
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "%*s", width, c.Name)
		}
		b.WriteString("\n")
	}
	for i := range t.p {
		for _, c := range t.Columns {
			cell := c.Cells[i]
			if len(cell) > width {
				cell = strings.Repeat("*", width)
			}
			fmt.Fprintf(&b, "%*s", width, cell)
		}
		b.WriteString("\n")
	}
	f.Text, f.Pandas = b.String(), nil
}

// instrument writes lines above the table, and units below its names.
func (f *file) instrument(r *rand.Rand) {
	delimiter, s := ";", style{decimal: ","}
	if chance(r, 2) {
		delimiter, s = "\t", style{decimal: pick(r, ".", ",")}
	}
	f.delimited(r, delimiter, s, sometimes)
	above := pick(r, "", "# made by hand\n# at 20 °C\n", "Instrument: S-2000\nDate: 2024-05-01 10:30\n\n", "Operator"+delimiter+"Meier\n", "Date"+delimiter+"2024-05-01\nRun"+delimiter+"7\n")
	if strings.HasPrefix(above, "Operator") && f.Truth.Header == "none" {
		above = "" // these are names, as far as anybody can tell
	}
	if strings.HasPrefix(above, "#") {
		f.Pandas["comment"] = "#"
	} else {
		f.Pandas["skiprows"] = strings.Count(above, "\n")
	}
	if f.Truth.Header != "none" && chance(r, 3) {
		units := strings.TrimSuffix(strings.Repeat("(mm)"+delimiter, len(f.Truth.Columns)), delimiter)
		names, rest, _ := strings.Cut(f.Text, "\n")
		f.Text = names + "\n" + units + "\n" + rest
		f.Pandas = nil
	}
	f.Text = above + f.Text
}
