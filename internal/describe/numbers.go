package describe

import (
	"errors"
	"fmt"
	"math"

	"symmom/internal/faults"
	"symmom/internal/notice"
	"symmom/internal/observations"
)

// Numbers describes a file that holds numbers alone. load reads it with missing values
// treated as it is told, says which values are infinite, and returns names and ranges of
// the columns.
func Numbers(load func(missing observations.Missing, infinite func(*faults.ParseError)) (*Table, error)) (*Table, error) {
	var notFinite map[int]int // by column, counted from 1
	var first map[int]*faults.ParseError
	read := func(missing observations.Missing) (*Table, error) {
		notFinite, first = map[int]int{}, map[int]*faults.ParseError{}
		return load(missing, func(p *faults.ParseError) {
			if notFinite[p.Column]++; notFinite[p.Column] == 1 {
				first[p.Column] = p
			}
		})
	}
	t, err := read(observations.MissingFail)
	var gaps *faults.MissingError
	if errors.As(err, &gaps) {
		t, err = read(observations.MissingMean) // the ranges stay
	}
	if err != nil || gaps == nil {
		return t, err
	}
	for _, g := range gaps.Counts { // infinite values are among them
		c := &t.Columns[g.Column-1]
		c.NotFinite, c.Missing = notFinite[g.Column], g.Count-notFinite[g.Column]
		if p := first[g.Column]; p != nil {
			c.OddRow, c.OddValue = p.Row, p.Value
		}
		if g.Count == t.Rows {
			c.Kind, c.Min, c.Max = Empty, math.NaN(), math.NaN()
		}
	}
	return t, nil
}

// Finite selects the columns of finite numbers alone, as options write them, and says what
// is wrong with the others.
func Finite(t *Table) (columns []string, left []notice.Warning) {
	at := 1
	for _, c := range t.Columns {
		last := at + max(1, c.Width) - 1
		switch {
		case c.Kind == Mixed:
			left = append(left, notice.New(notice.LeftOut, "%s holds %s; it is left out here, and refused elsewhere: correct the value, name it as a code of missing values, or choose other columns", c.Name, c.Holds()).With("NA", "Columns"))
		case c.NotFinite > 0:
			left = append(left, notice.New(notice.LeftOut, "%s holds %s; it is left out here, and refused elsewhere: correct the value, or choose other columns", c.Name, c.Holds()).With("Columns"))
		case c.Kind == Other && c.OddRow > 0:
			left = append(left, notice.New(notice.LeftOut, "%s holds %s; it is left out here, and refused elsewhere: choose other columns", c.Name, c.Holds()).With("Columns"))
		case c.Kind == Number && last > at:
			columns = append(columns, fmt.Sprintf("%d-%d", at, last))
		case c.Kind == Number:
			columns = append(columns, fmt.Sprint(at))
		case c.Kind == Empty:
			left = append(left, notice.New(notice.LeftOut, "%s has no value at all; it is left out here, and refused elsewhere: choose other columns", c.Name).With("Columns"))
		default:
			left = append(left, notice.New(notice.LeftOut, "%s holds no numbers (%s)", c.Name, c.Type))
		}
		at = last + 1
	}
	return columns, left
}
