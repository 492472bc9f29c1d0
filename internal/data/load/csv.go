package load

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"symmom/internal/data/columns"
	"symmom/internal/data/delimited"
	"symmom/internal/data/formats"
	"symmom/internal/data/numerals"
	"symmom/internal/data/profile"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// readCSV reads a text table. Only the columns that the options select need to
// hold numbers. Blank lines are skipped.
func readCSV(of contents, o Options) (*table, error) {
	c, err := newCSV(of, o)
	if err != nil {
		return nil, err
	}
	defer c.stop()
	return c.read()
}

// sampleSize is how much of the text decides how it is written.
const sampleSize = 64 << 10

// newCSV looks at the first lines and prepares to read them.
func newCSV(of contents, o Options) (*csvReader, error) {
	in := of.In
	o.Delimiter = cmp.Or(o.Delimiter, of.Text.Delimiter)
	guard := &delimited.Guard{Source: in.Name, R: in.R}
	in.R = formats.Buffered(guard)
	if bom, err := in.Peek(3); err == nil && string(bom) == "\ufeff" {
		_, _ = in.R.Discard(3)
	}
	sample, err := in.Peek(sampleSize)
	if err != nil {
		return nil, err
	}
	c := &csvReader{in: in, lines: guard, options: o, given: of.Text.Names, t: table{budget: in.Budget}}
	if bytes.IndexByte(sample, '\n') < 0 && bytes.Count(sample, []byte{'\r'}) > 1 {
		return nil, fail(in.Name, "its lines end in carriage returns only; convert them to newlines")
	}
	if d, size := delimited.Separator(sample); size > 0 {
		c.above, c.options.Delimiter = 1, cmp.Or(o.Delimiter, d)
		_, _ = in.R.Discard(size)
	}
	if err := c.comments(); err != nil {
		return nil, err
	}
	if c.above > 0 {
		if sample, err = in.Peek(sampleSize); err != nil {
			return nil, err
		}
	}
	if c.options.Delimiter == 0 {
		d, rival := delimited.Delimiter(sample, len(sample) < sampleSize, o.Decimal)
		if rival != 0 {
			return nil, diag.Helped(fail(in.Name, "its fields may be separated by %q or by %q; say which", d, rival), "Delimiter")
		}
		c.options.Delimiter, c.guessed = d, true
	}
	guard.Delimiter, guard.Records = c.options.Delimiter, guard.Passed
	c.head = bytes.Clone(sample)
	c.began = guard.Passed - int64(in.R.Buffered())
	c.r = c.dialect(in.R)
	return c, nil
}

// dialect reads text as the table is written.
func (c *csvReader) dialect(text io.Reader) *csv.Reader {
	r := csv.NewReader(text)
	r.Comma = c.options.Delimiter
	r.ReuseRecord = true
	r.FieldsPerRecord = -1               // checked here, to say how many are wanted
	r.TrimLeadingSpace = r.Comma != '\t' // it would take tabs for leading space
	return r
}

type csvReader struct {
	in      formats.Input
	lines   *delimited.Guard
	options Options
	guessed bool // the delimiter
	r       *csv.Reader
	given   []string // names that no line has, or nil
	names   []string
	style   numerals.Style
	sel     columns.Selection
	t       table
	fields  int  // in each line
	first   int  // the line that says so
	quoted  bool // it alone is in quotation marks
	unnamed int  // columns in front that it has no names for: 1 or 0

	above   int    // lines above what r reads
	began   int64  // where that begins
	comment string // the last of them
	head    []byte // of the text that r reads

	blocks   *delimited.Reader // what parses the rows in place of r, or nil
	newlines int               // line ends before what it reads
}

