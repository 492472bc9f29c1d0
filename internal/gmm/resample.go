package gmm

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/obs"
)

// Resampled is the observations of a source with a number of repetitions drawn
// for each, Poisson(1), as weights: what the bootstrap draws, except for the number
// of all, which varies too (Hanley & MacGibbon 2006). Nothing is held but the
// weights of a block, and every pass draws the same again.
type Resampled struct {
	obs.Source
	Seed, Draw uint64

	nu []float64
}

// Pass reads the source once, with the weights drawn.
func (s *Resampled) Pass(ctx context.Context, do func(obs.Block)) bool {
	rng := rand.New(rand.NewPCG(s.Seed, s.Draw))
	return s.Source.Pass(ctx, func(b obs.Block) {
		if cap(s.nu) < b.Rows {
			s.nu = make([]float64, b.Rows)
		}
		nu := s.nu[:b.Rows]
		for l := range nu {
			nu[l] = poisson1(rng)
			if b.Nu != nil {
				nu[l] *= b.Nu[l]
			}
		}
		b.Nu = nu
		do(b)
	})
}

// poisson1 draws a number from the Poisson distribution of mean 1, by inversion.
func poisson1(rng *rand.Rand) float64 {
	u, k, p := rng.Float64(), 0., math.Exp(-1)
	for u >= p && k < 30 { // beyond it is less than the spacing of float64 at 1
		u -= p
		k++
		p /= k
	}
	return k
}
