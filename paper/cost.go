package paper

import (
	"errors"
	"fmt"
	"math"

	"symmom/datasets"
	"symmom/internal/moment"
	"symmom/symmom"
)

// costRank is the rank of figure flops; costObservations is the p used where its
// text counts p without giving it a value.
const (
	costRank         = 10
	costObservations = 5000
)

// costRow is one n of figure flops.
type costRow struct {
	D                  int     `json:"d"`
	N                  int     `json:"n"`
	P                  int     `json:"p"`
	ExplicitBytes      float64 `json:"explicit_bytes"`
	ImplicitBytes      float64 `json:"implicit_bytes"`
	ExplicitOperations float64 `json:"explicit_operations"`
	ImplicitOperations float64 `json:"implicit_operations"`
	PackedBytes        float64 `json:"packed_bytes"`     // what symmom's explicit form requests
	DrawnBytes         float64 `json:"drawn_bytes"`      // the figure's implicit curve
	DrawnOperations    float64 `json:"drawn_operations"` // without p
}

// costAt counts the bytes and multiplications of an evaluation.
func costAt(d, n int) costRow {
	v, r := float64(n), float64(costRank)
	p := float64(costObservations)
	return costRow{D: d, N: n, P: int(p), ExplicitBytes: 8 * math.Pow(v, float64(d)), ImplicitBytes: 8 * v * p,
		ExplicitOperations: r * math.Pow(v, float64(d)), ImplicitOperations: r * v * p, PackedBytes: askedBytes(d, n),
		DrawnBytes: 8 * v * float64(d) * r, DrawnOperations: r * v * float64(d)}
}

// showCost needs no cells: it only computes, except for the bytes that symmom
// itself requests.
func showCost(s *shown) {
	t := Table{Caption: fmt.Sprintf("Bytes and multiplications of an evaluation, r = %d, p = %d", costRank, costObservations), Header: []string{"d", "n", "explicit bytes", "symmom's", "implicit bytes", "ratio", "explicit operations", "implicit operations", "ratio"}}
	var rows []costRow
	for _, d := range []int{3, 4} {
		for _, n := range []int{50, 75, 100, 200, 375, 500, 1000, 2000} {
			c := costAt(d, n)
			rows = append(rows, c)
			t.Rows = append(t.Rows, []string{fmt.Sprint(d), fmt.Sprint(n), size(c.ExplicitBytes), size(c.PackedBytes), size(c.ImplicitBytes), over(c.ExplicitBytes, c.ImplicitBytes),
				digits(c.ExplicitOperations), digits(c.ImplicitOperations), over(c.ExplicitOperations, c.ImplicitOperations)})
		}
	}
	s.Tables = append(s.Tables, t)
	s.Figures = costFigures()
	s.data = rows
	for _, p := range publishedStorage {
		s.compare("", p.where, fmt.Sprintf("GB of the dense tensor, d=%d n=%d", p.d, p.n), p.bytes/1e9, costAt(p.d, p.n).ExplicitBytes/1e9, 1.01)
	}
	s.convention("The implicit curves of the paper's figure are 8 n d r bytes and r n d operations, which have no p. Its text, and this table, count the observations: 8 n p bytes and r n p operations. p = %d here; the paper names none for this figure.", costObservations)
	s.convention("Operations are multiplications, r n^d and r n p, as the paper counts; with additions, and the product with V taken twice, symmom does 4 r n p, and 4 r for each of the C(n+d-1, d) distinct entries of the tensor, a d! of n^d.")
	s.note("symmom's explicit form holds each distinct entry once, a 1/d! of the dense tensor; the column has what it asks for, the room for forming it with it. For d=4 n=200 the paper gives 12 GB where 8 n^d is 12.8, for d=4 n=75 323 MB where it is 253.")
}

// askedBytes returns the memory that symmom needs for the explicit form, as
// reported in its error when memory is short.
func askedBytes(d, n int) float64 {
	err := datasets.Uniform(n, 2, 1).Moment(d).Explicit().With(symmom.Options{MemoryLimit: 1}).Decompose(1).Err()
	var large *moment.TooLargeError
	if !errors.As(err, &large) {
		return math.NaN()
	}
	return large.Bytes
}

// size formats a size with decimal units.
func size(v float64) string {
	for _, u := range []string{"B", "kB", "MB", "GB"} {
		if v < 1000 {
			return fmt.Sprintf("%.3g %s", v, u)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.4g TB", v)
}