func (c *csvReader) read() (*table, error) {
	if err := c.start(); err != nil {
		return nil, err
	}
	for {
		var err error
		if c.t.values, err = room(c.in.Budget, c.t.values, c.t.n); err != nil {
			return nil, err
		}
		had := c.t.p
		err = c.some((cap(c.t.values) - len(c.t.values)) / max(1, c.t.n))
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if had < 1024 && 1024 <= c.t.p && c.in.Length > 0 {
			// The bytes are there, so the rows are: one allocation instead of many.
			rows := int(float64(c.in.Length)/c.perRow()) + 1024
			if err := c.reserve(rows*c.t.n + rows*c.t.n/64); err != nil {
				return nil, err
			}
		}
		if c.options.Float32 && len(c.t.values) >= pieceOfText {
			if err := c.t.narrow(); err != nil {
				return nil, err
			}
		}
	}
	if c.options.Float32 {
		if err := c.t.narrow(); err != nil {
			return nil, err
		}
	}
	c.noteIndex()
	c.t.values, c.t.values32 = slices.Clip(c.t.values), slices.Clip(c.t.values32)
	return &c.t, nil
}

// pieceOfText is the number of values that are turned into float32 at once.
const pieceOfText = 1 << 12

// reserve makes room for an estimated number of values. A table that does
// not fit by far is refused now rather than after minutes of reading.
func (c *csvReader) reserve(values int) error {
	t := &c.t
	bytes := 8.
	if c.options.Float32 {
		bytes = 4
	}
	bytes *= float64(values)
	if err := c.in.Room("its values, about "+words.Count(values)+",", bytes, bytes); err != nil {
		if c.in.Room("", bytes/2, bytes/2) != nil {
			return err
		}
		return nil // perhaps the rows to come are longer, and so fewer
	}
	if c.options.Float32 {
		t.values32 = formats.Grow(t.values32, values)
		return nil
	}
	t.values = formats.Grow(t.values, values)
	return nil
}

// more reads a row; its error is io.EOF after the last.
func (c *csvReader) more() error {
	record, err := c.next()
	if err != nil {
		return err
	}
	return c.row(record, c.line())
}

// next reads a record, which is valid until the next call.
func (c *csvReader) next() ([]string, error) {
	record, err := c.r.Read()
	for err == nil && c.fields != 1 && len(record) == 1 && strings.TrimSpace(record[0]) == "" {
		record, err = c.r.Read() // a line of spaces is a blank line
	}
	c.lines.Records = c.began + c.r.InputOffset()
	if err == nil {
		return c.trimmed(record), nil
	}
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, err
	case errors.As(err, &parse):
		e := &ParseError{Source: c.in.Name, Line: c.above + parse.Line, Value: "a quotation mark in the wrong place",
			Want: `quoted fields such as "a, b", with quotation marks inside doubled; correct the line`}
		if parse.StartLine != parse.Line {
			e.Value = fmt.Sprintf("a quoted field that begins on line %d and is not closed", c.above+parse.StartLine)
		}
		return nil, e
	case err.Error() == "csv: invalid field or comment delimiter":
		return nil, fail(c.in.Name, "the delimiter %q cannot separate fields; use a comma, a tab, a semicolon, a bar or a space", c.options.Delimiter)
	}
	return nil, c.in.ReadError(err)
}

// trimmed drops what spaces at the end of a line leave.
func (c *csvReader) trimmed(record []string) []string {
	if c.options.Delimiter == ' ' && len(record) > 1 && record[len(record)-1] == "" {
		return record[:len(record)-1]
	}
	return record
}

// repeatedNames warns of variables of one name.
func repeatedNames(names []string) (w []diag.Warning) {
	columns, repeated := make(map[string]int, len(names)), []string(nil)
	for _, name := range names {
		columns[name]++
	}
	for _, name := range names {
		if columns[name] > 1 && name != "" {
			repeated = append(repeated, fmt.Sprintf("%s (%d)", words.Quote(name), columns[name]))
		}
		delete(columns, name) // list it once
	}
	if repeated != nil {
		w = append(w, diag.New(diag.RepeatedName, "%s repeated: %s; select these columns by number", words.Plural(len(repeated), "name")+" "+words.Verb(len(repeated), "is", "are"), diag.List(repeated)).With("Columns"))
	}
	return w
}

func (c *csvReader) begin() {
	t := &c.t
	t.source, t.n = c.in.Name, len(c.sel.Variables)
	t.whole = make([]atomic.Bool, t.n)
	t.columns = make([]int, t.n)
	if c.names != nil {
		t.names = make([]string, t.n)
	}
	for a, j := range c.sel.Variables {
		t.columns[a] = j + 1
		if c.names != nil {
			t.names[a] = c.names[j]
		}
	}
	t.notes = append(t.notes, repeatedNames(t.names)...)
	t.weight, t.heavy, t.codes, t.style = c.sel.Weights+1, c.sel.Heavy, c.sel.Codes, c.style
	if !c.options.labelled {
		t.takeLabels(c.sel.Labels, c.names)
	}
}

