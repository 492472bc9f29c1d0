package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"symmom/internal/math/linalg"
)

// page is the report of some seeds.
type page struct {
	only    string
	records []record
}

func (p *page) add(r record) { p.records = append(p.records, r) }

// record holds the part of a verdict that the page shows.
type record struct {
	Seed                    uint64
	Kind, Storage, Question string
	Refused                 string
	Faults                  map[string]string
	Warned                  float64
	Gain                    float64
	Gainer                  string
	Estimate, Doubtful      bool
	Seconds                 float64
}

func (v *verdict) record(took time.Duration) record {
	return record{Seed: v.q.seed, Kind: v.q.kind.name, Storage: v.q.storage, Question: v.q.String(), Refused: v.refused, Faults: v.faults,
		Warned: v.warned, Gain: v.gain, Gainer: v.gainer, Estimate: v.estimate, Doubtful: v.norm.Doubtful, Seconds: took.Seconds()}
}

// keep writes the records, one a line, and read reads them.
func (p *page) keep(w io.Writer) error {
	e := json.NewEncoder(w)
	for _, r := range p.records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func (p *page) read(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var r record
		if err := d.Decode(&r); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		p.add(r)
	}
	return nil
}

// outcome summarizes the verdict on a seed.
func (v *verdict) outcome() string {
	var failed []string
	for _, c := range checks {
		if v.faults[c] != "" {
			failed = append(failed, c)
		}
	}
	switch {
	case failed != nil:
		return "FAILED " + strings.Join(failed, ", ")
	case v.refused != "":
		return "refused"
	case v.warned > 0:
		return "passed, warned of a better fit"
	}
	return "passed"
}

// print writes all figures of a seed.
func (v *verdict) print(w io.Writer) {
	fmt.Fprintf(w, "seed %d: %s: %s\n", v.q.seed, v.q, v.outcome())
	if v.refused != "" {
		fmt.Fprintf(w, "refused: %s\n", v.refused)
	}
	for _, j := range v.fits {
		fmt.Fprintf(w, "\n%s, f by the judge %.15g, absolute terms %.6g (in units of the longest observation)\n%s\n", j.name, j.f, j.gross, j.fit)
	}
	fmt.Fprintf(w, "\nlargest gain from a restart %.3g of the residual\n", v.gain)
	for _, c := range checks {
		if v.faults[c] != "" {
			fmt.Fprintf(w, "FAILED %s: %s\n", c, v.faults[c])
		}
	}
}

// seeds says which seeds there are, in runs without a gap.
func (p *page) seeds() string {
	var runs []string
	for i := 0; i < len(p.records); {
		first, last := p.records[i].Seed, p.records[i].Seed
		for i++; i < len(p.records) && p.records[i].Seed == last+1; i++ {
			last++
		}
		if first == last {
			runs = append(runs, fmt.Sprint(first))
		} else {
			runs = append(runs, fmt.Sprintf("%d to %d", first, last))
		}
	}
	return strings.Join(runs, ", ")
}

// cell counts the seeds of a kind and a storage.
type cell struct {
	runs, refused, warned int
	failed                map[string]int
}

