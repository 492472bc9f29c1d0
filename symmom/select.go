package symmom

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// choice is the selection of Select.
type choice struct {
	from  int   // variables there were
	taken []int // counted from 0
}

// Select returns the session with some of its variables, in the given order: names,
// numbers counted from 1, or ranges such as "3-7" or "q1-q9", as in LoadOptions.Columns, which
// does the same while data are read. It copies the data. Unselect maps factors and
// means back to all variables. For data on disk use LoadOptions.Columns.
func (s *Session) Select(columns ...string) *Session {
	if s.Err() != nil {
		return s
	}
	if len(columns) == 0 {
		return s.with(nil, &ArgumentError{Argument: "columns", Value: "none", Want: "names, numbers counted from 1, or ranges of the variables to take"})
	}
	if s.data.Slow() {
		return s.with(nil, fmt.Errorf("%s: Select takes variables of data in memory: name them in LoadOptions.Columns of Stream", s.data.Source))
	}
	d, err := s.data.Set(s.context(), "Select")
	if err = interrupted("Select", err); err == nil {
		err = memory.Check("select: a copy of the data", float64(d.Bytes()), s.limit, "choose the columns when the file is read", "Columns")
	}
	if err != nil {
		return s.with(nil, err)
	}
	n := d.N
	d, taken, err := d.Select(s.context(), columns)
	c := s.with(d, interrupted("Select", err))
	if err != nil {
		return c
	}
	c.choice = &choice{from: n, taken: taken}
	c.move = s.move.Picked(taken)
	return c
}

// Unselect maps directions or means in the k variables that Select took, k x r, to
// all n that it took them from, n x r, with 0 in the others.
func (s *Session) Unselect(directions mat.Matrix) (*mat.Dense, error) {
	if err := s.Err(); err != nil {
		return &mat.Dense{}, err
	}
	if s.choice == nil {
		return &mat.Dense{}, &ArgumentError{Argument: "session", Value: "one of all variables", Want: "one that Select returned"}
	}
	rows, r := linalg.Dims(directions)
	if rows != len(s.choice.taken) {
		return &mat.Dense{}, &ArgumentError{Argument: "directions", Value: words.Plural(rows, "row"), Want: fmt.Sprintf("%d, one a variable", len(s.choice.taken))}
	}
	out := mat.NewDense(s.choice.from, r, nil)
	for i, j := range s.choice.taken {
		for k := range r {
			out.Set(j, k, directions.At(i, k))
		}
	}
	return out, nil
}
