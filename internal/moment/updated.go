package moment

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Where the mean is nearly all of a second moment, its other eigenvalues are found from the
// covariance: from updatedFrom of the largest on, rounding of that leaves fewer than eight
// digits of them. The eigenvectors of up to updatedMost variables take a second.
const (
	updatedFrom = 1e-8
	updatedMost = 500
	meanAlone   = .999
)

// update finds the eigenvalues anew as those of C + m m', with the mean m and the covariance C
// about it, which rounding of the mean is not in: three more passes. Of too many variables it
// says what is hidden.
func (s *Second) update(ctx context.Context) error {
	n := len(s.Values)
	if !(s.Values[n-1] < updatedFrom*s.Values[0]) || math.IsInf(s.Values[0], 0) {
		return nil
	}
	mean, square, err := Mean(ctx, s.x, s.span, 0)
	if err != nil || !(linalg.Dot(mean, mean) >= meanAlone*square) {
		return err
	}
	if n > updatedMost {
		s.Hidden = updatedFrom * s.Values[0]
		return nil
	}
	x, unit := block.Shift(s.x, mean), s.span
	if _, far := x.(block.Far); !far {
		if unit, err = Span(ctx, x); err != nil || unit == 0 {
			return err
		}
	}
	rest, cov, err := Covariance(ctx, x, nil, unit, 0)
	if err != nil {
		return err
	}
	values, rows, err := cov.eigen(ctx, true)
	if err != nil {
		return err
	}
	linalg.Axpy(1, rest, mean)
	v, along := make([]variable, n), make([]float64, n)
	for j := range v {
		along[j] = linalg.Dot(rows[j*n:(j+1)*n], mean)
		v[j] = variable{max(0, values[j]), along[j] * along[j]}
	}
	s.m, s.rows, s.zero = nil, make([]float64, n*n), NoEigenvalue*values[0]
	for i := range n {
		s.Values[i] = updated(v, i)
		row := s.rows[i*n : (i+1)*n]
		for j := range n { // (C - value)^-1 m
			if d := v[j].variance - s.Values[i]; d != 0 {
				linalg.Axpy(along[j]/d, rows[j*n:(j+1)*n], row)
			}
		}
		if norm := linalg.Norm2(row); norm > 0 && !math.IsInf(norm, 0) {
			linalg.Scale(1/norm, row)
		} else {
			copy(row, rows[i*n:(i+1)*n])
		}
	}
	return nil
}
