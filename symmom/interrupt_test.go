package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// countdown is a context that ends when it has been asked for its error so many times.
type countdown struct {
	context.Context
	left atomic.Int64
	once sync.Once
	done chan struct{}
}

func newCountdown(t *testing.T, asked int64) *countdown {
	c := &countdown{Context: t.Context(), done: make(chan struct{})}
	c.left.Store(asked)
	t.Cleanup(c.end)
	return c
}

func (c *countdown) end()                  { c.once.Do(func() { close(c.done) }) }
func (c *countdown) Done() <-chan struct{} { return c.done }
func (c *countdown) Err() error {
	if c.left.Add(-1) >= 0 {
		return nil
	}
	c.end()
	return context.Canceled
}

// Wherever a run is interrupted, it says so, and either has no model or one whose f is
// true: in all forms, in memory and streamed, and where a basis misses something and
// another form takes over.
func TestInterruptAnywhere(t *testing.T) {
	const p, n = 600, 40
	skewed := drawn(3, p, n, func(rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 })
	for i := range p {
		for j := range 2 { // two directions that stand out, and others with as much skewness
			skewed.Set(i, j, 2*skewed.At(i, j))
		}
	}
	memory := FromMatrix(skewed)
	streamed := Stream(storedNPY(t, memory))
	const points = 40
	instead := 0
	for where, s := range map[string]*Session{"in memory": memory, "streamed": streamed} {
		for _, form := range []string{FormCompressed, FormImplicit, FormExplicit} {
			o := Options{Starts: 3, Threads: 2, MaxIterations: 15}
			run := func(ctx context.Context) *Fit { return s.WithContext(ctx).Moment(3).as(form).With(o).Decompose(5) }
			const many = 1 << 40
			all := newCountdown(t, many)
			whole := mustFit(t, run(all))
			if regexp.MustCompile("solved in the|found nothing better").MatchString(joined(whole.Warnings, " ")) {
				instead++
			}
			asked := many - all.left.Load()
			for k := range int64(points) {
				what := fmt.Sprintf("%s, %s, interrupted at %d of %d", where, form, k*asked/points, asked)
				f := run(newCountdown(t, k*asked/points))
				if f.Err() == nil {
					continue // threads ask more or less often
				}
				if !errors.Is(f.Err(), ErrInterrupted) {
					t.Fatalf("%s: %v", what, f.Err())
				}
				if f.Model.Rank() == 0 {
					continue
				}
				e := s.Moment(3).Evaluate(f.Model)
				if e.Err() != nil || f.Status != "interrupted" {
					t.Fatalf("%s: %v, status %q", what, e.Err(), f.Status)
				}
				if !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-12*e.NormSquared.Value) {
					t.Errorf("%s: evaluated f = %g, fit says %g", what, e.ObjectiveShifted, f.ObjectiveShifted)
				}
			}
		}
	}
	if instead == 0 {
		t.Error("no basis missed anything: the data test too little")
	}
}

// Wherever a separation is interrupted, it says so, and either has no sources or ones of
// variance 1 whose kurtoses are true.
func TestInterruptSeparation(t *testing.T) {
	const p, k, points, many = 30_000, 4, 40, 1 << 40
	s, _ := sources(p, 6, k, 3) // more than twice rowsEach and leastRows: starts on some, the polish on all
	run := func(ctx context.Context) *ICA { return s.WithContext(ctx).ICA(k, ICAOptions{Threads: 2}) }
	all := newCountdown(t, many)
	if c := run(all); c.Err() != nil || !c.Converged {
		t.Fatal(c)
	}
	asked, kept := many-all.left.Load(), 0
	for at := range int64(points) {
		c := run(newCountdown(t, at*asked/points))
		if c.Err() == nil {
			continue // threads ask more or less often
		}
		if !errors.Is(c.Err(), ErrInterrupted) || c.Converged || !strings.Contains(c.String(), "interrupted") {
			t.Fatalf("interrupted at %d of %d: %v, converged %v:\n%s", at, points, c.Err(), c.Converged, c)
		}
		if c.Components == 0 {
			continue
		}
		kept++
		z, err := c.Sources(s)
		if err != nil {
			t.Fatal(err)
		}
		for j := range k {
			_, second, fourth := momentsOf(z.Dense, j)
			// The rounding of p terms: 1e-16 times sqrt(p), and some more of the whitening.
			if !(math.Abs(second-1) <= 1e-10) || !(math.Abs(fourth-3-c.Kurtosis[j]) <= 1e-10*fourth) {
				t.Errorf("interrupted at %d of %d: source %d has variance %g and kurtosis %g, %g reported", at, points, j+1, second, fourth-3, c.Kurtosis[j])
			}
		}
	}
	if kept < points/4 {
		t.Errorf("%d of %d interrupted separations kept sources", kept, points)
	}
}

// A sampled run that is interrupted before ||X||^2 is known keeps its best model, which can
// be saved, and estimates it from few observations.
func TestInterruptedSampled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := FromMatrix(drawn(6, 9000, 8, threeT)).WithContext(ctx).Moment(3).Sampled(100).With(Options{Starts: 2, MaxIterations: 20, Progress: func(p Progress) {
		if p.Phase == PhaseNorm {
			cancel()
		}
	}}).Decompose(2)
	if !errors.Is(f.Err(), ErrInterrupted) || f.Model.Rank() != 2 {
		t.Fatalf("%v, rank %d", f.Err(), f.Model.Rank())
	}
	if err := f.Model.Save(filepath.Join(t.TempDir(), "m.json")); err != nil {
		t.Error(err)
	}
	// On a busy machine there is no time for ||X||^2 (fit.quickTime), which gives a warning.
	if warnings := joined(f.Warnings, " "); strings.Contains(warnings, "overflow") || math.IsNaN(f.RelativeError) != strings.Contains(warnings, "||X||^2 and the relative error are unknown") {
		t.Errorf("relative error %g, %s", f.RelativeError, warnings)
	}
}

// Whatever a decomposition that reports progress comes to, its last report says so, and no
// other: also where it ends before there is anything to show.
func TestLastProgress(t *testing.T) {
	s := FromMatrix(drawn(3, 300, 12, func(rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 }))
	nothing := 0
	for _, form := range []string{FormCompressed, FormImplicit, FormExplicit, FormSampled} {
		for asked := range int64(60) {
			var reports []Progress
			o := Options{Starts: 2, MaxIterations: 5, Progress: func(p Progress) { reports = append(reports, p) }}
			f := s.WithContext(newCountdown(t, asked)).Moment(3).as(form).With(o).Decompose(3)
			if len(reports) == 0 {
				continue
			}
			done := 0
			for _, p := range reports {
				if p.Done {
					done++
				}
			}
			last := reports[len(reports)-1]
			if done != 1 || !last.Done || f.Model.Rank() > 0 != (last.Objective == f.ObjectiveShifted) {
				t.Fatalf("%s, %d: %d of %d reports are the last, that is %+v; %v", form, asked, done, len(reports), last, f.Err())
			}
			if f.Model.Rank() == 0 {
				nothing++
			}
		}
	}
	if nothing == 0 {
		t.Error("all found something")
	}
}
