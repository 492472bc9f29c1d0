package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// The pace of the automatic choice, beside that of every form and solver.
const (
	paceStarts = 10
	paceTurns  = 3
	paceSlack  = 1.5   // the most that it may take, times the fastest
	paceGiveUp = 2.    // times the automatic choice: what takes longer is not the fastest
	paceRest   = .1    // seconds added to that
	paceLeast  = .01   // seconds: what takes less is not judged
	paceSame   = 1e-6  // the most that f of what counts is above that of the automatic choice, relative to it
	paceExact  = 1e-12 // of ||X||^2: what rounding leaves of f
)

// racer is a way to make a fit, and the least time that it took.
type racer struct {
	name    string
	moment  func(*symmom.Moment) *symmom.Moment
	solver  string
	seconds float64 // infinite if it was refused or took too long
	f       float64 // ||X - M||^2 relative to ||X||^2
	form    string
	out     bool
}

// race is the result of a seed. The automatic choice comes first.
type race struct {
	q       *question
	all     []racer
	refused string
}

// ratio returns the time of the automatic choice over that of the fastest.
func (r *race) ratio() float64 {
	if r.refused != "" {
		return 0
	}
	return r.all[0].seconds / r.fastest().seconds
}

// fastest returns the fastest of those that reach as good a fit.
func (r *race) fastest() racer {
	best := r.all[0]
	for _, o := range r.all[1:] {
		if o.seconds < best.seconds && o.above(r.all[0]) <= paceSame {
			best = o
		}
	}
	return best
}

// above returns by how much f is above that of another, relative to it.
func (r racer) above(o racer) float64 {
	if r.f-o.f <= paceExact {
		return 0
	}
	return (r.f - o.f) / o.f
}

// slow reports whether the automatic choice took too long.
func (r *race) slow() bool { return r.ratio() > paceSlack && r.all[0].seconds > paceLeast }

// runRace times the fits that a seed asks for, in turns, on all threads.
func runRace(ctx context.Context, seed uint64) (*race, error) {
	r := &race{q: ask(seed)}
	dir, err := os.MkdirTemp("", "symmom-pace-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path, err := r.q.write(dir)
	if err != nil {
		return nil, err
	}
	s := r.q.open(path)
	r.q.x = nil // its memory is not needed
	r.all = []racer{{name: "automatic", moment: (*symmom.Moment).Auto, solver: symmom.SolverAuto}}
	for _, solver := range []string{symmom.SolverGaussNewton, symmom.SolverLBFGS} {
		r.all = append(r.all, racer{name: "implicit " + string(solver), moment: (*symmom.Moment).Implicit, solver: solver},
			racer{name: "explicit " + string(solver), moment: (*symmom.Moment).Explicit, solver: solver},
			racer{name: "compressed " + string(solver), moment: func(m *symmom.Moment) *symmom.Moment { return m.Compressed(0) }, solver: solver})
	}
	for i := range r.all {
		r.all[i].seconds = math.Inf(1)
	}
	for range paceTurns {
		limit := time.Duration(math.MaxInt64)
		for i := range r.all {
			if err := r.all[i].run(ctx, s, r.q, limit); err != nil {
				r.refused = err.Error()
				return r, ctx.Err()
			}
			limit = time.Duration((paceGiveUp*r.all[0].seconds + paceRest) * float64(time.Second))
		}
	}
	return r, nil
}

// run makes the fit once. Its error is that of the automatic choice.
func (r *racer) run(ctx context.Context, s *symmom.Session, q *question, limit time.Duration) error {
	if r.out {
		return nil
	}
	ended, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m := r.moment(s.WithContext(ended).Moment(q.d).With(symmom.Options{Solver: r.solver, Starts: paceStarts}))
	runtime.GC()
	began := time.Now()
	fit := m.Decompose(q.r)
	seconds := time.Since(began).Seconds()
	if r.out = ended.Err() != nil || fit.Err() != nil; r.out {
		r.seconds = math.Inf(1)
		if r.name == "automatic" {
			return fit.Err()
		}
		return nil
	}
	r.seconds, r.form, r.f = min(r.seconds, seconds), fit.Form, 1+fit.ObjectiveShifted/fit.NormSquared.Value
	return nil
}

// races times seeds from first to last.
func races(ctx context.Context, first, last uint64, only string) ([]*race, error) {
	var all []*race
	for seed := first; seed <= last; seed++ {
		if only != "" && kinds[seed%uint64(len(kinds))].name != only {
			continue
		}
		r, err := runRace(ctx, seed)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "seed %d: %s; %.2f\n", seed, r.q, r.ratio())
		all = append(all, r)
	}
	return all, nil
}

// writeRaces writes those in which the automatic choice was slow, the slowest first.
func writeRaces(w io.Writer, all []*race) error {
	run, judged, slow := 0, 0, 0
	for _, r := range all {
		if r.refused == "" {
			run++
			if r.all[0].seconds > paceLeast {
				judged++
			}
			if r.slow() {
				slow++
			}
		}
	}
	_, err := fmt.Fprintf(w, `# The automatic choice on random tables

Written by `+"`scripts/bench.sh pace`"+`: the tables and fits of FITS.md, on all threads, beside every form
and solver. %s, %s, kernels %s, %d processors.

%d fits of %d starts, of which %d took more than %g s; in %d of these the automatic choice took
more than %g times the fastest. Seconds of Decompose, the least of %d turns; what took more than
%g times the automatic choice was ended. Those count whose f is at most %g of it above that of
the automatic choice (in parentheses).

| seed | what | automatic s | it took | fastest s | which | ratio | others |
|---|---|---|---|---|---|---|---|
`, time.Now().Format(time.DateOnly), runtime.Version(), linalg.Kernel(), runtime.NumCPU(), run, paceStarts, judged, paceLeast, slow, paceSlack, paceTurns, paceGiveUp, paceSame)
	slices.SortStableFunc(all, func(a, b *race) int { return cmp.Compare(b.ratio(), a.ratio()) })
	for _, r := range all {
		if !r.slow() {
			continue
		}
		best := r.fastest()
		var others []string
		for _, o := range r.all[1:] {
			if !math.IsInf(o.seconds, 1) {
				others = append(others, fmt.Sprintf("%s %.3g (%.1e)", o.name, o.seconds, o.above(r.all[0])))
			}
		}
		if _, e := fmt.Fprintf(w, "| %d | %s | %.3g | %s | %.3g | %s | **%.2f** | %s |\n", r.q.seed, r.q, r.all[0].seconds, r.all[0].form, best.seconds, best.name, r.ratio(), strings.Join(others, ", ")); err == nil {
			err = e
		}
	}
	return err
}
