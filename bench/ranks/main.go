// Command ranks counts how often Moment.SuggestRank is right, unsure and wrong:
// on the paper's mixtures, on some that overlap, on factors and groups about their mean, and
// on data without components, where every rank is wrong.
//
//	go run ./bench/ranks                        ten seeds of each cell, into bench/RANKS.md; two hours on two busy cores
//	go run ./bench/ranks -seeds 40 -only '^small'  small tables, whose sections it replaces
//	go run ./bench/ranks -seeds 1 -order 3 -out -  a trial, to the terminal
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/internal/data/draw"
	"symmom/internal/store/atomicfile"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Parameters of the paper's mixtures (section numer-estim-rank).
const (
	variables    = 500
	perComponent = 250
	congruence   = .5
	most         = 12 // of SuggestRank
)

// cell is one kind of data, and its results.
type cell struct {
	name    string
	rank    int // true; 0: none
	small   bool
	draw    func(seed uint64) *symmom.Session
	right   int
	unsure  int
	wrong   []string // seed and rank
	seconds float64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ranks:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("ranks", flag.ContinueOnError)
	first := flags.Int("first", 1, "first seed")
	seeds := flags.Int("seeds", 10, "last seed")
	order := flags.Int("order", 0, "one order; 0: 3 and 4")
	only := flags.String("only", "", "cells whose name this regular expression finds")
	out := flags.String("out", filepath.Join("bench", "RANKS.md"), "file for the report; - is the terminal")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	found, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	orders := []int{3, 4}
	if *order > 0 {
		orders = []int{*order}
	}
	p := page{orders: orders, command: fmt.Sprintf("go run ./bench/ranks -seeds %d", *seeds)}
	if *only != "" {
		p.command += fmt.Sprintf(" -only '%s'", *only)
	}
	for range orders {
		p.tables = append(p.tables, slices.DeleteFunc(cells(), func(c *cell) bool { return !found.MatchString(c.name) }))
	}
	for seed := *first; seed <= *seeds; seed++ {
		for i, d := range orders {
			for _, c := range p.tables[i] {
				began := time.Now()
				s := c.draw(uint64(seed)).WithContext(ctx).Moment(d).SuggestRank(most)
				if err := s.Err(); err != nil {
					return fmt.Errorf("%s, order %d, seed %d: %w", c.name, d, seed, err)
				}
				c.count(s, seed)
				fmt.Fprintf(os.Stderr, "order %d, seed %d, %s: rank %d in %s; %s\n", d, seed, c.name, s.Rank, words.Duration(time.Since(began)), s.Conclusion)
				if *out == "-" {
					continue
				}
				// After each cell, so that hours of work are not lost.
				before, err := os.ReadFile(*out)
				if err != nil && !errors.Is(err, os.ErrNotExist) {
					return err
				}
				if err := atomicfile.WriteFunc(*out, func(w io.Writer) error { return p.write(w, string(before)) }); err != nil {
					return err
				}
			}
		}
	}
	if *out == "-" {
		return p.write(os.Stdout, "")
	}
	return nil
}

func (c *cell) count(s *symmom.RankSuggestion, seed int) {
	c.seconds += s.Elapsed.Seconds()
	switch {
	case s.Rank == 0:
		c.unsure++
	case s.Rank == c.rank:
		c.right++
	default:
		c.wrong = append(c.wrong, fmt.Sprintf("seed %d: %d", seed, s.Rank))
	}
}

// page is the report: a section for each order, and one for its small tables.
type page struct {
	orders  []int
	tables  [][]*cell // of each order
	command string
}

// introduction applies to all sections.
var introduction = fmt.Sprintf(`# Ranks that are suggested

`+"`Moment(d).SuggestRank`"+` with ranks up to %d. Where there are no components, every rank would be wrong, and
unsure is right. Mixtures are the paper's, of %d variables, %d observations a component and
means of cosine %g; data without components have 1,250 observations of independent variables
unless noted. Three factors are independent and skewed, each the cause of four variables, of 2,000
observations; of order 4 their moment has more components than theirs. Three groups are such a
mixture of 12 variables (sigma = 0.1), whose moment about the mean need not have components that
two halves agree on. Small tables have 500 observations of 3, 5, 8 or 10 variables without
components, some of them correlated.
`, most, variables, perComponent, congruence)

// title returns the heading of the section that a cell of an order is in.
func title(d int, small bool) string {
	if small {
		return fmt.Sprintf("Small tables, order %d", d)
	}
	return fmt.Sprintf("Order %d", d)
}

