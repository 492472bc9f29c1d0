package gmm

import "symmom/internal/math/linalg"

// features returns how many features of an observation v the log densities of a mixture of a shape are
// linear functions of, except for -v'Pv/2 of Tied, which all components share. They are the
// first of 1; v; |v|^2; the squares of the variables; the products of two of them, v_1 v_2,
// v_1 v_3 and so on.
func features(n int, shape Shape) int {
	switch shape {
	case Tied:
		return 1 + n
	case Spherical:
		return 2 + n
	case Diagonal:
		return 2 + 2*n
	}
	return 2 + 2*n + n*(n-1)/2
}

// Observations are worked on so many at once that their features stay in the second-level cache, those that
// are products of two variables piece by piece if they are many.
const (
	mostRows     = 256
	leastRows    = 64
	mostFeatures = 1 << 16 // numbers
)

// whole reports whether so many features are computed at once.
func whole(count int) bool { return count*leastRows <= mostFeatures }

// kept returns how many of so many features of n variables are computed before the first piece.
func kept(n, count int) int {
	if whole(count) {
		return count
	}
	return min(count, features(n, Diagonal))
}

// rowsOf returns how many observations are worked on at once.
func rowsOf(n, count int) int {
	return max(leastRows, min(mostRows, mostFeatures/kept(n, count)&^7))
}

// fetch sets the features of observations lo..hi-1 of the block in the coordinates of the mixture, the first count
// of them or those that are kept of these.
func (e *EM) fetch(s *emScratch, lo, hi, count int) {
	n, rows := e.n, hi-lo
	if count = kept(n, count); len(s.features) < count*rows {
		s.features = make([]float64, max(count*rows, mostFeatures))
	}
	at := func(i int) []float64 { return s.features[i*rows : (i+1)*rows] }
	for l := range at(0) {
		s.features[l] = 1
	}
	linalg.Transpose(s.features[rows:], rows, e.now.Values(lo, hi, n, &s.wide), n, rows)
	if e.center != nil || e.unit != 1 {
		by := 1 / e.unit
		for i := range n {
			c := 0.
			if e.center != nil {
				c = e.center[i]
			}
			of := at(1 + i)
			for l, v := range of {
				of[l] = (v - c) * by
			}
		}
	}
	if count > 1+n {
		clear(at(1 + n))
		linalg.AddSquares(at(1+n), s.features[rows:(1+n)*rows])
	}
	if count > 2+n {
		for i := range n {
			linalg.Multiply(at(2+n+i), at(1+i), at(1+i))
		}
	}
	if count > 2+2*n {
		e.pairs(s, s.features[(2+2*n)*rows:], rows, 0, n)
	}
}

// pairs sets out to the products of variables from first to before last with those behind them, of the rows
// fetched.
func (e *EM) pairs(s *emScratch, out []float64, rows, first, last int) {
	at := func(i int) []float64 { return s.features[(1+i)*rows : (2+i)*rows] }
	for i := first; i < last; i++ {
		for j := i + 1; j < e.n; j++ {
			linalg.Multiply(out[:rows], at(i), at(j))
			out = out[rows:]
		}
	}
}

// pieces calls do with the first count features of the rows fetched, piece by piece, and the number of the
// first one of each.
func (e *EM) pieces(s *emScratch, rows, count int, do func(from int, features []float64)) {
	from := kept(e.n, count)
	do(0, s.features[:from*rows])
	for i := 0; from < count; {
		first, k := i, 0
		for ; i < e.n && (i == first || (k+e.n-1-i)*rows <= mostFeatures); i++ {
			k += e.n - 1 - i
		}
		if len(s.products) < k*rows {
			s.products = make([]float64, max(mostFeatures, k*mostRows))
		}
		e.pairs(s, s.products, rows, first, i)
		do(from, s.products[:k*rows])
		from += k
	}
}
