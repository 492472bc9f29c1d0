package frame

import (
	"math"
	"slices"

	"symmom/internal/math/linalg"
)

// Move is a transformation of the variables of loaded observations: of v
// (v - Center - Rest) / Scale. It is never changed.
type Move struct {
	Center []float64 // n; nil: not known, or 0
	Rest   []float64 // what rounding leaves of Center, which may be far from the origin; nil: not known
	Scale  []float64 // n; nil: 1

	// Deviations are those of the observations that were moved so, as they were loaded; nil: not
	// known.
	Deviations []float64
}

// Then is the move with another after it: a mean is subtracted, which is rounded and leaves a
// rest, or nil, and unless the observations are only centered they are divided by deviations.
func (m Move) Then(mean, left, deviations []float64, onlyCenter bool) Move {
	n := len(mean)
	of := Move{Center: make([]float64, n), Rest: make([]float64, n), Scale: slices.Clone(m.Scale), Deviations: make([]float64, n)}
	for j := range n {
		s, c, rest := 1., 0., 0.
		if m.Scale != nil {
			s = m.Scale[j]
		}
		if m.Center != nil {
			c = m.Center[j]
		}
		if m.Rest != nil {
			rest = m.Rest[j]
		}
		if left != nil {
			rest += s * left[j]
		}
		large, small := c, s*mean[j]
		if math.Abs(large) < math.Abs(small) {
			large, small = small, large
		}
		of.Center[j], of.Deviations[j] = large+small, s*deviations[j]
		of.Rest[j] = rest + (small - (of.Center[j] - large))
	}
	if !onlyCenter {
		of.Scale = of.Deviations
	}
	return of
}

// Of moves an observation.
func (m Move) Of(row []float64) {
	for _, by := range [][]float64{m.Center, m.Rest} {
		if by != nil {
			linalg.Axpy(-1, by, row)
		}
	}
	for j, s := range m.Scale {
		row[j] /= s
	}
}

// Kept is the rest, or nil if it is nothing beside the deviations.
func (m Move) Kept() []float64 {
	for j, rest := range m.Rest {
		if m.Deviations == nil || math.Abs(rest) > 1e-12*m.Deviations[j] {
			return m.Rest
		}
	}
	return nil
}

// Picked is the move of the variables in some places.
func (m Move) Picked(places []int) Move {
	return Move{linalg.Picked(m.Center, places), linalg.Picked(m.Rest, places), linalg.Picked(m.Scale, places), linalg.Picked(m.Deviations, places)}
}

// Loaded returns a mean of variables that were moved in the units that they were loaded in.
func (m Move) Loaded(mean []float64) []float64 {
	mean = slices.Clone(mean)
	for j := range mean {
		if m.Scale != nil {
			mean[j] *= m.Scale[j]
		}
		if m.Center != nil {
			mean[j] += m.Center[j]
		}
	}
	return mean
}

// same reports whether two moves are the same up to rounding, in units of the deviations if
// these are known; by what float32 adds to it, too, where that is little beside them. What is
// not known is the same.
func (m Move) same(as Move) bool {
	if m.Center == nil || as.Center == nil {
		return true
	}
	const rounding = 1e-6
	scaled, units := m.Scale != nil && as.Scale != nil, m.Scale
	for _, known := range [][]float64{as.Scale, as.Deviations, m.Deviations} {
		if known != nil && !scaled {
			units = known
		}
	}
	if units == nil {
		return near(m.Center, as.Center)
	}
	for j, unit := range units {
		far := math.Abs(m.Center[j])
		d := math.Abs(m.Center[j] - as.Center[j])
		if !(d <= max(rounding*unit, 0x1p-50*far, min(rounding*far, 1e-3*unit)) && (!scaled || math.Abs(unit-as.Scale[j]) <= rounding*unit)) {
			return false
		}
	}
	return true
}
