package block

import (
	"context"
	"math"
	"math/rand/v2"
)

// Resampled holds the observations of a source with random numbers of repetitions,
// Poisson(1), as weights. This is the bootstrap, except that the total number
// varies too (Hanley & MacGibbon 2006). Only the weights of a block are stored, and
// every pass draws the same ones.
type Resampled struct {
	Source
	Seed, Draw uint64
	Again      uint64 // numbers other draws of that number

	nu    []float64
	Empty bool // the last pass had no observation
}

// Pass reads the source once, with the weights drawn.
func (s *Resampled) Pass(ctx context.Context, do func(Block)) bool {
	rng := rand.New(rand.NewPCG(s.Seed, s.Draw+s.Again<<32))
	s.Empty = true
	return s.Source.Pass(ctx, func(b Block) {
		if cap(s.nu) < b.Rows {
			s.nu = make([]float64, b.Rows)
		}
		nu := s.nu[:b.Rows]
		for l := range nu {
			nu[l] = poisson1(rng)
			if b.Nu != nil {
				nu[l] *= b.Nu[l]
			}
			s.Empty = s.Empty && nu[l] == 0
		}
		b.Nu = nu
		do(b)
	})
}

// poisson1 draws a number from the Poisson distribution of mean 1, by inversion.
func poisson1(rng *rand.Rand) float64 {
	u, k, p := rng.Float64(), 0., math.Exp(-1)
	for u >= p && k < 30 { // from 30 on, it is less than the spacing of float64 at 1
		u -= p
		k++
		p /= k
	}
	return k
}
