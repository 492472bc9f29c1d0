package symmom

import (
	"context"

	"symmom/internal/describe"
	"symmom/internal/observations"
)

// Description says what the columns of a file hold, whatever that is: numbers, text,
// times, or a mixture.
type Description = describe.Table

// ColumnDescription describes a column of a Description.
type ColumnDescription = describe.Column

// Describe describes all columns of a file as they are stored, also where Load refuses
// them: missing values, the range of numbers and times, the first values of text, and
// where a column holds numbers and text the line of the first that does not belong; and
// how many numbers are not finite, and where the first of them is.
// Header, Delimiter, Decimal, NA, Array and MemoryLimit of the options count. It reads a
// text table or a columnar file once and keeps nothing of it in memory.
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
	d, ok, err := describe.File(e.context(), path, c)
	switch {
	case err != nil:
		return &Description{Failure: interrupted("describe", err)}
	case ok:
		return d
	}
	d, err = describe.Numbers(func(missing observations.Missing, infinite func(*ParseError)) (*Description, error) {
		r := e.load(nil, func(ctx context.Context, _ observations.Options) (*observations.Set, error) {
			numbers := observations.Options{Header: c.Header, Delimiter: c.Delimiter, Decimal: c.Decimal, Codes: c.Codes, Array: c.Array, MemoryLimit: c.MemoryLimit}
			numbers.Sparse, numbers.Missing, numbers.Infinite = true, missing, infinite
			return observations.Load(ctx, path, numbers)
		}).Summary()
		d := &Description{Source: r.Source, Format: "numbers", Rows: r.Observations, Columns: make([]ColumnDescription, 0, len(r.Variables))}
		for _, v := range r.Variables {
			d.Columns = append(d.Columns, ColumnDescription{Name: v.Name, Type: "number", Kind: describe.Number, Width: 1, Min: v.Min, Max: v.Max, Suspects: v.Suspects})
		}
		return d, r.err
	})
	if err != nil {
		return &Description{Failure: err}
	}
	return d
}
