package profile

import (
	"math"
	"slices"

	"symmom/internal/faults"
	"symmom/internal/notice"
)

// Running makes the profile of values that are not kept. They are finite.
type Running struct {
	Profile
	Exact func(j int) bool // whether the source has column j exactly, or nil

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

// columns is how many numbers Numbers has for each.
const columns = 6

// Numbers returns the profile for Join.
func (r *Running) Numbers() []float64 {
	n := len(r.Squares)
	out := make([]float64, columns*n)
	copy(out, r.Squares)
	copy(out[n:], r.Largest)
	copy(out[2*n:], r.first)
	for j, c := range r.Nonzero {
		out[3*n+j] = float64(c)
		if r.Exact != nil && r.Exact(j) {
			out[5*n+j] = 1
		}
	}
	for _, j := range r.Constant {
		out[4*n+j] = 1
	}
	return out
}

// Join adds the values whose Numbers are the last of numbers, and returns what precedes
// them; nil if they are too few.
func (r *Running) Join(numbers []float64) (before []float64) {
	n := len(r.Squares)
	at := len(numbers) - columns*n
	if at < 0 {
		return nil
	}
	before, numbers = numbers[:at], numbers[at:]
	if r.first == nil {
		r.first = slices.Clone(numbers[2*n : 3*n])
	}
	still := r.Constant[:0]
	for _, j := range r.Constant {
		if numbers[4*n+j] != 0 && numbers[2*n+j] == r.first[j] {
			still = append(still, j)
		}
	}
	r.Constant = still
	had, has := r.Exact, numbers[5*n:]
	r.Exact = func(j int) bool { return has[j] != 0 || had != nil && had(j) }
	for j := range n {
		r.Squares[j] += numbers[j]
		r.Largest[j] = max(r.Largest[j], numbers[n+j])
		r.Nonzero[j] += int(numbers[3*n+j])
	}
	return before
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
