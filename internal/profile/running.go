package profile

import (
	"math"

	"symmom/internal/faults"
	"symmom/internal/notice"
)

// Running makes the profile of values that are not kept. They are finite.
type Running struct {
	Profile
	first []float64
}

// NewRunning returns the profile of no observations yet of n variables.
func NewRunning(n int) *Running {
	r := &Running{Profile: New(n)}
	r.Largest, r.Nonzero = make([]float64, n), make([]int, n)
	return r
}

// Add looks at further observations, one row after the other.
func (r *Running) Add(values []float64) {
	n := len(r.Squares)
	if r.first == nil {
		r.first = append(r.first, values[:n]...)
	}
	for ; len(values) >= n; values = values[n:] {
		row := values[:n]
		squares, largest, nonzero := r.Squares[:len(row)], r.Largest[:len(row)], r.Nonzero[:len(row)]
		for j, x := range row {
			squares[j] += x * x
			largest[j] = max(largest[j], math.Abs(x))
			if x != 0 {
				nonzero[j]++
			}
		}
		if len(r.Constant) > 0 {
			still := r.Constant[:0]
			for _, j := range r.Constant {
				if row[j] == r.first[j] {
					still = append(still, j)
				}
			}
			r.Constant = still
		}
	}
}

// Counting tells whether the values of a column count the rows, from any number on.
type Counting struct {
	start float64
	rows  int
	not   bool
}

// Add looks at the value of the next row. It returns false once the column does not count.
func (c *Counting) Add(v float64) bool {
	if c.rows == 0 {
		c.start = v
	}
	c.not = c.not || v != c.start+float64(c.rows)
	c.rows++
	return !c.not
}

// Warnings warns if the first column counts the rows, of which there are several; many if
// it has a name, for a few numbers may be what they seem to count.
func (c *Counting) Warnings(name string) []notice.Warning {
	what, least := faults.Short(name), 10
	if name == "" {
		what, least = "column 1 has no name and", 2
	}
	if c.not || c.rows < least {
		return nil
	}
	return []notice.Warning{notice.New(notice.IndexColumn, "%s counts the rows: it looks like an index, not a variable; choose the other columns", what).With("Columns")}
}
