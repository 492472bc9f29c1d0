package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"symmom/internal/math/linalg"
	"symmom/symmom"
)

const (
	zooSlack  = 1.5   // the automatic choice over the fastest of all
	zooSameF  = 1e-6  // its f above the best, relative to f
	zooExact  = 1e-12 // of ||X||^2: what rounding leaves of f
	zooTurns  = 2
	zooGiveUp = 2  // times the automatic choice's time: what takes longer is not the fastest
	zooRest   = .2 // seconds added to that
)

// contestant is a form and a solver.
type contestant struct {
	form, solver string
	moment       func(*symmom.Moment) *symmom.Moment
}

func zooContestants() []contestant {
	compressed := func(m *symmom.Moment) *symmom.Moment { return m.Compressed(0) }
	all := []contestant{{"automatic", "auto", (*symmom.Moment).Auto}}
	for _, solver := range []string{"gaussnewton", "lbfgs"} {
		all = append(all, contestant{"implicit", solver, (*symmom.Moment).Implicit},
			contestant{"explicit", solver, (*symmom.Moment).Explicit}, contestant{"compressed", solver, compressed})
	}
	return all
}

// zoo compares the automatic choice of form and solver with all others on data of many
// kinds, in memory and streamed.
func (b *bench) zoo(name string, open func(path string) *symmom.Session, ending string) (*section, error) {
	s := &section{title: "The automatic choice, " + name,
		header: []string{"data", "p", "n", "d", "r", "automatic s", "it took", "fastest s", "which", "ratio", "automatic with starts left open s", "f above the best", "", "others"}}
	for _, a := range b.animals() {
		path, err := a.file(b, ending)
		if err != nil {
			return nil, err
		}
		session := open(path)
		if err := session.Err(); err != nil {
			return nil, err
		}
		for _, d := range []int{3, 4} {
			if err := b.zooRow(s, session, a, d, name); err != nil {
				return nil, err
			}
		}
		runtime.GC()
	}
	s.note("The least of %d turns, all threads, seconds of Decompose without loading; %d starts. A run that took more than %d times the automatic one was ended (>). f above the best: ||X - M||^2 of the automatic choice with the starts left open, as people run it, above the lowest of all, relative.", zooTurns, starts, zooGiveUp)
	return s, nil
}

// entry is the result of a contestant.
type entry struct {
	contestant
	seconds float64
	f, norm float64 // shifted, and ||X||^2
	took    string
	ended   bool // for taking too long
	refused bool
}

func (b *bench) zooRow(s *section, session *symmom.Session, a animal, d int, where string) error {
	progress("  %s, %s, d=%d", where, a.name, d)
	entries := make([]entry, 0, 7)
	for _, c := range zooContestants() {
		entries = append(entries, entry{contestant: c, seconds: math.Inf(1), f: math.Inf(1)})
	}
	for range zooTurns {
		limit := time.Duration(math.MaxInt64)
		for i := range entries {
			e := &entries[i]
			if e.refused || e.ended {
				continue
			}
			if err := b.zooRun(session, e, d, a.rank, starts, limit); err != nil {
				return fmt.Errorf("%s, d=%d, %s %s: %w", a.name, d, e.form, e.solver, err)
			}
			if i == 0 {
				limit = time.Duration((zooGiveUp*e.seconds + zooRest) * float64(time.Second))
			}
		}
	}
	own, best := entries[0], entries[0]
	open := entry{contestant: own.contestant, seconds: math.Inf(1)}
	if err := b.zooRun(session, &open, d, a.rank, 0, math.MaxInt64); err != nil {
		return err
	}
	lowest := math.Min(own.f, open.f)
	var others []string
	for _, e := range entries[1:] {
		switch {
		case e.refused:
			others = append(others, fmt.Sprintf("%s %s -", e.form, e.solver))
			continue
		case e.ended:
			others = append(others, fmt.Sprintf("%s %s >", e.form, e.solver))
			continue
		}
		others = append(others, fmt.Sprintf("%s %s %s", e.form, e.solver, digits(e.seconds)))
		lowest = math.Min(lowest, e.f)
		if e.seconds < best.seconds {
			best = e
		}
	}
	above := (open.f - lowest) / (open.norm + lowest)
	if open.f-lowest <= zooExact*open.norm {
		above = 0
	}
	what := fmt.Sprintf("%s, %s, d=%d: automatic / fastest", where, a.name, d)
	g := s.judge(atMost(what, own.seconds/best.seconds, zooSlack, "%.2f"))
	low := s.judge(atMost(strings.Replace(what, "automatic / fastest", "f above the best", 1), above, zooSameF, "%.1e"))
	verdict := g.verdict()
	if !low.met {
		verdict = low.verdict()
	}
	p, n := session.Observations(), session.N()
	s.row(a.name, fmt.Sprint(p), fmt.Sprint(n), fmt.Sprint(d), fmt.Sprint(a.rank), digits(own.seconds), own.took, digits(best.seconds), best.form+" "+best.solver, g.got, digits(open.seconds), low.got, verdict, strings.Join(others, ", "))
	return nil
}

// zooRun runs a contestant once, and keeps its time if it is the least.
func (b *bench) zooRun(session *symmom.Session, e *entry, d, r, starts int, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	m := e.moment(session.WithContext(ctx).Moment(d).With(symmom.Options{Solver: string(e.solver), Starts: starts}))
	runtime.GC()
	var fit *symmom.Fit
	seconds, err := stopwatch(func() error {
		fit = m.Decompose(r)
		return fit.Err()
	})
	switch {
	case b.ctx.Err() != nil:
		return b.ctx.Err()
	case ctx.Err() != nil:
		e.ended = true
		return nil
	case err != nil && e.form != "automatic": // too large a tensor
		e.refused = true
		return nil
	case err != nil:
		return err
	}
	e.seconds = math.Min(e.seconds, seconds)
	e.f, e.norm, e.took = fit.ObjectiveShifted, fit.NormSquared.Value, string(fit.Form)
	return nil
}

func (b *bench) zooMemory() (*section, error) {
	return b.zoo("in memory", func(path string) *symmom.Session { return symmom.Load(path) }, ".npy")
}

func (b *bench) zooNPY() (*section, error) {
	return b.zoo("streamed NPY", func(path string) *symmom.Session { return symmom.Stream(path) }, ".npy")
}

func (b *bench) zooCSV() (*section, error) {
	return b.zoo("streamed CSV", func(path string) *symmom.Session { return symmom.Stream(path) }, ".csv")
}

// file returns the data as a file with an ending, made where it is missing.
func (a animal) file(b *bench, ending string) (string, error) {
	path := filepath.Join(b.dir, "zoo-"+strings.ReplaceAll(a.name, " ", "-")+ending)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	s := a.session()
	if err := s.Err(); err != nil {
		return "", err
	}
	return path, s.Save(path)
}

// aboutZoo describes when, on what and with what the run was made.
func (b *bench) aboutZoo() []string {
	about := []string{"written by `scripts/bench.sh zoo`", machine(), fmt.Sprintf("symmom: %s, kernels %s, all threads", runtime.Version(), linalg.Kernel())}
	if b.quick {
		about = append(about, "**a -quick run: a tenth of the observations; not a result**")
	}
	return about
}
