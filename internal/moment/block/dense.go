package block

import "context"

// Dense holds weighted observations in memory. It is never changed.
type Dense struct {
	P, N int
	V    []float64 // P x N, one observation a row (the paper's V, transposed)
	V32  []float32 // instead of V: the same, stored in half the memory
	Nu   []float64 // P weights of sum 1, nil for 1/P each
}

// Values returns observations lo..hi-1 as Block.Values does.
func (x *Dense) Values(lo, hi int, scratch *[]float64) []float64 {
	return Block{V: x.V, V32: x.V32}.Values(lo, hi, x.N, scratch)
}

// Weights returns the weights of observations lo..hi-1, nil for uniform ones.
func (x *Dense) Weights(lo, hi int) []float64 {
	if x.Nu == nil {
		return nil
	}
	return x.Nu[lo:hi]
}

// Effective returns the number of observations of equal weight whose mean has the variance
// of this one's (Kish 1965), 1/sum nu^2: P for uniform weights.
func (x *Dense) Effective() float64 {
	if x.Nu == nil {
		return float64(x.P)
	}
	squares := 0.
	for _, w := range x.Nu {
		squares += w * w
	}
	return 1 / squares
}

// Weight returns the weight of observation l, 1/P if weights are uniform.
func (x *Dense) Weight(l int) float64 {
	if x.Nu == nil {
		return x.Share()
	}
	return x.Nu[l]
}

// Spaced returns at most rows observations, evenly spaced, with their weights, which
// then no longer sum to 1. All of them are x itself, if it is stored as float64.
func (x *Dense) Spaced(rows int) *Dense {
	if rows >= x.P && x.V32 == nil {
		return x
	}
	rows = min(x.P, rows)
	some := &Dense{P: rows, N: x.N, V: make([]float64, 0, rows*x.N)}
	var wide []float64
	for i := range rows {
		l := i * x.P / rows
		some.V = append(some.V, x.Values(l, l+1, &wide)...)
		if x.Nu != nil {
			some.Nu = append(some.Nu, x.Nu[l])
		}
	}
	return some
}

// Shape returns P and N.
func (x *Dense) Shape() (p, n int) { return x.P, x.N }

// Share returns 1/P if Nu is nil, otherwise 1.
func (x *Dense) Share() float64 {
	if x.Nu == nil {
		return 1 / float64(x.P)
	}
	return 1
}

// BlockRows returns P: all observations are in one block.
func (x *Dense) BlockRows() int { return x.P }

// Pass calls do once, with all observations.
func (x *Dense) Pass(ctx context.Context, do func(Block)) bool {
	if ctx.Err() == nil {
		do(Block{Rows: x.P, V: x.V, V32: x.V32, Nu: x.Nu})
	}
	return ctx.Err() == nil
}

// Err returns nil: memory does not fail.
func (x *Dense) Err() error { return nil }
