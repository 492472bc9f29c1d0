package main

import (
	"fmt"
	"math"
	"path/filepath"

	"symmom/symmom"
)

// Mixtures of random tables beside many starts of GaussianMixture.
const (
	searchTables = 390
	searchStarts = 50
	farBelow     = .5 // of the log-likelihood
	mayBelow     = 12
)

// startedFits are those of single starts of GaussianMixture, and the processor seconds of ten.
type startedFits struct {
	Starts    []startedFit
	Processor float64
}

// startedFit is where a start ended.
type startedFit struct {
	LogLikelihood float64
	Members       float64 // observations of the least component for each of its parameters
	Least         float64 // variance of a component, of the observations' in that direction
}

// regular reports whether the likelihood has a maximum there, as far as these tell.
func (f startedFit) regular() bool { return f.Members >= 1 && f.Least >= 1e-3 }

// searchedFit is ours, by the total log-likelihood.
type searchedFit struct {
	LogLikelihood, Processor float64
	Hits, Starts             int
}

// gmmSearch fits random tables.
func (b *bench) gmmSearch() (*section, error) {
	s := &section{title: "The search, beside fifty starts", header: []string{"covariance", "tables", "below", "the largest", "above", "the largest", "seconds over those of ten starts, median"}}
	tables := uint64(searchTables)
	if b.quick {
		tables = uint64(len(randomKinds) * len(covariances))
	}
	s.note("%d random tables of 60 to 1,000 observations of 1 to 6 variables, of %d kinds (clusters, none, heavy tails, counts, answers and others), 1 to 8 components, each fitted with all options left open; beside it the best of %d starts of GaussianMixture (tol=1e-6, max_iter=1000) that end without a component of fewer observations than it has parameters, or with a variance below a thousandth of the observations' in that direction; below and above: log-likelihoods that differ by more than %g", tables, len(randomKinds), searchStarts, farBelow)
	s.note("seconds of the processor, beside ten starts of GaussianMixture with all else as it is by default")
	type row struct {
		tables, below, above int
		least, most          float64
		ratios               sample
	}
	rows := make([]row, len(covariances)+1)
	for seed := uint64(1); seed <= tables; seed++ {
		x, r, covariance := randomTable(seed, 1, 8)
		path := filepath.Join(b.dir, "random.npy")
		theirs, err := kept(b, fmt.Sprintf("random %d", seed), func() (f startedFits, err error) {
			if err = symmom.SaveMatrix(path, x); err == nil {
				err = b.peer.ask(request{"do": "load", "path": path}, nil)
			}
			if err == nil {
				err = b.peer.ask(request{"do": "starts", "r": r, "covariance": covariance, "inits": searchStarts}, &f)
			}
			return f, err
		})
		if err != nil {
			return nil, fmt.Errorf("random table %d: %w", seed, err)
		}
		ours, err := kept(b, fmt.Sprintf("random %d, ours", seed), func() (searchedFit, error) {
			took, f, err := ourGaussian(symmom.FromMatrix(x).WithContext(b.ctx), r, symmom.MixtureOptions{Covariance: covariance})
			return searchedFit{f.LogLikelihood, took.Processor, f.AtBest, f.Starts}, err
		})
		if err != nil {
			return nil, fmt.Errorf("random table %d: %w", seed, err)
		}
		best := math.Inf(-1)
		for _, f := range theirs.Starts {
			if f.regular() {
				best = max(best, f.LogLikelihood)
			}
		}
		by := ours.LogLikelihood - best
		progress("random table %d, %s, %d components: %.3f, %.3f above, %d of %d starts, %.0f ms (%.0f)", seed, covariance, r, ours.LogLikelihood, by, ours.Hits, ours.Starts, 1e3*ours.Processor, 1e3*theirs.Processor)
		for i := range rows {
			if w := &rows[i]; i == len(covariances) || covariances[i] == covariance {
				w.tables++
				w.ratios = append(w.ratios, ours.Processor/theirs.Processor)
				switch {
				case by < -farBelow:
					w.below++
					w.least = max(w.least, -by)
				case by > farBelow && !math.IsInf(by, 0):
					w.above++
					w.most = max(w.most, by)
				}
			}
		}
	}
	for i, w := range rows {
		name := "all"
		if i < len(covariances) {
			name = covariances[i]
		}
		s.row(name, fmt.Sprint(w.tables), fmt.Sprint(w.below), digits(w.least), fmt.Sprint(w.above), digits(w.most), fmt.Sprintf("%.2f", w.ratios.median()))
	}
	all := rows[len(covariances)]
	s.judge(atMost(fmt.Sprintf("random tables: of %d, below the best of %d starts by more than %g", tables, searchStarts, farBelow), float64(all.below), mayBelow, "%.0f"))
	s.judge(atMost("random tables: seconds of the processor over ten starts', median", all.ratios.median(), 1, "%.3f"))
	return s, nil
}
