// Command estimates checks the standard errors of estimated ||X||^2: it draws
// data of 20 kinds, computes ||X||^2 exactly, and counts how often the
// estimates of fits in memory, from a stream and after Forget are within two
// standard errors.
//
//	go run ./bench/estimates                  25 draws of each kind, into bench/ESTIMATES.md; some 20 minutes on two cores
//	go run ./bench/estimates -draws 3 -out -  a trial, to the terminal
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	gcpu "github.com/shirou/gopsutil/v4/cpu"
	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/internal/store/atomicfile"
	"symmom/symmom"
)

// Shape of the data: too large for ||X||^2 to be exact, for both orders.
const (
	observations = 15_000
	variables    = 160
	basis        = 10 // vectors: few enough that the moment in them is held, as Forget requires
)

var orders = []int{3, 4}

// storages are the places of the observations during the fits.
var storages = []string{"memory", "stream", "Forget"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "estimates:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("estimates", flag.ContinueOnError)
	draws := flags.Int("draws", 25, "draws of each kind of data")
	only := flags.String("only", "", "one kind of data")
	out := flags.String("out", filepath.Join("bench", "ESTIMATES.md"), "file for the report; - is the terminal")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	dir, err := os.MkdirTemp("", "symmom-estimates-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	var cells []*cell
	for _, k := range kinds {
		if *only != "" && *only != k.name {
			continue
		}
		of := map[string]*cell{}
		for _, d := range orders {
			for _, s := range storages {
				c := &cell{kind: k.name, order: d, storage: s}
				of[fmt.Sprint(d, s)] = c
				cells = append(cells, c)
			}
		}
		for seed := range uint64(*draws) {
			if err := draw(ctx, k, seed+1, dir, of); err != nil {
				return fmt.Errorf("%s, draw %d: %w", k.name, seed+1, err)
			}
			fmt.Fprintf(os.Stderr, "%s  %s %d of %d\n", time.Now().Format(time.TimeOnly), k.name, seed+1, *draws)
		}
	}
	share, err := seconds()
	if err != nil {
		return err
	}
	if *out == "-" {
		return report(os.Stdout, cells, share, *draws, time.Since(began))
	}
	return atomicfile.WriteFunc(*out, func(w io.Writer) error { return report(w, cells, share, *draws, time.Since(began)) })
}

// draw draws data for one seed, and fits them in every way.
func draw(ctx context.Context, k kind, seed uint64, dir string, of map[string]*cell) error {
	x := k.draw(observations, variables, seed)
	truth := exact(x)
	path := filepath.Join(dir, "data.npy")
	if err := symmom.SaveMatrix(path, x); err != nil {
		return err
	}
	options := symmom.Options{Starts: 1, MaxIterations: 20, Seed: seed}
	for i, d := range orders {
		half := symmom.FromMatrix(x.Slice(0, observations/2, 0, variables)).WithContext(ctx)
		if err := half.Moment(d).Compressed(basis).With(options).Decompose(rank).Err(); err != nil {
			return err
		}
		for storage, s := range map[string]*symmom.Session{
			"memory": symmom.FromMatrix(x).WithContext(ctx),
			"stream": symmom.Stream(path).WithContext(ctx),
			"Forget": half.Append(x.Slice(observations/2, observations, 0, variables)).Forget(),
		} {
			fit := s.Moment(d).Compressed(basis).With(options).Decompose(rank)
			if err := fit.Err(); err != nil {
				return fmt.Errorf("d=%d, %s: %w", d, storage, err)
			}
			of[fmt.Sprint(d, storage)].see(fit, truth[i])
		}
	}
	return nil
}

// exact returns ||X||^2 of each order, from all pairs of observations.
func exact(x *mat.Dense) []float64 {
	const block = 250
	p, n := x.Dims()
	v := x.RawMatrix().Data
	type part struct {
		at   int
		sums []float64
	}
	blocks := (p + block - 1) / block
	parts := make([]part, blocks)
	next := make(chan int, blocks)
	for i := range blocks {
		next <- i
	}
	close(next)
	done := make(chan bool)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			g := make([]float64, block*block)
			for i := range next {
				sums := make([]float64, len(orders))
				lo, hi := i*block, min((i+1)*block, p)
				for from := 0; from <= lo; from += block {
					to := min(from+block, p)
					gram := g[:(hi-lo)*(to-from)]
					linalg.MulABt(gram, v[lo*n:hi*n], v[from*n:to*n], hi-lo, to-from, n)
					twice := 2.
					if from == lo {
						twice = 1
					}
					for _, s := range gram {
						for o, d := range orders {
							sums[o] += twice * linalg.Powi(s, d)
						}
					}
				}
				parts[i] = part{i, sums}
			}
			done <- true
		}()
	}
	for range runtime.GOMAXPROCS(0) {
		<-done
	}
	total := make([]float64, len(orders))
	for _, q := range parts {
		for o := range total {
			total[o] += q.sums[o] / (float64(p) * float64(p))
		}
	}
	return total
}

