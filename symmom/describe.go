package symmom

import "symmom/internal/describe"

// Description says what the columns of a file hold, whatever that is: numbers, text,
// times, or a mixture.
type Description = describe.Table

// ColumnDescription describes a column of a Description.
type ColumnDescription = describe.Column

// Describe describes all columns of a file as they are stored, also where Load refuses
// them: missing values, the range of numbers and times, the first values of text, and
// where a column holds numbers and text the line of the first that does not belong; and
// how many numbers are not finite, and where the first of them is.
// Header, Delimiter, Decimal, NA, Array and MemoryLimit of the options count. It reads a text
// table, a columnar file or an NPY array in C order once and keeps nothing of it in memory;
// other arrays are loaded.
func Describe(path string, options ...LoadOptions) *Description {
	return noEnvironment.Describe(path, options...)
}

// Describe is like the function Describe of this package, in this environment.
func (e *Environment) Describe(path string, options ...LoadOptions) *Description {
	o, err := atMostOne(options)
	if err != nil {
		return &Description{Failure: err}
	}
	c, err := o.internal()
	if err != nil {
		return &Description{Failure: err}
	}
	d, err := describe.File(e.context(), path, c)
	if err != nil {
		return &Description{Failure: interrupted("describe", err)}
	}
	return d
}