// write writes the sections of this run, and those of the report before it that it has nothing for.
func (p *page) write(w io.Writer, before string) error {
	const heading = "\n## "
	sections := map[string]string{}
	for _, text := range strings.Split(before, heading)[1:] {
		name, body, _ := strings.Cut(text, "\n")
		sections[name] = strings.TrimRight(body, "\n") + "\n"
	}
	for i, d := range p.orders {
		for _, small := range []bool{false, true} {
			if body := p.section(p.tables[i], small); body != "" {
				sections[title(d, small)] = body
			}
		}
	}
	var b strings.Builder
	b.WriteString(introduction)
	for _, small := range []bool{false, true} {
		for d := range symmom.MaxOrder + 1 {
			if body := sections[title(d, small)]; body != "" {
				b.WriteString(heading + title(d, small) + "\n" + body)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// section returns the cells that were seen, "" if there are none.
func (p *page) section(cells []*cell, small bool) string {
	var b strings.Builder
	tables, wrongs := 0, 0
	for _, c := range cells {
		seen := c.right + c.unsure + len(c.wrong)
		if c.small != small || seen == 0 {
			continue
		}
		tables, wrongs = tables+seen, wrongs+len(c.wrong)
		wrong, right := "0", fmt.Sprint(c.right)
		if len(c.wrong) > 0 {
			wrong = fmt.Sprintf("%d (%s)", len(c.wrong), strings.Join(c.wrong, ", "))
		}
		if c.rank == 0 {
			right = "-"
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %d | %s | %.1f |\n", c.name, seen, right, c.unsure, wrong, c.seconds/float64(seen))
	}
	if tables == 0 {
		return ""
	}
	return fmt.Sprintf("\nBy `%s`: %d tables, %d wrong.\n\n| data | tables | right | unsure | wrong | seconds each |\n|---|---|---|---|---|---|\n%s", p.command, tables, wrongs, &b)
}

// cells returns all kinds of data.
func cells() []*cell {
	var out []*cell
	for _, r := range []int{3, 5, 10} {
		for _, sigma := range []float64{1e-3, 1e-2, 1e-1, .5, 1} {
			g := datasets.MixtureOptions{N: variables, Components: r, PerComponent: perComponent, Sigma: sigma, Congruence: congruence}
			out = append(out, &cell{name: fmt.Sprintf("r = %d, sigma = %g", r, sigma), rank: r, draw: func(seed uint64) *symmom.Session {
				g.Seed = seed
				return datasets.GaussianMixture(g).Session
			}})
		}
	}
	for _, n := range []int{10, 100, variables} {
		for _, kind := range []string{"normal", "uniform", "exponential", "t3", "multivariate t3", "five normal directions", "permuted mixture"} {
			out = append(out, &cell{name: fmt.Sprintf("%s, %d variables", kind, n), draw: func(seed uint64) *symmom.Session {
				return noiseOf(kind, n, 1250, seed)
			}})
		}
	}
	for _, kind := range draw.NoiseKinds {
		out = append(out, &cell{name: "small, " + kind, small: true, draw: func(seed uint64) *symmom.Session {
			return noiseOf(kind, []int{3, 5, 8, 10}[seed%4], 500, seed)
		}})
	}
	for _, frame := range []string{"centered", "standardized"} {
		out = append(out, &cell{name: "factors, " + frame, rank: 3, draw: func(seed uint64) *symmom.Session {
			return about(frame, factors(seed))
		}}, &cell{name: "groups, " + frame, rank: 3, draw: func(seed uint64) *symmom.Session {
			return about(frame, datasets.GaussianMixture(datasets.MixtureOptions{N: 12, Components: 3, PerComponent: perComponent, Sigma: .1, Congruence: congruence, Seed: seed}).Session)
		}})
	}
	return out
}

// about returns a session about its mean.
func about(frame string, s *symmom.Session) *symmom.Session {
	if frame == "centered" {
		return s.Center()
	}
	return s.Standardize()
}

// factors draws 2,000 observations of three independent exponential factors, each the cause of
// four variables, which have normal noise of a standard deviation of .4 besides.
func factors(seed uint64) *symmom.Session {
	const variables, observations = 12, 2000
	rng := rand.New(rand.NewPCG(seed, 34))
	rows := make([][]float64, observations)
	for l := range rows {
		f := [3]float64{rng.ExpFloat64(), rng.ExpFloat64(), rng.ExpFloat64()}
		for i := range variables {
			rows[l] = append(rows[l], f[i%len(f)]+.4*rng.NormFloat64())
		}
	}
	return symmom.FromRows(rows)
}

// noiseOf draws observations without components; the permuted mixture has five before
// permutation, or one for each variable if they are fewer.
func noiseOf(kind string, n, p int, seed uint64) *symmom.Session {
	var mixture mat.Matrix
	if kind == "permuted mixture" {
		mixture = datasets.GaussianMixture(datasets.MixtureOptions{N: n, Components: min(5, n), Observations: p, Sigma: .1, Congruence: congruence, Seed: seed}).Session.Matrix()
	}
	return symmom.FromRows(draw.Noise(kind, n, p, seed, mixture))
}
