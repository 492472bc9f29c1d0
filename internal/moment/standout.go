package moment

import (
	"cmp"
	"context"
	"math"
	"slices"

	"symmom/internal/math/eigen"
	"symmom/internal/moment/block"
)

// NoEigenvalue is the size of an eigenvalue, relative to the largest, up to which it is 0 but for
// rounding.
const NoEigenvalue = 1e-14

// SuggestedRank returns the number of eigenvalues (descending) that stand out: those
// before the largest drop by a factor of more than 1.5, and more than p(i) normal
// observations, which tell eigenvalue i as well as the data, make by chance. The first
// eigenvalue, which holds the mean, is skipped unless it stands alone. The result is 0 if
// nothing stands out, and of a second moment that is 0.
//
// The data can vary in so many directions. Of these more than half stand out only if the
// drop is larger than all the rest of the fall from the second eigenvalue to the last, as
// spectra may be steep at their end whatever the data are, and never from zeros: then their
// number is the dimension of the data.
func SuggestedRank(values []float64, directions int, p func(i int) float64) int {
	s := Second{Values: values}
	return s.suggested(directions, p)
}

// suggested is SuggestedRank of the eigenvalues.
func (s *Second) suggested(directions int, p func(i int) float64) int {
	values := s.Values
	if len(values) == 0 || values[0] <= 0 {
		return 0
	}
	half, end := max(1, directions/2), len(values)
	for end > 1 && values[end-1] <= s.Zero() {
		end--
	}
	if end < len(values) && end <= half {
		return end // the rank of the second moment itself
	}
	end = min(end, max(1, directions)) // constant variables have a mean, which is one more
	best, rank := 0., 0
	for i := 2; i < end; i++ {
		if drop := values[i-1] / values[i]; drop > max(best, standsOut(i, p(i))) && (i <= half || drop > values[1]/values[end-1]/drop) {
			best, rank = drop, i
		}
	}
	if rank == 0 && len(values) > 1 && values[0]/values[1] > standsOut(1, p(1)) {
		return 1
	}
	return rank
}

// standsOut returns the drop after i eigenvalues of p normal observations that is not chance.
// The logarithm of an eigenvalue has the standard error sqrt(2/p), with as many fewer as there
// are others before it; the largest drop of such noise in two to thirty
// variables is above 3.5 of these in two to eight of a hundred tables.
func standsOut(i int, p float64) float64 {
	return max(1.5, math.Exp(3.5*math.Sqrt(2/max(0, p-float64(i)-1))))
}

// Alike is for SuggestedRank of p normal observations.
func Alike(p float64) func(i int) float64 { return func(int) float64 { return p } }

// StandOut is SuggestedRank of values that belong to few directions of many, of any number of
// observations.
func StandOut(values []float64) int { return SuggestedRank(values, 2*len(values), Alike(math.Inf(1))) }

// Second is the second moment of observations, by its eigenvalues, largest first: all of them,
// or the leading ones.
type Second struct {
	Values  []float64
	Longest float64 // the largest norm of an observation, or 0 if it is not known
	Hidden  float64 // up to this, rounding of the largest eigenvalue, the mean's, is in others; or 0

	x    block.Source
	span float64
	m    *Packed   // or nil
	rows []float64 // eigenvectors, as far as they are known

	zero float64 // up to which values are zero to within rounding; 0: NoEigenvalue of the largest
	rank int     // that was suggested,
	p    float64 // and the normal observations that tell it
}

// NewSecond finds all eigenvalues: one pass of p n^2 operations and n^2 memory, and n^3
// operations; of fewer observations than variables p^2 n, p^2 and p^3. span is a unit such
// as the largest norm of an observation.
func NewSecond(ctx context.Context, x block.Source, span float64) (*Second, error) {
	_, n := x.Shape()
	s := &Second{x: x, span: span}
	var err error
	switch {
	case span == 0:
		s.Values = make([]float64, n)
		return s, nil
	case fewer(x):
		s.Values, err = spectrumOfFew(ctx, x, span)
	default:
		if s.m, err = NewPacked(ctx, x, nil, 2, span, 0); err == nil {
			s.Values, _, err = s.m.eigen(ctx, false)
		}
	}
	if err == nil {
		err = s.update(ctx)
	}
	return s, err
}

