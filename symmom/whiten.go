package symmom

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/load"
	"symmom/internal/estimate/fit"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/frame"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// whitening is the transformation of Whiten.
type whitening struct {
	names      []string  // n, of the variables
	white      bool      // nothing was appended since
	mean, rest []float64 // n, in the coordinates of the data before: of these, and what rounding left of it
	move       frame.Move
	into       *mat.Dense // k x n: rows q_i / sqrt(value_i)
	back       *mat.Dense // n x k: columns sqrt(value_i) q_i
}

// kept is that of observations in the same coordinates, which are no longer white in them.
func (w *whitening) kept() *whitening {
	if w == nil {
		return nil
	}
	c := *w
	c.white = false
	return &c
}

// Whiten returns the observations in k uncorrelated coordinates of mean 0 and
// variance 1: along the k leading eigenvectors of the covariance, each divided by
// the root of its eigenvalue. Unwhiten maps factors back. A stream is read and its
// coordinates are kept in memory, 8 p k bytes.
//
// An eigenvector u is found to |C u - value u| <= 1e-8 value, or rounding, 1e-14 of the
// largest eigenvalue of the second moment, wherever the data are; if that takes too many
// passes, because no gap follows the k-th, a warning gives the remaining error. A direction
// with less than 1e-10 of the largest variance is refused, as rounding determines it.
//
// Cost: that of the covariance, p n^2 operations, or for many variables some passes of
// 4 p n (k + 10), mostly three to ten; and 2 p n k.
func (s *Session) Whiten(k int) *Session { return s.whiten(k, "coordinates") }

// whiten is Whiten; name is what the caller calls k.
func (s *Session) whiten(k int, name string) *Session {
	if s.Err() != nil {
		return s
	}
	if k < 1 || k > s.data.N {
		return s.with(nil, &ArgumentError{Argument: name, Value: k, Want: fmt.Sprintf("1 to %d, the number of variables", s.data.N)})
	}
	if s.data.Forgotten() != nil {
		return s.with(nil, fmt.Errorf("whiten: %w", s.data.Forgotten()))
	}
	if err := memory.Check("whiten: the coordinates", 8*float64(s.data.P)*float64(k), s.limit, "take fewer coordinates"); err != nil {
		return s.with(nil, err)
	}
	w, instead, err := s.data.Whiten(s.context(), k)
	switch {
	case err != nil:
		return s.with(nil, interrupted("whiten", err))
	case instead != "":
		return s.with(nil, &ArgumentError{Argument: name, Value: k, Want: instead})
	}
	n, names := s.data.N, make([]string, k)
	for i := range names {
		names[i] = fmt.Sprintf("coordinate %d", i+1)
	}
	c := s.with(&load.Set{Info: load.Info{P: w.P, N: k, Names: names, Source: s.data.Source + ", whitened", Labels: s.data.Labels, Warnings: w.Doubt()}, Values: w.V, Weights: w.Nu}, nil)
	c.whitening = &whitening{names: s.Columns(), mean: w.Spread.Mean, rest: w.Rest, into: mat.NewDense(k, n, w.Into), back: mat.NewDense(n, k, w.Back), white: true, move: s.move}
	c.move, c.choice, c.coordinates = frame.Move{}, nil, whitened
	return c
}

// Unwhiten maps directions in the coordinates of Whiten, k x r, to those of the
// data before, n x r.
func (s *Session) Unwhiten(directions mat.Matrix) (*mat.Dense, error) {
	if err := s.Err(); err != nil {
		return &mat.Dense{}, err
	}
	if s.whitening == nil {
		return &mat.Dense{}, &ArgumentError{Argument: "session", Value: "one that is not whitened", Want: "one that Whiten returned"}
	}
	if rows, _ := linalg.Dims(directions); rows != s.data.N {
		return &mat.Dense{}, &ArgumentError{Argument: "directions", Value: words.Plural(rows, "row"), Want: fmt.Sprintf("%d, one a coordinate", s.data.N)}
	}
	var out mat.Dense
	out.Mul(s.whitening.back, directions)
	return &out, nil
}

// Cumulant returns the cumulant of order 3, 4 or 5 of the data, about their mean:
// the co-skewness, the co-kurtosis, and the next one, which are 0 for normal data.
// With S the covariance and x the observations minus the mean,
//
//	K_3 a^2 = sum nu (x'a)^2 x
//	K_4 a^3 = sum nu (x'a)^3 x - 3 (a'Sa) S a,
//
// which is the moment debiased by the covariance itself; no form of it is ever
// larger than that of the moment. For K_4 an evaluation takes n^2 r operations
// in addition to its pass, and S n^2 numbers, unless the data are whitened; of
// fewer than n/2 observations 4 p n r operations, and p n numbers.
func (s *Session) Cumulant(d int) *Moment {
	if d < 3 || d > 5 {
		return &Moment{session: s, fit: fit.New(s.data, d), err: &ArgumentError{Argument: "order", Value: d, Want: "3, 4 or 5 for a cumulant"}}
	}
	white := s.whitening != nil && s.whitening.white
	if !white {
		s = s.Center()
	}
	m := s.Moment(d)
	if d > 3 { // nothing is left of the covariance in the third moment about the mean
		m = m.Debias(Noise{Sigma: 1})
	}
	if d > 3 && !white && m.Err() == nil {
		var err error
		m.fit.Noise, err = s.data.Covariance(s.context(), s.limit)
		m.err = interrupted("cumulant", err)
	}
	m.fit.Cumulant = true
	return m
}
