package symmom

import (
	"context"

	"symmom/internal/data/load"
)

// FromCSR makes a session of p sparse observations of n variables, given as
// compressed rows (indptr, indices and data of scipy.sparse.csr_matrix): observation
// l has values[start[l]:start[l+1]], of the variables index (from 0) at the same
// places, and zeros elsewhere; start has p+1 numbers. It copies them.
//
// Zeros are neither stored nor multiplied: an evaluation of the implicit moment
// takes 4 r operations for each value, and Center and Standardize keep what is
// stored. Memory: 12 bytes for each value that is not zero, and 8 for each
// observation. What needs all observations in one array (Matrix, the sampled form)
// is refused if it does not fit in memory. The order of the values in an observation
// does not matter; an index that appears twice in one is an error.
func FromCSR(n int, start, index []int, values []float64) *Session {
	return loaded(nil, func(context.Context, load.Options) (*load.Set, error) {
		return load.FromCSR(n, start, index, values)
	})
}

// Sparse returns the session with its observations stored without their zeros, as those
// of FromCSR are. The values stay the same. It pays for hundreds of variables of which
// at most a tenth differ from zero: see Summary.Density.
func (s *Session) Sparse() *Session {
	if s.Err() != nil || s.data.Sparse() != nil {
		return s
	}
	d, err := s.whole("Sparse")
	if err == nil {
		d, err = d.Sparsely(s.context())
		err = interrupted("sparse", err)
	}
	if err != nil {
		return s.with(nil, err)
	}
	c := s.with(d, nil)
	c.whitening = s.whitening
	return c
}

// Density returns the share of the values that are stored: for sparse observations (FromCSR,
// Sparse, Load of sparse files) of those that were not zero before Center or Standardize,
// for others 1.
func (s *Session) Density() float64 {
	if s.data == nil {
		return 0
	}
	return s.data.Density()
}