// Second is that whose leading eigenvectors are a basis of observations x, which may be nil.
func (b *Basis) Second(x block.Source, span float64) *Second {
	return &Second{Values: b.Values, x: x, span: span, rows: b.Q}
}

// SecondIn is Second where the eigenvectors are known in the coordinates of the basis, and so may
// be the observations: t is a moment in them.
func (b *Basis) SecondIn(t Tensor, ritz *Basis, x block.Source, span float64) *Second {
	s := &Second{Values: ritz.Values, x: x, span: span, rows: ritz.Q}
	if b.Whole && len(s.Values) < b.N {
		s.Values = append(slices.Clip(s.Values), 0) // the next
	}
	if w, kept := t.(*Implicit); kept {
		s.x = w.Data
	} else if x != nil {
		s.rows = make([]float64, b.K*b.N)
		b.Lift(s.rows, ritz.Q, b.K)
	}
	return s
}

// Zero returns the size up to which an eigenvalue is 0 up to rounding.
func (s *Second) Zero() float64 { return cmp.Or(s.zero, NoEigenvalue*s.Values[0]) }

// Alike is SuggestedRank where p normal observations tell every eigenvalue.
func (s *Second) Alike(directions int, p float64) int {
	return s.suggested(directions, Alike(p))
}

// SuggestedRank is that of the eigenvalues, of observations that need not be normal, p of equal
// weight or so many effective ones. An eigenvalue is the mean of (u'v)^2, and the standard
// error of its logarithm sqrt((k-1)/(p-1)) with k = E(u'v)^4/(E(u'v)^2)^2, which is 3 if u'v is
// normal: 2(p-1)/(k-1) normal observations tell it as well. What a single observation makes has
// a k of p, which is as if there were two. Where eigenvalues stand out, a pass finds k along
// their eigenvectors, unless they do even if k is as large as the longest observation allows;
// without the observations it is taken for that of normal ones.
func (s *Second) SuggestedRank(ctx context.Context, directions int, p float64) (int, error) {
	var known []float64
	as := func(k float64) float64 { return min(p, 2*(p-1)/max(0, k-1)) }
	tell := func(i int) float64 {
		if i == 0 || i > len(known) {
			return p
		}
		return as(known[i-1])
	}
	least := func(i int) float64 { // E(u'v)^4 <= max |v|^2 E(u'v)^2
		if i == 0 {
			return p
		}
		return as(s.Longest / s.Values[i-1] * s.Longest)
	}
	for {
		rank := s.suggested(directions, tell)
		if rank <= len(known) || s.x == nil {
			s.rank, s.p = rank, tell(rank)
			return rank, nil
		}
		if s.Longest > 0 && s.suggested(directions, least) == rank {
			s.rank, s.p = rank, least(rank)
			return rank, nil
		}
		more, err := s.kurtosis(ctx, len(known), rank)
		if err != nil {
			return 0, err
		}
		known = append(known, more...)
	}
}

// vectorsCheap is the size up to which all eigenvectors take less time than a look at the
// leading ones, and vectorError the accuracy of these, far better than that of a kurtosis.
const (
	vectorsCheap = 200
	vectorError  = 1e-3
	vectorsMost  = 100
)

