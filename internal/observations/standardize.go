package observations

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"symmom/internal/linalg"
	"symmom/internal/profile"
	"symmom/internal/sweep"
)

// Standardize returns observations whose variables have (weighted) mean 0 and, unless they
// are only centered, variance 1, and where they were before. A constant column becomes 0,
// with a warning; standardizing is an error when all are constant. Cost: three passes and a
// second copy of the values.
func (s *Set) Standardize(onlyCenter bool) (*Set, *profile.Location, error) {
	const least = 32 // variables a goroutine: some lines of the cache in each row
	l, _ := profile.Locate(s.N, func(do func(nu float64, row []float64, lo, hi int)) error {
		parts := max(1, min(runtime.GOMAXPROCS(0), s.N/least))
		var workers sync.WaitGroup
		for k := range parts {
			workers.Go(func() {
				var wide []float64
				for i := range s.P {
					do(s.weight(i), s.Row(i, &wide), k*s.N/parts, (k+1)*s.N/parts)
				}
			})
		}
		workers.Wait()
		return nil
	})
	move, err := l.Move(s.profiled(), s.Source, onlyCenter)
	if err != nil {
		return nil, nil, err
	}
	c, pr := s.moved(move)
	if s.Weights != nil {
		l.Moved(pr, onlyCenter)
	}
	if !onlyCenter {
		pr.Constant = nil // said in other words
		c.Warnings = l.Warnings(s.profiled())
	}
	c.Warnings = slices.Concat(pr.Warnings(c.profiled()), c.Warnings, c.Notes)
	return c, l, nil
}

// moved returns a copy of the observations, each of which move changed, and its profile.
// Several goroutines call move.
func (s *Set) moved(move func(row []float64)) (*Set, *profile.Profile) {
	c := *s
	c.Warnings = nil
	c.Values = linalg.GrowLarge[float64](nil, len(s.Values))[:len(s.Values)]
	c.Values32 = linalg.GrowLarge[float32](nil, len(s.Values32))[:len(s.Values32)]
	pr, _ := sweep.Of(context.Background(), sweep.Table{P: c.P, N: c.N, V: c.Values, V32: c.Values32, Fill: func(v []float64, v32 []float32, from int) error {
		if v32 == nil {
			copy(v, s.Values[from:])
			for row := range slices.Chunk(v, c.N) {
				move(row)
			}
			return nil
		}
		wide := make([]float64, c.N)
		for row := range slices.Chunk(v32, c.N) {
			linalg.Widen(wide, s.Values32[from:from+c.N])
			move(wide)
			linalg.Narrow(row, wide)
			from += c.N
		}
		return nil
	}})
	return &c, pr
}

// Mapped returns the observations, each of which move changed. Several goroutines call move.
func (s *Set) Mapped(move func(row []float64)) *Set {
	c, _ := s.moved(move)
	return c
}

func (s *Set) weight(i int) float64 {
	if s.Weights == nil {
		return 1 / float64(s.P)
	}
	return s.Weights[i]
}
