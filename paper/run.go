package paper

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"symmom/datasets"
	"symmom/symmom"
)

// experiment is a table or figure of the paper.
type experiment struct {
	name  string
	item  string // its label in the paper
	title string
	jobs  func(Settings) []job
	show  func(*shown)
}

// experiments returns the experiments in the order of the paper.
func experiments() []experiment {
	return []experiment{
		{"cost", "Figure flops", "Storage and operations, explicit and implicit", nil, showCost},
		{"table1", "Table timing_compare", "Explicit and implicit form, uniform data", table1Jobs, showTable1},
		{"mixture", "Figure gmm-picture", "A Gaussian mixture, projected to the plane", pictureJobs, showPicture},
		{"init", "Figure init-compare", "Ways to draw a start", initJobs, showInit},
		{"gmm3", "Figure gmm3", "Gaussian mixtures, third moment", gmmJobs(3), showGMM(3)},
		{"gmm4", "Figure gmm4", "Gaussian mixtures, fourth moment", gmmJobs(4), showGMM(4)},
		{"recovery", "Figure gmm-solns", "Recovered means, ranks 3 to 7", recoveryJobs, showRecovery},
		{"table3", "Table stoch", "Standard and stochastic optimisation, p = 500,000", massiveJobs, showMassive},
		{"traces", "Figure stoch-traces", "Their traces", massiveJobs, showTraces},
	}
}

// Experiment describes one of the paper's tables and figures.
type Experiment struct {
	Name  string // the name that Run and the command take
	Item  string // its label in the paper
	Title string
}

// List returns the experiments in the order of the paper.
func List() []Experiment {
	var out []Experiment
	for _, e := range experiments() {
		out = append(out, Experiment{e.name, e.item, e.title})
	}
	return out
}

// job computes one cell. Its key names everything that the value depends on.
type job struct {
	key    string
	about  string  // for progress messages
	weight float64 // approximate number of operations
	run    func(*runner) (any, error)
}

// runner computes cells.
type runner struct {
	ctx      context.Context
	settings Settings
	store    *store
	inside   func(fraction float64) // of the cell being computed

	cpu float64 // seconds of the last decomposition

	data     *datasets.Mixture // the last one drawn
	dataFrom datasets.MixtureOptions
}

// Run runs the experiment with the given name. If ctx is cancelled, it stops within
// an evaluation; the result then holds the finished cells, and the error wraps
// symmom.ErrInterrupted.
func Run(ctx context.Context, name string, s Settings) (*Result, error) {
	results, err := RunAll(ctx, s, name)
	if len(results) == 0 {
		return nil, err
	}
	return results[0], err
}

// RunAll runs experiments by their names, or all of them if no names are given. See
// Run.
func RunAll(ctx context.Context, s Settings, names ...string) ([]*Result, error) {
	chosen, err := choose(names)
	if err != nil {
		return nil, err
	}
	if s, err = s.complete(); err != nil {
		return nil, err
	}
	store, err := openStore(s.State)
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, settings: s, store: store}
	computed := r.compute(chosen)
	if computed != nil && !errors.Is(computed, symmom.ErrInterrupted) {
		return nil, computed
	}
	if err := store.read(); err != nil { // cells that another process has finished
		return nil, err
	}
	var results []*Result
	for _, e := range chosen {
		results = append(results, e.result(s, store))
	}
	return results, computed
}

// choose returns experiments by their names.
func choose(names []string) ([]experiment, error) {
	all := experiments()
	if len(names) == 0 {
		return all, nil
	}
	var out []experiment
	for _, name := range names {
		found := false
		for _, e := range all {
			if e.name == name {
				out, found = append(out, e), true
			}
		}
		if !found {
			var known []string
			for _, e := range all {
				known = append(known, e.name)
			}
			return nil, &symmom.ArgumentError{Argument: "experiment", Value: name, Want: "one of " + strings.Join(known, ", ")}
		}
	}
	return out, nil
}