// wide refuses a record of another number of fields than the first.
func (c *csvReader) wide(record []string, line int) error {
	if len(record) != c.fields {
		e := &ParseError{Source: c.in.Name, Line: line, Value: words.Plural(len(record), "field"),
			Want: fmt.Sprintf("%d as in line %d; correct the line", c.fields, c.first)}
		if c.fields == 1 && len(record) == 2 && c.options.Delimiter == ',' {
			e.Want, e.Options = fmt.Sprintf("1 as in line %d; correct the line, or say that the comma is the decimal sign", c.first), []string{"Decimal"}
		}
		if c.options.Delimiter == ' ' && len(record) < c.fields {
			e.Want = fmt.Sprintf("%d as in line %d; correct the line: a missing value between spaces is NA, and numbers need a space between", c.fields, c.first)
		}
		if strings.HasPrefix(record[0], "#") {
			e.Want = fmt.Sprintf("%d as in line %d; comments (#) may stand only above the first observation, so remove the line if it is one", c.fields, c.first)
		}
		return e
	}
	return nil
}

// row parses one record.
func (c *csvReader) row(record []string, line int) error {
	if err := c.wide(record, line); err != nil {
		return err
	}
	for a, j := range c.sel.Variables {
		kind, v := c.style.Parse(record[j])
		if kind, v = c.t.codes.Field(a, record[j], kind, v); kind > numerals.Missing {
			return c.fieldError(record, line, j, kind)
		}
		if c.options.Float32 && overflows32(v) {
			e := c.fieldError(record, line, j, kind)
			e.Want = wantFloat32
			return e
		}
		if c.style.Rounds(record[j], v) {
			c.t.whole[a].Store(true)
		}
		c.t.values = append(c.t.values, v)
	}
	if j := c.sel.Weights; j >= 0 {
		kind, w := c.style.Parse(record[j])
		if kind, w = c.t.codes.Field(c.t.n, record[j], kind, w); kind > numerals.Missing {
			return c.fieldError(record, line, j, kind)
		}
		if what := weightProblem(w); what != "" && (w == w || c.options.Missing != MissingDrop) {
			e := c.fieldError(record, line, j, kind)
			e.Want = what
			return e
		}
		c.t.weights = append(c.t.weights, w)
	}
	if c.t.labels != nil {
		if err := c.t.label([]byte(record[c.sel.Labels]), line, c.t.p); err != nil {
			return err
		}
	}
	c.t.p++
	return nil
}

func (c *csvReader) fieldError(record []string, line, j int, kind numerals.Kind) *ParseError {
	e := &ParseError{Source: c.in.Name, Line: line, Column: j + 1, Value: strings.TrimSpace(record[j])}
	if c.names != nil {
		e.Name = c.names[j]
	}
	switch kind {
	case numerals.Number, numerals.Missing: // the caller knows what is wrong
	case numerals.Infinite:
		e.Want = "a finite number; correct the value, or make it a missing one (NA)"
	case numerals.TooLarge:
		e.Want = "a number that a float64 can hold (up to 1.8e308)"
	default:
		e.Want, e.Options = c.style.Want(record[j], kind, c.options.Delimiter)
		if !utf8.ValidString(e.Value) {
			e.Want, e.Options = "a number in "+wantUTF8, nil
		}
	}
	return e
}

// mayIndex reports whether the first variable is the first column, in which pandas and
// others write the numbers of rows.
func (c *csvReader) mayIndex() bool {
	return c.t.columns[0] == 1 && c.t.n > 1
}

// noteIndex warns of such a column.
func (c *csvReader) noteIndex() {
	t := &c.t
	if !c.mayIndex() {
		return
	}
	var count profile.Counting
	s := &Set{Info: Info{N: t.n}, Values: t.values, Values32: t.values32}
	for i := 0; i < t.p && count.Add(s.at(i, 0)); i++ {
	}
	t.notes = append(t.notes, count.Warnings(c.names)...)
}