// cell is a kind of data, an order and a storage.
type cell struct {
	kind    string
	order   int
	storage string

	errors   []float64 // of ||X||^2, relative to it
	stated   []float64 // standard errors, relative likewise
	within   []bool    // two standard errors
	doubtful []bool
	outside  int // relative errors outside (0, 1]
	exact    int
	wrong    bool // one of these
}

func (c *cell) see(fit *symmom.Fit, truth float64) {
	norm := fit.NormSquared
	c.errors = append(c.errors, (norm.Value-truth)/truth)
	c.stated = append(c.stated, norm.StdErr/truth)
	// The rounding of sums of p^2 terms is not an error of the estimate.
	c.within = append(c.within, math.Abs(norm.Value-truth) <= 2*norm.StdErr+1e-11*truth)
	c.doubtful = append(c.doubtful, norm.Doubtful)
	if norm.Exact() {
		c.exact++
		c.wrong = c.wrong || !c.within[len(c.within)-1]
	}
	if !(fit.RelativeError > 0 && fit.RelativeError <= 1) {
		c.outside++
	}
}

func (c *cell) row() []string {
	var squares float64
	within, sure, sureWithin := 0, 0, 0
	for i, e := range c.errors {
		squares += e * e / float64(len(c.errors))
		if c.within[i] {
			within++
		}
		if !c.doubtful[i] {
			sure++
			if c.within[i] {
				sureWithin++
			}
		}
	}
	stated := slices.Sorted(slices.Values(c.stated))
	share := func(k, of int) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", float64(k)/float64(of))
	}
	verdict := "pass"
	if (sure > 0 && float64(sureWithin) < .9*float64(sure) && float64(within) < .9*float64(len(c.errors))) || c.outside > 0 || c.wrong {
		verdict = "**FAIL**"
	}
	if c.exact == len(c.errors) && verdict == "pass" {
		verdict = "pass, exact"
	}
	return []string{c.kind, fmt.Sprint(c.order), c.storage, share(within, len(c.errors)), share(len(c.errors)-sure, len(c.errors)), share(sureWithin, sure),
		fmt.Sprintf("%.1e", math.Sqrt(squares)), fmt.Sprintf("%.1e", stated[len(stated)/2]), fmt.Sprint(c.outside), verdict}
}

// report writes the table.
func report(w io.Writer, cells []*cell, share string, draws int, took time.Duration) error {
	model := "unknown processor"
	if info, err := gcpu.Info(); err == nil && len(info) > 0 {
		model = info[0].ModelName
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Estimates of ||X||^2\n\n`scripts/bench.sh estimates`: %s, %s, %d cores, %s, kernels %s, %s.\n\n", time.Now().Format(time.DateOnly), model, runtime.NumCPU(), runtime.Version(), linalg.Kernel(), took.Round(time.Second))
	fmt.Fprintf(&b, "%d draws of %d observations of %d variables for each row, fits of rank %d. A fit in memory, one of the same data as a stream, and one after half of the data were appended and all forgotten. \"within 2 se\" is how often the exact ||X||^2, from all pairs of observations, was within two stated standard errors; \"doubtful\" how often the fit warned that its standard error is unreliable; \"of the others\" the first share without these. A row passes if one of the two shares is at least .90 and no relative error was 0, below, or above 1; where all pairs are taken, as in sparse tables, ||X||^2 is exact.\n\n", draws, observations, variables, rank)
	within, all, exact := 0, 0, 0
	for _, c := range cells {
		all += len(c.errors)
		exact += c.exact
		for _, ok := range c.within {
			if ok {
				within++
			}
		}
		within -= c.exact
	}
	fmt.Fprintf(&b, "Of %d estimates, %d were exact; of the other %d, %.1f%% were within two standard errors.\n\n", all, exact, all-exact, 100*float64(within)/float64(all-exact))
	header := []string{"data", "d", "where", "within 2 se", "doubtful", "of the others", "error, root mean square", "standard error, median", "outside (0, 1]", ""}
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(header)
	b.WriteString("|" + strings.Repeat("---|", len(header)) + "\n")
	for _, c := range cells {
		if len(c.errors) > 0 {
			line(c.row())
		}
	}
	b.WriteString("\n" + share)
	_, err := io.WriteString(w, b.String())
	return err
}
