package tables

import (
	"context"
	"fmt"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// White holds observations in uncorrelated coordinates of mean 0 and variance 1.
type White struct {
	*block.Dense           // p x k
	Spread       *Spread   // that it comes from
	Into         []float64 // k x n: rows q_i / sqrt(value_i)
	Back         []float64 // n x k: columns sqrt(value_i) q_i
	Rest         []float64 // n: what rounding left of the mean, in the span of Back
}

// leastDirection is the variance, relative to the largest, below which rounding decides what
// a direction of the covariance is: 1e-16 of the largest variance is 1e-6 of this one.
const leastDirection = 1e-10

// Whiten returns the observations in their k leading coordinates. If there are not so many,
// it returns what to ask for instead.
func (t *Table) Whiten(ctx context.Context, k int) (w *White, instead string, err error) {
	v, err := t.Spread(ctx, k, Exact, nil, 0)
	if err != nil {
		return nil, "", err
	}
	rank := 0
	for rank < len(v.Values) && v.Values[rank] > leastDirection*v.Values[0] {
		rank++
	}
	if rank < k {
		if rank == 0 {
			return nil, "none: the observations do not differ", nil
		}
		instead = fmt.Sprintf("at most %d: the covariance has no more directions with more than %g of the largest variance", rank, leastDirection)
		if slices.ContainsFunc(t.Warnings, func(w diag.Warning) bool { return w.Code == diag.Scales }) {
			instead += "; standardize the columns, which are of very different scale"
		}
		return nil, instead, nil
	}
	n := t.N
	w = &White{Spread: v, Into: append([]float64(nil), v.Rows[:k*n]...), Back: make([]float64, n*k)}
	for i := range k {
		linalg.Scale(1/math.Sqrt(v.Values[i]), w.Into[i*n:(i+1)*n])
	}
	if w.Dense, err = ProjectFrom(ctx, t.Storage, v.Mean, nil, &moment.Basis{N: n, K: k, Q: w.Into}); err != nil {
		return nil, "", err
	}
	left := w.center()
	// Rounding of the largest variances is in the smallest: the coordinates tell how much.
	for i, s := range w.deviations() {
		linalg.Scale(1/s, w.Into[i*n:(i+1)*n])
		for j := i; j < len(w.V); j += k {
			w.V[j] /= s
		}
		for j := range n {
			w.Back[j*k+i] = s * math.Sqrt(v.Values[i]) * v.Rows[i*n+j]
		}
		left[i] /= s
	}
	w.Rest = make([]float64, n)
	linalg.MulABt(w.Rest, w.Back, left, n, 1, k)
	return w, "", nil
}

// Doubt warns of directions that are not fully found or, where others have the same variance as
// the last of the coordinates, are any of these.
func (w *White) Doubt() []diag.Warning {
	v, k := w.Spread.Values, w.N
	end := k
	for end < len(v) && v[k-1]-v[end] <= Exact*v[k-1] {
		end++
	}
	doubt := w.Spread.Doubt()
	if end > k {
		doubt = append(doubt, diag.New(diag.FlatSpectrum, "the choice among the directions with the same variance as the last of %s is arbitrary; %d contain all of them", words.Plural(k, "coordinate"), end))
	}
	return doubt
}

// center subtracts the mean of each coordinate, and returns it: a mean that is far from the
// origin is rounded, by more than the differences from it.
func (w *White) center() (left []float64) {
	k := w.N
	left = make([]float64, k)
	for l := range w.P {
		linalg.Axpy(w.Weight(l), w.V[l*k:(l+1)*k], left)
	}
	for l := range w.P {
		linalg.Axpy(-1, left, w.V[l*k:(l+1)*k])
	}
	return left
}

// deviations returns the root of the mean square of each coordinate.
func (w *White) deviations() []float64 {
	k := w.N
	out := make([]float64, k)
	for l := range w.P {
		nu := w.Weight(l)
		for i, x := range w.V[l*k : (l+1)*k] {
			out[i] += nu * x * x
		}
	}
	for i, s := range out {
		out[i] = math.Sqrt(s)
	}
	return out
}
