package symmom

import "symmom/internal/data/describe"

// Description describes the columns of a file: numbers, text, times, or a mixture.
type Description = describe.Table

// ColumnDescription describes a column of a Description.
type ColumnDescription = describe.Column

// Describe describes all columns of a file as stored, including those that Load refuses:
// missing values, the range of numbers and times, the first values of text, the line of the
// first value that does not fit in a column of numbers and text, and the number of values
// that are not finite, with the line of the first. It uses the options Header, Delimiter,
// Decimal, NA, Array and MemoryLimit. A text table, a columnar file or an NPY array in C
// order is read once and not kept in memory; other arrays are loaded.
func Describe(path string, options ...LoadOptions) *Description {
	o, err := atMostOne(options)
	if err != nil {
		return &Description{Failure: err}
	}
	c, err := o.internal()
	if err != nil {
		return &Description{Failure: err}
	}
	d, err := describe.File((&Session{}).WithContext(o.Context).context(), path, c)
	if err != nil {
		return &Description{Failure: interrupted("describe", err)}
	}
	return d
}
