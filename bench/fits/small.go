package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// Of small tables a search costs so little that its best fit is worth many starts.
const (
	manyStarts = 200
	aboveMany  = .01  // the most that the relative error is above that of the best of them, of it
	exactSmall = 1e-9 // what rounding and the tolerance leave of a relative error
)

// smallKinds are those whose moments are no sum of a few terms.
var smallKinds = []kind{
	{name: "clusters", draw: clusters},
	{name: "normal", draw: independent((*rand.Rand).NormFloat64)},
	{name: "heavy tails", draw: tails},
	{name: "counts", draw: counts},
	{name: "exponential", draw: independent(func(rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 })},
	{name: "answers", draw: independent(func(rng *rand.Rand) float64 { return float64(rng.IntN(5) - 2) })},
	{name: "duplicates", draw: duplicates},
	{name: "ICA", draw: sources},
}

// independent draws each number by itself.
func independent(number func(*rand.Rand) float64) func(rng *rand.Rand, p, n int) *mat.Dense {
	return func(rng *rand.Rand, p, n int) *mat.Dense {
		return rows(p, n, func(v []float64) {
			for i := range v {
				v[i] = number(rng)
			}
		})
	}
}

// small is the result of a seed: the automatic search, and the best of many starts besides.
type small struct {
	seed        uint64
	kind        string
	d, p, n, r  int
	error, best float64 // relative
	starts      int
	seconds     float64
	warning     string // the first warning that a better fit may be there
}

func (s *small) missed() bool { return s.error > (1+aboveMany)*s.best+exactSmall }

func (s *small) String() string {
	return fmt.Sprintf("seed %d, %s, %d x %d, order %d, rank %d: relative error %.4g after %d starts in %.3g ms, %.4g among %d more; %s",
		s.seed, s.kind, s.p, s.n, s.d, s.r, s.error, s.starts, 1000*s.seconds, s.best, 2*manyStarts, s.warning)
}

// runSmall draws a table of at most 100 rows, and fits its moment.
func runSmall(ctx context.Context, seed uint64) (*small, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	k := smallKinds[seed%uint64(len(smallKinds))]
	s := &small{seed: seed, kind: k.name, p: int(logUniform(rng, 10, 100)), n: 2 + rng.IntN(6), d: 3 + rng.IntN(3), r: 2 + rng.IntN(3)}
	m := symmom.FromMatrix(k.draw(rng, s.p, s.n)).WithContext(ctx).Moment(s.d)
	began := time.Now()
	fit := m.Decompose(s.r)
	s.seconds = time.Since(began).Seconds()
	if err := fit.Err(); err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	s.error, s.best, s.starts, s.warning = fit.RelativeError, fit.RelativeError, len(fit.Starts), string(warning(fit, telling...))
	for i := range uint64(2) {
		many := m.With(symmom.Options{Starts: manyStarts, Seed: 1000 + i}).Decompose(s.r)
		if err := many.Err(); err != nil {
			return nil, fmt.Errorf("seed %d, %d starts: %w", seed, manyStarts, err)
		}
		s.best = min(s.best, many.RelativeError)
	}
	return s, nil
}

// writeSmall judges the searches of some seeds.
func writeSmall(ctx context.Context, first, last uint64, w io.Writer) error {
	var all []*small
	for seed := first; seed <= last; seed++ {
		s, err := runSmall(ctx, seed)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	fmt.Fprintf(w, `# Searches of small tables

%s-small%s, seeds %d to %d: tables of 10 to 100 observations of 2 to 7 variables, orders 3 to 5, ranks 2 to 4.
Each is fitted with its starts left open, and with %d starts of two other seeds. *Missed*: a relative
error more than %g above the best of these, of it; *silent*: without one of the warnings that a better
fit may be there or that the numbers mean little. *Starts* and *ms* are medians.

| data | tables | missed | silent | warned | starts | ms |
|---|--:|--:|--:|--:|--:|--:|
`, "`go run ./bench/fits ", "`", first, last, manyStarts, aboveMany)
	var list strings.Builder
	row := func(name string, of []*small) {
		if len(of) == 0 {
			return
		}
		missed, silent, warned := 0, 0, 0
		var starts, ms []float64
		for _, s := range of {
			starts, ms = append(starts, float64(s.starts)), append(ms, 1000*s.seconds)
			if s.warning != "" {
				warned++
			}
			if s.missed() {
				missed++
				if s.warning == "" {
					silent++
				}
			}
		}
		slices.Sort(starts)
		slices.Sort(ms)
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %g | %.3g |\n", name, len(of), missed, silent, warned, starts[len(of)/2], ms[len(of)/2])
	}
	for _, k := range smallKinds {
		var of []*small
		for _, s := range all {
			if s.kind == k.name {
				of = append(of, s)
				if s.missed() {
					fmt.Fprintf(&list, "- %s\n", s)
				}
			}
		}
		row(k.name, of)
	}
	row("all", all)
	if list.Len() > 0 {
		fmt.Fprintf(w, "\nMissed:\n\n%s", &list)
	}
	return nil
}