// kurtosis returns that of u'v about 0 for eigenvectors from..to-1.
func (s *Second) kurtosis(ctx context.Context, from, to int) ([]float64, error) {
	_, n := s.x.Shape()
	switch {
	case s.rows != nil && len(s.rows) >= to*n:
	case s.m != nil && n <= vectorsCheap:
		_, rows, err := s.m.eigen(ctx, true)
		if err != nil {
			return nil, err
		}
		s.rows = rows
	default:
		found, err := s.leading(ctx, eigen.Wanted{K: to, Accuracy: vectorError, Products: vectorsMost})
		if err != nil {
			return nil, err
		}
		s.rows = found.Rows
	}
	r := to - from
	_, w, ok := NewObjective(&Implicit{Data: s.x, D: 4}, r, s.span, 0).TTSV(ctx, s.rows[from*n:to*n])
	if !ok {
		return nil, block.Stopped(ctx, s.x)
	}
	out := make([]float64, r)
	for j := range out {
		v := s.Values[from+j] / s.span / s.span
		out[j] = w[j] / (v * v)
	}
	return out, nil
}

// Unrelated reports whether the eigenvalues that SuggestedRank found stand out no more than
// those of variables of such means and deviations that have nothing to do with each other, as
// they do where these differ. A single one is that of the mean, unless it is 0.
func (s *Second) Unrelated(of func(variable int) (mean, deviation float64)) bool {
	_, n := s.x.Shape()
	if s.rank == 0 || s.rank >= len(s.Values) || len(s.Values) < n || !(s.Values[s.rank] > 0) {
		return false
	}
	v, share := make([]variable, n), 0.
	for i := range v {
		mean, deviation := of(i)
		v[i] = variable{math.Pow(deviation/s.span, 2), math.Pow(mean/s.span, 2)}
		share += v[i].square
	}
	if s.rank == 1 && share > CenteredShare*s.Values[0]/s.span/s.span {
		return false
	}
	slices.SortFunc(v, func(a, b variable) int { return cmp.Compare(b.variance, a.variance) })
	return s.Values[s.rank-1]/s.Values[s.rank] < updated(v, s.rank-1)/updated(v, s.rank)*standsOut(s.rank, s.p)
}

// AboutMean reports whether the mean of the observations is too small to make one of the
// eigenvalues that SuggestedRank found: then these show one direction less than there are groups
// of observations, whose means, weighted, sum to nearly 0. The mean is one of n variables or, of
// eigenvalues in a basis, of n coordinates: the rest of it is shorter than the next eigenvalue's.
func (s *Second) AboutMean(n int, mean func(i int) float64) bool {
	if s.rank == 0 || s.rank >= len(s.Values) {
		return false
	}
	square := 0.
	for i := range n {
		square += math.Pow(mean(i)/s.span, 2)
	}
	return square <= max(s.Values[s.rank], s.Zero())/s.span/s.span
}

// variable is a variance, and the square of a mean.
type variable struct{ variance, square float64 }

// CenteredShare is the share of the mean in the second moment that counts as rounding.
const CenteredShare = 1e-20

// updated returns eigenvalue i of the second moment of variables that are not correlated, by
// descending variance: the root of 1 + sum_j m_j^2/(d_j - x) from d_i to the one before, for
// the variances d and the means m (Golub 1973), by bisection.
func updated(v []variable, i int) float64 {
	low, high := v[i].variance, 0.
	if i > 0 {
		high = v[i-1].variance
	} else {
		high = low
		for _, x := range v {
			high += x.square
		}
	}
	for {
		x := low + (high-low)/2
		if !(low < x && x < high) {
			return high
		}
		f := 1.
		for _, v := range v {
			f += v.square / (v.variance - x)
		}
		if f < 0 {
			low = x
		} else {
			high = x
		}
	}
}

// leading finds eigenvectors of the second moment, in passes if it is not held.
func (s *Second) leading(ctx context.Context, want eigen.Wanted) (*eigen.Pairs, error) {
	if s.m != nil {
		return s.m.Leading(ctx, want, 0)
	}
	return leading(ctx, &Implicit{Data: s.x, D: 2}, nil, want, s.span, 0, func() error { return block.Stopped(ctx, s.x) })
}
