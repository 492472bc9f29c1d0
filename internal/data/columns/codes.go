package columns

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Code is a missing-value code.
type Code struct {
	Text   string
	Column string // a name, a number or a range of them; "": any column
}

// String writes a code as it is asked for.
func (c Code) String() string {
	if c.Column == "" && !strings.Contains(c.Text, "=") {
		return c.Text
	}
	return c.Column + "=" + c.Text
}

// List are codes, in the order in which they are counted.
type List []Code

// Parse reads codes as a person writes them: "-99" for all columns, "age=-99" for one or some,
// "=a=b" where the code has such a sign itself. What is a missing value without being
// asked for is left out.
func Parse(items []string) (List, error) {
	var l List
	for _, item := range items {
		column, text, found := strings.Cut(item, "=")
		if !found {
			column, text = "", item
		}
		c := Code{strings.TrimSpace(text), strings.TrimSpace(column)}
		kind, _ := numerals.Style{}.Parse(c.Text)
		switch {
		case c.Text == "":
			return nil, argument(item, "a code such as -99, refused or age=-99; an empty cell is missing without one")
		case kind == numerals.Doubtful || kind == numerals.Text && numerals.Looks(c.Text):
			return nil, argument(item, "a number with a decimal point and without separated thousands, however the table has it")
		case kind == numerals.Missing:
		default:
			l = append(l, c)
		}
	}
	slices.SortStableFunc(l, func(a, b Code) int { return cmp.Compare(min(len(a.Column), 1), min(len(b.Column), 1)) })
	var once List // so that each can be counted
	for _, c := range l {
		kind, v := numerals.Style{}.Parse(c.Text)
		if !slices.ContainsFunc(once, func(o Code) bool {
			e := o.entry(0)
			return (o.Column == "" || o.Column == c.Column) && e.is(c.Text, kind, v)
		}) {
			once = append(once, c)
		}
	}
	return once, nil
}

func argument(item, want string) error {
	return &diag.Argument{Name: "NA", Value: strconv.Quote(item), Want: want}
}

// Holds reports whether a field of text is a code of any column.
func (l List) Holds(field string) bool {
	kind, v := numerals.Style{}.Parse(field)
	return slices.ContainsFunc(l, func(c Code) bool {
		e := c.entry(0)
		return e.is(strings.TrimSpace(field), kind, v)
	})
}

// Numbered reports whether a number says which column a code is of.
func (l List) Numbered() bool {
	return slices.ContainsFunc(l, func(c Code) bool { return c.Column != "" && strings.Trim(c.Column, "0123456789-. ") == "" })
}

// entry is a code made ready to be compared.
type entry struct {
	code           int // its place in the list
	text           string
	number, single float64 // NaN if it is none; single is the nearest float32
}

func (c Code) entry(code int) entry {
	e := entry{code, c.Text, math.NaN(), math.NaN()}
	if v, err := numerals.ParseFloat(c.Text); err == nil {
		e.number, e.single = v, float64(float32(v))
	}
	return e
}

func (e *entry) equals(v float64) bool { return v == e.number || v == e.single }

// is compares the code with a field of text, of which the number, if it is one, is known.
func (e *entry) is(field string, kind numerals.Kind, v float64) bool {
	return (kind == numerals.Number || kind == numerals.Infinite) && e.equals(v) || field == e.text
}

// Columns are the codes of columns that are read, which it turns into missing values and
// counts. nil has none.
type Columns struct {
	of     [][]entry // by column of the source
	places []int     // these of the variables, the weights and the labels, -1: none
	counts []int     // by place and code
	codes  int
}

// Of returns the codes of a source of n columns, all of them read. resolve finds columns by
// name, number or range.
func (l List) Of(n int, resolve func(column string) (from, to int, err error)) (*Columns, error) {
	if len(l) == 0 {
		return nil, nil
	}
	c := &Columns{of: make([][]entry, n), codes: len(l)}
	for i, code := range l {
		from, to := 0, n-1
		if code.Column != "" {
			var err error
			if from, to, err = resolve(code.Column); err != nil {
				return nil, diag.Helped(err, "NA")
			}
		}
		e := code.entry(i)
		for j := from; j <= to; j++ {
			c.of[j] = append(c.of[j], e)
		}
	}
	all := make([]int, n)
	for j := range all {
		all[j] = j
	}
	return c.Read(all, -1, -1), nil
}

// Read returns the codes for tables of these columns, the weights and the labels among them
// (below 0: none). Variables, weights and labels have the places 0, 1, ... in this order.
func (c *Columns) Read(variables []int, weights, labels int) *Columns {
	if c == nil {
		return nil
	}
	places := append(append([]int{}, variables...), weights, labels)
	return &Columns{of: c.of, places: places, counts: make([]int, len(places)*c.codes), codes: c.codes}
}

// at are the codes of a place.
func (c *Columns) at(place int) []entry {
	if j := c.places[place]; j >= 0 {
		return c.of[j]
	}
	return nil
}