// write writes the page.
func (p *page) write(w io.Writer) error {
	slices.SortFunc(p.records, func(a, b record) int { return cmp.Compare(a.Seed, b.Seed) })
	var b strings.Builder
	seconds := 0.
	for _, v := range p.records {
		seconds += v.Seconds
	}
	only := ""
	if p.only != "" {
		only = fmt.Sprintf(" -only '%s'", p.only)
	}
	fmt.Fprintf(&b, "# Fits of random tables\n\n`go run ./bench/fits%s`, seeds %s: %s, %s, kernels %s, %s for %d seeds.\n\n", only, p.seeds(), time.Now().Format(time.DateOnly), runtime.Version(), linalg.Kernel(), time.Duration(seconds*1e9).Round(time.Second), len(p.records))
	fmt.Fprintf(&b, `Each seed is a random table, written to a file and read back, and a fit of its moment in
the automatic form with its starts left open. It is compared with fits in the implicit form
with %d starts of both solvers (up to %d iterations, of L-BFGS fewer for large tables), and checked by loops of its own:

- best: no other fit has an f lower by more than %g of it, unless the automatic one
  carries one of the warnings %s ("warned" counts these);
- f: f of all three fits by its definition, to %g of the sum of the absolute terms;
- norm: ||X||^2 from all pairs of observations where there are at most %s; estimates within
  %d standard errors unless they are doubtful;
- relative: the relative error from the two;
- bits: the same bits with one thread and, from the file again, with three;
- evaluate: Moment.Evaluate of the model agrees;
- restart: a fit that says "converged" gains at most %g of its residual from one more step,
  and %g from up to %d from its own model with a tolerance of 1e-9;
- sane: no panic, no number that is not finite, no refusal without need, the session's numbers
  are those of the file.

| data | where | runs | refused | warned | %s |
|%s
`, otherStarts, otherIterations, better, strings.Trim(strings.ReplaceAll(fmt.Sprint(telling), " ", ", "), "[]"), tolerance, fmt.Sprint(allPairs), deviations, promised, valley, restartSteps,
		strings.Join(checks, " | "), strings.Repeat("---|", 5+len(checks)))
	total := &cell{failed: map[string]int{}}
	for _, k := range kinds {
		for _, s := range storages {
			c := &cell{failed: map[string]int{}}
			for _, v := range p.records {
				if v.Kind == k.name && v.Storage == s {
					c.count(v)
					total.count(v)
				}
			}
			if c.runs > 0 {
				c.row(&b, k.name, s)
			}
		}
	}
	total.row(&b, "all", "")
	p.figures(&b)
	p.refusals(&b)
	p.failures(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *cell) count(v record) {
	c.runs++
	if v.Refused != "" {
		c.refused++
	}
	if v.Warned > 0 {
		c.warned++
	}
	for name := range v.Faults {
		c.failed[name]++
	}
}

func (c *cell) row(b *strings.Builder, kind, storage string) {
	fmt.Fprintf(b, "| %s | %s | %d | %d | %d |", kind, storage, c.runs, c.refused, c.warned)
	for _, name := range checks {
		text := fmt.Sprint(c.failed[name])
		if c.failed[name] > 0 {
			text = "**" + text + "**"
		}
		fmt.Fprintf(b, " %s |", text)
	}
	b.WriteString("\n")
}

// figures summarizes what the checks compared.
func (p *page) figures(b *strings.Builder) {
	estimates, doubtful, warned, warnedSeed := 0, 0, 0., uint64(0)
	var valleys []string
	for _, v := range p.records {
		if v.Estimate {
			estimates++
			if v.Doubtful {
				doubtful++
			}
		}
		if v.Gain > slow && v.Faults[checkRestart] == "" {
			valleys = append(valleys, fmt.Sprintf("%d (%s, %.1g)", v.Seed, v.Gainer, v.Gain))
		}
		if v.Warned > warned && v.Faults[checkNorm] == "" { // else f is rounding
			warned, warnedSeed = v.Warned, v.Seed
		}
	}
	fmt.Fprintf(b, "\n%d estimates of ||X||^2 were compared with all pairs, %d of them doubtful.", estimates, doubtful)
	if warned > 0 {
		fmt.Fprintf(b, " Of the better fits that were warned of, the largest difference is %.2g%% of f (seed %d).", 100*warned, warnedSeed)
	}
	if valleys != nil {
		fmt.Fprintf(b, " Restarts gained more than %g of the residual, in many steps each below the tolerance, for seeds %s.", slow, strings.Join(valleys, ", "))
	}
	b.WriteString("\n")
}

// refusals counts the errors by kind.
func (p *page) refusals(b *strings.Builder) {
	seeds := map[string][]string{}
	for _, v := range p.records {
		if v.Refused != "" {
			seeds[v.Refused] = append(seeds[v.Refused], fmt.Sprint(v.Seed))
		}
	}
	b.WriteString("\n## Refused\n\n")
	if len(seeds) == 0 {
		b.WriteString("None.\n")
		return
	}
	b.WriteString("| error | runs | seeds |\n|---|---|---|\n")
	for _, k := range slices.Sorted(maps.Keys(seeds)) {
		fmt.Fprintf(b, "| %s | %d | %s |\n", strings.NewReplacer("|", "\\|", "\n", " ").Replace(k), len(seeds[k]), strings.Join(seeds[k], ", "))
	}
}

// failures lists the seeds that failed, to be repeated with -seed.
func (p *page) failures(b *strings.Builder) {
	b.WriteString("\n## Failed\n\n")
	none := true
	for _, v := range p.records {
		for _, c := range checks {
			if fault := v.Faults[c]; fault != "" {
				none = false
				fmt.Fprintf(b, "- `go run ./bench/fits -seed %d`, %s: **%s**: %s\n", v.Seed, v.Question, c, strings.ReplaceAll(fault, "\n", " "))
			}
		}
	}
	if none {
		b.WriteString("None.\n")
	}
}
