package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// Mixtures of random tables must not become worse with more starts, nor end where EM still rises.
const (
	stepDown    = .01 // of the log-likelihood, when starts are added
	plateau     = .5  // of the log-likelihood, which a tolerance of goesOn gains
	goesOn      = 1e-12
	ladderSeeds = 400
)

// ladder are the numbers of starts.
var ladder = []int{5, 10, 20, 40}

// aboutLadder describes the run.
func (b *bench) aboutLadder() []string {
	about := []string{
		"written by `go run ./bench ladder`",
		fmt.Sprintf("symmom: %s, kernels %s", runtime.Version(), linalg.Kernel()),
		fmt.Sprintf("%d random tables of 60 to 1,000 observations of 1 to 6 variables, 2 to 6 components", b.seeds),
	}
	if b.seeds < ladderSeeds {
		about = append(about, "**few tables: not a result**")
	}
	return about
}

// rungs are the results of a table.
type rungs struct {
	seed       uint64
	covariance string
	down       float64 // the most that the log-likelihood fell when starts were added, of mixtures that no rule set aside
	setAside   float64 // the same where starts of a higher one were set aside
	gain       float64 // by a lower tolerance
	open       float64 // by which the best of all is above the one with starts left open
	starts     int     // that this took
}

// climbLadder fits one table.
func (b *bench) climbLadder(seed uint64) (*rungs, error) {
	x, r, covariance := randomTable(seed, 2, 6)
	s := symmom.FromMatrix(x).WithContext(b.ctx)
	fit := func(o symmom.MixtureOptions) (*symmom.Mixture, error) {
		o.Covariance = covariance
		f := s.Mixture(r, o)
		if f.Err() != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, f.Err())
		}
		return f, nil
	}
	out := &rungs{seed: seed, covariance: covariance}
	open, err := fit(symmom.MixtureOptions{})
	if err != nil {
		return nil, err
	}
	longer, err := fit(symmom.MixtureOptions{Tolerance: goesOn, MaxIterations: 100_000})
	if err != nil {
		return nil, err
	}
	out.starts, out.gain = open.Starts, longer.LogLikelihood-open.LogLikelihood
	before := math.Inf(-1)
	for _, starts := range ladder {
		f, err := fit(symmom.MixtureOptions{Starts: starts})
		if err != nil {
			return nil, err
		}
		by := before - f.LogLikelihood
		if slices.ContainsFunc(f.Warnings, func(w symmom.Warning) bool { return w.Code == symmom.WarnSetAside }) {
			out.setAside = max(out.setAside, by)
		} else {
			out.down = max(out.down, by)
		}
		before = f.LogLikelihood
	}
	out.open = before - open.LogLikelihood
	return out, nil
}

// gmmLadder fits random tables with more and more starts.
func (b *bench) gmmLadder() (*section, error) {
	s := &section{title: "More starts, and a lower tolerance", header: []string{"covariance", "tables", "steps down", "the largest", "set aside", "the largest", "plateaus", "the largest", "starts left open: no round more", "far below"}}
	var all []*rungs
	for seed := range b.seeds {
		f, err := b.climbLadder(seed + 1)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	var list []string
	line := func(name string, of []*rungs) (down, flat int) {
		var largest, largestAside, gain float64
		aside, few, below := 0, 0, 0
		for _, f := range of {
			largest, largestAside, gain = max(largest, f.down), max(largestAside, f.setAside), max(gain, f.gain)
			if f.down > stepDown {
				down++
			}
			if f.setAside > stepDown {
				aside++
			}
			if f.gain > plateau {
				flat++
			}
			if f.starts <= 11 {
				few++
			}
			if f.open > plateau {
				below++
			}
		}
		s.row(name, fmt.Sprint(len(of)), fmt.Sprint(down), digits(largest), fmt.Sprint(aside), digits(largestAside), fmt.Sprint(flat), digits(gain), fmt.Sprint(few), fmt.Sprint(below))
		return down, flat
	}
	for _, covariance := range covariances {
		line(covariance, slices.DeleteFunc(slices.Clone(all), func(f *rungs) bool { return f.covariance != covariance }))
	}
	down, flat := line("all", all)
	for _, f := range all {
		if f.down > stepDown || f.gain > plateau {
			list = append(list, fmt.Sprintf("seed %d (%s): down %.3g, gain %.3g", f.seed, f.covariance, f.down, f.gain))
		}
	}
	s.note("%s starts of each kind; a step down: a log-likelihood lower by more than %g than with fewer starts; set aside: the same where the fit tells that starts of a higher likelihood gave way, as they do where it has no maximum, or where it is that of components of so few observations that others would have a lower one", strings.Trim(fmt.Sprint(ladder), "[]"), stepDown)
	s.note("plateaus: fits with all options left open to which a tolerance of %g adds more than %g; far below: those more than %g below the one with %d starts", goesOn, plateau, plateau, ladder[len(ladder)-1])
	for _, l := range list {
		s.note("%s", l)
	}
	s.judge(goal{"tables with a step down", "0", fmt.Sprint(down), down == 0})
	s.judge(goal{"tables with a plateau", "0", fmt.Sprint(flat), flat == 0})
	return s, nil
}