// mark begins the bits of a NaN that says which code a field of text was: parsers make them
// on several goroutines, and some of what they parse is parsed again, so that only Recode
// counts.
const mark = 0x7ff8c0de << 32

// Field is what a field at a place is, as a parser found it, or a missing value.
func (c *Columns) Field(place int, field string, kind numerals.Kind, v float64) (numerals.Kind, float64) {
	if c == nil || kind == numerals.Missing {
		return kind, v
	}
	codes := c.at(place)
	field = strings.TrimSpace(field)
	for i := range codes {
		if e := &codes[i]; e.is(field, kind, v) {
			return numerals.Missing, math.Float64frombits(mark | uint64(e.code))
		}
	}
	return kind, v
}

// Number is a number at a place, or a missing value.
func (c *Columns) Number(place int, v float64) float64 {
	if c == nil {
		return v
	}
	_, v = c.Field(place, "", numerals.Number, v)
	return v
}

// Recode turns codes among rows of n variables into missing values.
func (c *Columns) Recode(rows []float64, n int) {
	if c == nil {
		return
	}
	for ; len(rows) >= n; rows = rows[n:] {
		for j := range rows[:n] {
			c.recode(j, &rows[j])
		}
	}
}

// Weights turns codes among weights of rows of n variables into missing values.
func (c *Columns) Weights(weights []float64) {
	if c == nil {
		return
	}
	for i := range weights {
		c.recode(len(c.places)-2, &weights[i])
	}
}

func (c *Columns) recode(place int, v *float64) {
	if *v != *v {
		bits := math.Float64bits(*v)
		if code := bits & math.MaxUint32; bits&^math.MaxUint32 == mark && code < uint64(c.codes) {
			c.counts[place*c.codes+int(code)]++
			*v = math.NaN()
		}
		return
	}
	codes := c.at(place)
	for i := range codes {
		if e := &codes[i]; e.equals(*v) {
			c.counts[place*c.codes+e.code]++
			*v = math.NaN()
			return
		}
	}
}

// Label reports whether a label, in a table of this style, is a missing-value code.
func (c *Columns) Label(text string, style numerals.Style) bool {
	if c == nil {
		return false
	}
	place := len(c.places) - 1
	kind, v := style.Parse(text)
	kind, v = c.Field(place, text, kind, v)
	c.recode(place, &v)
	return kind == numerals.Missing
}

// Count is how many cells of a column a code made missing.
type Count struct {
	Code   int // its place in the list
	Column string
	Cells  int
}

// Counts appends what was counted in columns, which label names, to what was counted before.
func (c *Columns) Counts(counts []Count, label func(place int) string) []Count {
	if c == nil {
		return counts
	}
	for at, k := range c.counts {
		if k > 0 {
			counts = Add(counts, Count{at % c.codes, label(at / c.codes), k})
		}
	}
	return counts
}

// Add adds a count to others.
func Add(counts []Count, c Count) []Count {
	for i := range counts {
		if counts[i].Code == c.Code && counts[i].Column == c.Column {
			counts[i].Cells += c.Cells
			return counts
		}
	}
	return append(counts, c)
}

// Notes say how many cells each code made missing, and which codes made none.
func (l List) Notes(counts []Count) (notes []diag.Warning) {
	counts = slices.SortedFunc(slices.Values(counts), func(a, b Count) int { // whatever the order of the columns is
		return cmp.Or(cmp.Compare(b.Cells, a.Cells), cmp.Compare(a.Column, b.Column))
	})
	var found, absent []string
	for i, code := range l {
		var of []string
		total := 0
		for _, c := range counts {
			if c.Code == i {
				of, total = append(of, fmt.Sprintf("%s: %s", diag.Short(c.Column), words.Count(c.Cells))), total+c.Cells
			}
		}
		if total == 0 {
			absent = append(absent, words.Quote(code.String()))
			continue
		}
		found = append(found, fmt.Sprintf("%s in %s (%s)", words.Quote(code.String()), words.Plural(total, "cell"), diag.List(of)))
	}
	if found != nil {
		notes = append(notes, diag.New(diag.Codes, "codes are missing values: %s", diag.List(found)))
	}
	if absent != nil {
		notes = append(notes, diag.New(diag.Codes, "%s %s not among the values that are read: see how the table has %s", diag.List(absent), words.Verb(len(absent), "is", "are"), words.Verb(len(absent), "it", "them")).With("NA"))
	}
	return notes
}

// Incomplete reports the treatment of missing values: how many rows were dropped, which leaves p, and
// how many values were filled.
func Incomplete(p, dropped, filled int) (notes []diag.Warning) {
	if dropped > 0 {
		notes = append(notes, diag.New(diag.Incomplete, "%s of %s %s left out because values are missing", words.Count(dropped), words.Plural(p+dropped, "row"), words.Verb(dropped, "is", "are")))
	}
	if filled > 0 {
		notes = append(notes, diag.New(diag.Incomplete, "%s %s replaced by the mean of %s column, which makes the columns vary less", words.Plural(filled, "missing value"), words.Verb(filled, "is", "are"), words.Verb(filled, "its", "their")))
	}
	return notes
}
