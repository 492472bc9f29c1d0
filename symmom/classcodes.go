package symmom

import (
	"math"

	"symmom/internal/data/profile"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// codeRows is how many observations are looked at for the codes of groups.
const codeRows = 2000

// classCodes warns of a variable that may be the codes of known groups.
func (s *Session) classCodes() []diag.Warning {
	if s.data.Labels != nil || s.data.N < 2 || s.data.Slow() || s.coordinates == "whitened" {
		return nil
	}
	x, _, err := s.data.Some(s.context(), codeRows, DefaultSeed)
	if err != nil {
		return nil // and so will the fit be
	}
	return profile.ClassCodes(s.Columns(), x.N, func(i int) []float64 { return s.loaded(x, i) })
}

// loaded returns the values of variable i as they were loaded, with whole numbers as such.
func (s *Session) loaded(x *block.Dense, i int) []float64 {
	out := make([]float64, x.P)
	for l := range out {
		v := x.V[l*x.N+i]
		if s.move.Scale != nil {
			v *= s.move.Scale[i]
		}
		if s.move.Center != nil {
			v += s.move.Center[i]
		}
		if w := math.Round(v); s.move.Center != nil && math.Abs(v-w) <= 1e-9*max(1, math.Abs(w)) {
			v = w
		}
		out[l] = v
	}
	return out
}
