package fit

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"symmom/internal/estimate/progress"
)

// Waiting for another computation of the same moment can be interrupted.
func TestWaitingInterrupted(t *testing.T) {
	for _, form := range []Form{Auto, Implicit, Explicit, Compressed} {
		c := planOf(t, normal(300, 6), 6, 3, 2, 2)
		c.m.Form = form
		if err := c.m.cache.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		c.o.Progress = func(progress.Report) { cancel() }
		if _, err := c.m.Decompose(ctx, 2, c.o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", form, err)
		}
		c.m.cache.leave()
		if _, err := c.m.Decompose(t.Context(), 2, c.o); err != nil {
			t.Errorf("%s: then %v", form, err)
		}
		cancel()
	}
}

// Nor does the end of a sampled fit wait, which knows nothing of the whole before.
func TestSampledInterruptedWhileOthersCompute(t *testing.T) {
	c := planOf(t, normal(30000, 6), 6, 3, 2, 2)
	c.m.Form, c.m.Samples = Sampled, 100
	if err := c.m.cache.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer c.m.cache.leave()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reports := 0
	c.o.Progress = func(progress.Report) {
		if reports++; reports > 3 {
			cancel()
		}
	}
	if f, err := c.m.Decompose(ctx, 2, c.o); !errors.Is(err, context.Canceled) || f.Model == nil {
		t.Errorf("%v, model %v", err, f.Model)
	}
}

// Fits of the same moment side by side are the bits of one alone, also where some of them
// are interrupted.
func TestSideBySide(t *testing.T) {
	v := normal(4000, 12)
	for _, form := range []Form{Auto, Implicit, Explicit, Compressed} {
		alone := planOf(t, v, 12, 3, 2, 1)
		alone.m.Form = form
		want, err := alone.m.Decompose(t.Context(), 2, alone.o)
		if err != nil {
			t.Fatal(err)
		}
		c := planOf(t, v, 12, 3, 2, 1)
		c.m.Form = form
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				o := *c.o
				if i%2 == 1 {
					reports := 0
					o.Progress = func(progress.Report) {
						if reports++; reports > i {
							cancel()
						}
					}
				}
				got, err := c.m.Decompose(ctx, 2, &o)
				switch {
				case i%2 == 1 && errors.Is(err, context.Canceled):
				case err != nil:
					t.Errorf("%s: %v", form, err)
				case !slices.Equal(got.Model.A, want.Model.A) || got.NormSquared != want.NormSquared:
					t.Errorf("%s: other bits", form)
				}
			})
		}
		group.Wait()
	}
}

// normal returns p x n normal numbers about 1.
func normal(p, n int) []float64 {
	rng := rand.New(rand.NewPCG(35, 1))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = 1 + rng.NormFloat64()
	}
	return v
}

// Whoever keeps the moment of a fit does not keep the tensor that was formed for it.
func TestAgainHoldsNothing(t *testing.T) {
	m := Moment{Order: 3, Form: Explicit, Upto: 5, cache: newCache()}
	m.cache.held = &held{}
	if a := m.Again(); a.cache == m.cache || a.cache.held != nil || a.Upto != 0 || a.Form != Explicit {
		t.Errorf("%+v", a)
	}
}
