package load

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"symmom/internal/data/formats"
	"symmom/internal/data/profile"
	"symmom/internal/math/linalg"
	"symmom/internal/store/interruptible"
)

// Standardize returns observations whose variables have (weighted) mean 0 and, unless they
// are only centered, variance 1, and where they were before. A constant column becomes 0,
// with a warning; standardizing is an error when all are constant. Cost: three passes and a
// second copy of the values. It returns ctx's error if cancelled.
func (s *Set) Standardize(ctx context.Context, onlyCenter bool) (*Set, *profile.Location, error) {
	const least = 32 // variables a goroutine: some lines of the cache in each row
	l, err := profile.Locate(s.N, func(do func(nu float64, row []float64, lo, hi int)) error {
		parts := max(1, min(runtime.GOMAXPROCS(0), s.N/least))
		var workers sync.WaitGroup
		for k := range parts {
			workers.Go(func() {
				var wide []float64
				watch := interruptible.Watch{Ctx: ctx}
				for i := 0; i < s.P && watch.Stopped(i*s.N) == nil; i++ {
					do(s.weight(i), s.Row(i, &wide), k*s.N/parts, (k+1)*s.N/parts)
				}
			})
		}
		workers.Wait()
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	move, err := l.Move(s.profiled(), s.Source, onlyCenter)
	if err != nil {
		return nil, nil, err
	}
	c, pr, err := s.moved(ctx, move)
	if err != nil {
		return nil, nil, err
	}
	if s.Weights != nil {
		l.Moved(pr, onlyCenter)
	}
	if !onlyCenter {
		pr.Constant = nil // l.Warnings covers it
		c.Warnings = l.Warnings(s.profiled())
	}
	c.Warnings = slices.Concat(pr.Warnings(c.profiled()), c.Warnings, c.Notes)
	return c, l, nil
}

// moved returns a copy of the observations, each of which move changed, and its profile.
// Several goroutines call move.
func (s *Set) moved(ctx context.Context, move func(row []float64)) (*Set, *profile.Profile, error) {
	c := *s
	c.Warnings = nil
	pr, err := c.fill(ctx, func(v []float64, row int) {
		if s.Values32 == nil {
			copy(v, s.Values[row*s.N:])
		} else {
			linalg.Widen(v, s.Values32[row*s.N:(row+1)*s.N])
		}
		move(v)
	})
	return &c, pr, err
}

// fill gives a copy of observations new values, each observation from one, and returns their
// profile. Several goroutines call one.
func (s *Set) fill(ctx context.Context, one func(v []float64, row int)) (*profile.Profile, error) {
	if s.Values32 != nil {
		s.Values, s.Values32 = nil, formats.Grow[float32](nil, s.P*s.N)[:s.P*s.N]
	} else {
		s.Values = formats.Grow[float64](nil, s.P*s.N)[:s.P*s.N]
	}
	return profile.Sweep(ctx, profile.Values{P: s.P, N: s.N, V: s.Values, V32: s.Values32, Fill: func(v []float64, v32 []float32, from int) error {
		row := from / s.N
		for ; len(v) > 0; row, v = row+1, v[s.N:] {
			one(v[:s.N], row)
		}
		wide := make([]float64, min(s.N, len(v32)))
		for ; len(v32) > 0; row, v32 = row+1, v32[s.N:] {
			one(wide, row)
			linalg.Narrow(v32[:s.N], wide)
		}
		return nil
	}})
}

// Mapped returns the observations, each of which move changed. Several goroutines call move.
// It returns ctx's error if cancelled.
func (s *Set) Mapped(ctx context.Context, move func(row []float64)) (*Set, error) {
	c, _, err := s.moved(ctx, move)
	return c, err
}

func (s *Set) weight(i int) float64 {
	if s.Weights == nil {
		return 1 / float64(s.P)
	}
	return s.Weights[i]
}
