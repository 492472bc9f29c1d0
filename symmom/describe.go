package symmom

import (
	"errors"
	"math"

	"symmom/internal/describe"
)

// Description says what the columns of a file hold, whatever that is: numbers, text,
// times, or a mixture.
type Description = describe.Table

// ColumnDescription describes a column of a Description.
type ColumnDescription = describe.Column

// Describe describes all columns of a file as they are stored, also where Load refuses
// them: missing values, the range of numbers and times, the first values of text, and
// where a column holds numbers and text the line of the first that does not belong.
// Header, Delimiter, Decimal, Array and MemoryLimit of the options count. It reads a
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
	return e.describeNumbers(path, o)
}

// describeNumbers describes a file that holds numbers alone.
func (e *Environment) describeNumbers(path string, o LoadOptions) *Description {
	o.Columns, o.Weights, o.WeightsFile, o.Missing, o.Float32 = nil, "", "", "error", false
	missing := map[string]int{}
	s := e.Load(path, o)
	var gaps *MissingError
	if errors.As(s.Err(), &gaps) {
		o.Missing = "mean" // the ranges stay
		s = e.Load(path, o)
		for _, c := range gaps.Counts {
			if s.Err() == nil {
				missing[s.data.Label(c.Column-1)] = c.Count
			}
		}
	}
	r := s.Summary()
	if r.err != nil {
		return &Description{Failure: r.err}
	}
	d := &Description{Source: r.Source, Format: "numbers", Rows: r.Observations}
	for _, v := range r.Variables {
		c := ColumnDescription{Name: v.Name, Type: "number", Kind: describe.Number, Width: 1, Min: v.Min, Max: v.Max, Missing: missing[v.Name]}
		if c.Missing == r.Observations {
			c.Kind, c.Min, c.Max = describe.Empty, math.NaN(), math.NaN()
		}
		d.Columns = append(d.Columns, c)
	}
	return d
}