// suffix returns the end of every key.
func (s Settings) suffix(method string, starts int) string {
	return fmt.Sprintf(" method=%s starts=%d seed=%d on=%s", method, starts, s.Seed, machine())
}

// compute computes the missing cells.
func (r *runner) compute(chosen []experiment) error {
	type task struct {
		job
		experiment string
	}
	var tasks []task
	seen := map[string]bool{}
	total, left := 0, 0.
	for _, e := range chosen {
		if e.jobs == nil {
			continue
		}
		for _, j := range e.jobs(r.settings) {
			if seen[j.key] {
				continue // table3 and traces share theirs
			}
			seen[j.key] = true
			total++
			if !r.store.has(j.key) {
				tasks = append(tasks, task{j, e.name})
				left += j.weight
			}
		}
	}
	began, all, finished := time.Now(), left, 0.
	for i, t := range tasks {
		tell := func(inside float64) {
			if r.settings.Progress == nil {
				return
			}
			p := Progress{Experiment: t.experiment, Cell: t.about, Done: total - len(tasks) + i, Total: total,
				Fraction: (finished + inside*t.weight) / all, Elapsed: time.Since(began), Remaining: -1}
			if p.Fraction > 0 {
				p.Remaining = time.Duration(float64(p.Elapsed) * (1 - p.Fraction) / p.Fraction)
			}
			r.settings.Progress(p)
		}
		if err := r.store.read(); err != nil { // another process may have finished it
			return err
		}
		if r.store.has(t.key) {
			finished += t.weight
			continue
		}
		tell(0)
		r.inside = tell
		value, err := t.run(r)
		if r.ctx.Err() != nil {
			return fmt.Errorf("%w: %d of %d cells are finished", symmom.ErrInterrupted, total-len(tasks)+i, total)
		}
		if err != nil {
			return fmt.Errorf("%s, %s: %w", t.experiment, t.about, err)
		}
		if err := r.store.put(t.key, value); err != nil {
			return err
		}
		finished += t.weight
		tell(0)
	}
	return nil
}

// mixture draws a mixture, or returns the last one if it is the same. Drawing
// cannot be interrupted: it takes a few seconds, and continues while the run ends.
func (r *runner) mixture(o datasets.MixtureOptions) (*datasets.Mixture, error) {
	same := r.data != nil && r.dataFrom.N == o.N && r.dataFrom.Components == o.Components &&
		r.dataFrom.PerComponent == o.PerComponent && r.dataFrom.Sigma == o.Sigma && r.dataFrom.Seed == o.Seed
	if same {
		return r.data, nil
	}
	r.data = nil // free the memory for the next one
	drawn := make(chan *datasets.Mixture, 1)
	go func() { drawn <- datasets.GaussianMixture(o) }()
	select {
	case m := <-drawn:
		if err := m.Err(); err != nil {
			return nil, err
		}
		r.data, r.dataFrom = m, o
		return m, nil
	case <-r.ctx.Done():
		return nil, symmom.ErrInterrupted
	}
}

// progress implements Options.Progress: it reports the starts of a cell that have
// ended.
func (r *runner) progress(p symmom.Progress) {
	if !p.Done && p.Starts > 0 && !p.Polishing {
		r.inside(float64(p.StartsDone) / float64(p.Starts))
	}
}

// decompose computes ||X||^2 separately, then decomposes. The times are for the
// decomposition alone; r.cpu is the processor time that it took, which other work
// on the machine hardly affects.
func (r *runner) decompose(m *symmom.Moment, o symmom.Options, rank int) (*symmom.Fit, error) {
	o.Progress = r.progress
	m = m.With(o)
	if _, err := m.NormSquared(); err != nil {
		return nil, err
	}
	before := cpuSeconds()
	fit := m.Decompose(rank)
	r.cpu = cpuSeconds() - before
	return fit, fit.Err()
}
