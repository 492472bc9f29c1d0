package profile

import (
	"math"
	"slices"

	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// Running makes the profile of values that are not kept. They are finite.
type Running struct {
	Profile
	Exact func(j int) bool // whether the source has column j exactly, or nil

	first   []float64
	largest []uint64 // bits of Largest, in a call of Add
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
		r.first, r.largest = slices.Clone(values[:n]), make([]uint64, n)
	}
	r.Profile.Add(values, r.first)
	for j, x := range r.Largest {
		r.largest[j] = math.Float64bits(x)
		r.Nonzero[j] += len(values) / n
	}
	for ; len(values) >= n; values = values[n:] {
		row, largest := values[:n], r.largest[:n]
		for j, x := range row {
			// Without the sign, numbers are in the order of their bits. One less than those of 0
			// is beyond all of them, so that one comparison mostly says that there is nothing to do.
			const sign = 1 << 63
			if bits := math.Float64bits(x) &^ sign; bits-1 < largest[j] {
				continue
			} else if bits != 0 {
				largest[j] = bits
			} else {
				r.Nonzero[j]--
			}
		}
	}
	for j, bits := range r.largest {
		r.Largest[j] = math.Float64frombits(bits)
	}
}

// AddBlock looks at the observations of a block, which are float64 or sparse.
func (r *Running) AddBlock(b block.Block) {
	if b.Sparse == nil {
		r.Add(b.V)
		return
	}
	r.addSparse(b.Sparse)
}

// addSparse looks at sparse observations, without a shift or scale.
func (r *Running) addSparse(x *block.Sparse) {
	n, p := len(r.Squares), len(x.Start)-1
	if r.first == nil {
		r.first, r.largest = make([]float64, n), make([]uint64, n)
		if p > 0 {
			for k := x.Start[0]; k < x.Start[1]; k++ {
				r.first[x.Index[k]] = x.Value(k)
			}
		}
	}
	stored, differ := make([]int, n), make([]bool, n)
	for k := x.Start[0]; k < x.Start[p]; k++ {
		i, v := x.Index[k], x.Value(k)
		r.Squares[i] += v * v
		r.Largest[i] = max(r.Largest[i], math.Abs(v))
		differ[i] = differ[i] || v != r.first[i]
		stored[i]++
	}
	for i, c := range stored {
		r.Nonzero[i] += c
	}
	r.Constant = slices.DeleteFunc(r.Constant, func(i int) bool { return differ[i] || stored[i] < p && r.first[i] != 0 })
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
		r.first, r.largest = slices.Clone(numbers[2*n:3*n]), make([]uint64, n)
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

// Counting reports whether the values of a column count the rows, from any number on, or are whole
// numbers that grow from row to row.
type Counting struct {
	start, last float64
	rows        int
	gaps, not   bool
}

// Add looks at the value of the next row. It returns false once the column does neither.
func (c *Counting) Add(v float64) bool {
	if c.rows == 0 {
		c.start = v
	}
	c.not = c.not || v != math.Trunc(v) || c.rows > 0 && !(v > c.last)
	c.gaps = c.gaps || v != c.start+float64(c.rows)
	c.last = v
	c.rows++
	return !c.not
}

// Warnings warns if the first column is such, in several rows; many if it has a name, or there
// are gaps, for a few numbers may be what they seem to count. A column without a name beside named
// ones is how pandas and R write an index, whatever it holds. names are those of all columns, or
// nil.
func (c *Counting) Warnings(names []string) []diag.Warning {
	what, least := "column 1 has no name and", 10
	unnamed := names != nil && names[0] == "" && !slices.Contains(names[1:], "")
	switch {
	case names == nil:
		least = 4
	case names[0] == "":
		least = 2
	default:
		what = diag.Short(names[0])
	}
	if c.gaps {
		least = 10
	}
	say := func(why string) []diag.Warning {
		return []diag.Warning{diag.New(diag.IndexColumn, "%s; choose the other columns", why).With("Columns")}
	}
	switch {
	case !c.not && !c.gaps && c.rows >= least:
		return say(what + " counts the rows: it looks like an index, not a variable")
	case unnamed:
		return say("column 1 alone has no name: it may be an index, not a variable")
	case !c.not && c.rows >= least:
		return say(what + " holds whole numbers that grow from row to row: it may be an index, not a variable")
	}
	return nil
}
