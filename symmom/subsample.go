package symmom

import (
	"symmom/internal/obs"

	"gonum.org/v1/gonum/mat"
)

// Subsample returns k of the observations as the rows of a k x n matrix, and which
// they are, counted from 0 and ascending; all of them where there are no more
// than k. They are one at random of each of k equal stretches of the table, so
// that data which are sorted are drawn in proportion; the same seed (0: 1)
// gives the same. It is for looking at: a picture of half a million points
// needs a few thousand. One pass over the data of a stream, O(k n) otherwise.
func (s *Session) Subsample(k int, seed uint64) (rows *mat.Dense, index []int, err error) {
	if err := s.Err(); err != nil {
		return &mat.Dense{}, nil, err
	}
	if k < 1 {
		return &mat.Dense{}, nil, &ArgumentError{Argument: "k", Value: k, Want: "at least 1 observation"}
	}
	if seed == 0 {
		seed = DefaultSeed
	}
	index = obs.Stratified(s.data.P, k, seed)
	d, err := obs.Pick(s.context(), s.data.Storage, index)
	if err != nil {
		return &mat.Dense{}, nil, interrupted("draw", err)
	}
	return mat.NewDense(d.P, d.N, d.V), index, nil
}
