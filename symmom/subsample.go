package symmom

import (
	"gonum.org/v1/gonum/mat"
)

// Subsample returns k of the observations as the rows of a k x n matrix, and their
// indices, counted from 0 and ascending; all of them if there are at most k. One is
// drawn at random from each of k equal stretches of the table, so that sorted data
// are drawn in proportion. The same seed (0: 1) gives the same observations. It
// serves pictures: one of half a million points needs a few thousand. One pass over
// the data of a stream, O(k n) otherwise; on a cluster, without weights, no pass: those of
// the at most 16,384 that were drawn when the table was opened.
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
	d, index, err := s.data.Some(s.context(), k, seed)
	if err != nil {
		return &mat.Dense{}, nil, interrupted("draw", err)
	}
	return mat.NewDense(d.P, d.N, d.V), index, nil
}
