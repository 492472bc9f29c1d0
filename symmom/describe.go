package symmom

import (
	"symmom/internal/data/describe"
	"symmom/internal/data/load"
)

// Description describes the columns of a file: numbers, text, times, or a mixture.
type Description struct {
	Result // Err, String and HTML

	Source  string
	Format  string // "csv", "parquet", ...
	Rows    int    // with and without missing values
	Columns []Column
}

// Column describes a column of a Description, or a variable of a Summary.
type Column struct {
	Name    string // or its number, "column 3", or that of a coordinate
	Number  int    // counted from 1, as LoadOptions.Columns takes it; of a list that of its first number; in a summary 0 of whitened data
	Type    string // as it is stored, "int64"; in a text table the same as Kind
	Kind    string // "number", "text", "time", "mixed", "empty" or "other"
	Missing int    // values
	Width   int    // numbers in a row, more than 1 for lists

	Min, Max float64 // of the numbers that are finite; NaN if there are none

	// Mean and Std are weighted as the observations are; of a Summary alone.
	Mean, Std float64

	From, To string // the first and last of times, "" if not known

	// Of text: how many different values there are, at most 1,000, and the first of them.
	Distinct int
	First    []string

	// Suspects are numbers that look like codes of missing values, and how many there are of
	// each: such as 999 three times or more, far from all others. nil of sparse data and on a
	// cluster.
	Suspects map[float64]int

	// NotFinite counts infinite numbers and those beyond what a float64 can hold, which
	// Load refuses.
	NotFinite int

	// Of mixed columns: the first value of the rarer kind, and its line. Of numbers: the
	// first that is not finite, and its line in a text table, its row in others. Of lists of
	// several lengths: the row of the first that differs.
	OddLine, OddRow int
	OddValue        string
}

// Describe describes all columns of a file as stored, including those that Load refuses:
// missing values, the range of numbers and times, the first values of text, the line of the
// first value that does not fit in a column of numbers and text, and the number of values
// that are not finite, with the line of the first. It uses the options Header, Delimiter,
// Decimal, NA, Array and MemoryLimit. A text table, a columnar file or an NPY array in C
// order is read once and not kept in memory; other arrays are loaded.
func Describe(path string, options ...LoadOptions) *Description {
	d := made(&Description{})
	o, err := atMostOne(options)
	if d.err = err; err != nil {
		return d
	}
	c, err := o.internal()
	if d.err = err; err != nil {
		return d
	}
	ctx := (&Session{}).WithContext(o.Context).context()
	if o.Words != "" {
		if c.Names, err = load.LoadNames(ctx, o.Words); err != nil {
			d.err = interrupted("describe", err)
			return d
		}
	}
	found, err := describe.File(ctx, path, c)
	if d.err = interrupted("describe", err); err != nil {
		return d
	}
	d.Source, d.Format, d.Rows = found.Source, found.Format, found.Rows
	d.Columns = make([]Column, 0, len(found.Columns))
	at := 1
	for _, c := range found.Columns {
		c.Number = at
		at += max(1, c.Width)
		d.Columns = append(d.Columns, Column(c))
	}
	return d
}

// shown has a row for each column.
func (d *Description) shown() shown {
	t := &describe.Table{Source: d.Source, Format: d.Format, Rows: d.Rows, Failure: d.err, Columns: make([]describe.Column, 0, len(d.Columns))}
	for _, c := range d.Columns {
		t.Columns = append(t.Columns, describe.Column(c))
	}
	return t
}
