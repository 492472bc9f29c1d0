package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/symmom"
)

// Goals of independent components.
const (
	icaNoWorse      = 1.02 // mean Amari distance, over FastICA's
	icaObservations = 20_000
)

// icaCase is a kind of sources, with as many sources as variables.
type icaCase struct {
	name string
	k    int
	draw func(j int, rng *rand.Rand) float64 // of source j, of variance 1
}

func uniformSource(_ int, rng *rand.Rand) float64 { return math.Sqrt(3) * (2*rng.Float64() - 1) }

func laplaceSource(_ int, rng *rand.Rand) float64 {
	x := rng.ExpFloat64() / math.Sqrt2
	if rng.Uint64()&1 == 0 {
		return -x
	}
	return x
}

func mixedSource(j int, rng *rand.Rand) float64 {
	if j%2 == 0 {
		return uniformSource(j, rng)
	}
	return laplaceSource(j, rng)
}

func exponentialSource(_ int, rng *rand.Rand) float64 { return rng.ExpFloat64() - 1 }

// besideNormal returns sources the first of which is normal, and the others are as those of draw.
func besideNormal(draw func(j int, rng *rand.Rand) float64) func(j int, rng *rand.Rand) float64 {
	return func(j int, rng *rand.Rand) float64 {
		if j == 0 {
			return rng.NormFloat64()
		}
		return draw(j, rng)
	}
}

var icaCases = []icaCase{
	{"8 uniform", 8, uniformSource},
	{"8 Laplace", 8, laplaceSource},
	{"8 of both", 8, mixedSource},
	{"50 of both", 50, mixedSource},
	{"normal, 3 uniform", 4, besideNormal(uniformSource)},
	{"normal, 3 Laplace", 4, besideNormal(laplaceSource)},
	{"normal, 3 exponential", 4, besideNormal(exponentialSource)},
	{"normal, 3 of both", 4, besideNormal(mixedSource)},
}

// icaRun is the result of a method: the Amari distance between its unmixing times
// the true mixing and a scaled permutation.
type icaRun struct{ Amari, Seconds, Processor float64 }

// separate draws the sources of a seed and has both methods separate them.
func (b *bench) separate(c icaCase, seed uint64) (ours, theirs icaRun, err error) {
	rng := rand.New(rand.NewPCG(seed, 5))
	sources, mixing := mat.NewDense(icaObservations, c.k, nil), mat.NewDense(c.k, c.k, nil)
	for l := range icaObservations {
		for j := range c.k {
			sources.Set(l, j, c.draw(j, rng))
		}
	}
	for i := range c.k {
		for j := range c.k {
			mixing.Set(i, j, rng.NormFloat64())
		}
	}
	var x mat.Dense
	x.Mul(sources, mixing.T())
	path := filepath.Join(b.dir, "sources.npy")
	if err := symmom.SaveMatrix(path, &x); err != nil {
		return ours, theirs, err
	}
	if err := b.peer.ask(request{"do": "load", "path": path}, nil); err != nil {
		return ours, theirs, err
	}
	s := symmom.FromMatrix(&x).WithContext(b.ctx)
	runtime.GC()
	began, processor := time.Now(), processorSeconds()
	found := s.ICA(c.k, symmom.ICAOptions{Threads: 1, Seed: seed})
	ours = icaRun{Seconds: time.Since(began).Seconds(), Processor: processorSeconds() - processor}
	if found.Err() != nil {
		return ours, theirs, found.Err()
	}
	var both mat.Dense
	both.Mul(found.Unmixing, mixing)
	ours.Amari = ktensor.Amari(both.RawMatrix().Data, c.k)

	var answer struct {
		Unmixing           []float64
		Seconds, Processor float64
	}
	if err := b.peer.ask(request{"do": "fastica", "k": c.k, "seed": seed}, &answer); err != nil {
		return ours, theirs, err
	}
	both.Mul(mat.NewDense(c.k, c.k, answer.Unmixing), mixing)
	return ours, icaRun{ktensor.Amari(both.RawMatrix().Data, c.k), answer.Seconds, answer.Processor}, nil
}

// gmmICA compares independent components with those of FastICA.
func (b *bench) gmmICA() (*section, error) {
	s := &section{title: "Independent components", header: []string{"sources", "method", "Amari distance", "worst seed", "s", "processor s"}}
	s.note("%d observations of as many variables as sources, sources of variance 1, entries of the mixing matrix N(0, 1); FastICA with parallel updates, logcosh and SVD as by default, but for max_iter=1000; means over the seeds", icaObservations)
	for _, c := range icaCases {
		var ours, theirs []icaRun
		for seed := range b.seeds {
			both, err := kept(b, fmt.Sprintf("ica, %s, seed %d", c.name, seed+1), func() ([2]icaRun, error) {
				a, f, err := b.separate(c, seed+1)
				return [2]icaRun{a, f}, err
			})
			if err != nil {
				return nil, fmt.Errorf("%s sources, seed %d: %w", c.name, seed+1, err)
			}
			ours, theirs = append(ours, both[0]), append(theirs, both[1])
			progress("%s sources, seed %d: Amari distance %.4f in %.2f s, FastICA %.4f in %.2f s", c.name, seed+1, both[0].Amari, both[0].Seconds, both[1].Amari, both[1].Seconds)
		}
		column := func(runs []icaRun, of func(icaRun) float64) (v sample) {
			for _, r := range runs {
				v = append(v, of(r))
			}
			return v
		}
		distance := func(r icaRun) float64 { return r.Amari }
		seconds := func(r icaRun) float64 { return r.Seconds }
		processor := func(r icaRun) float64 { return r.Processor }
		for i, runs := range [][]icaRun{ours, theirs} {
			d := column(runs, distance)
			worst := 0.
			for _, v := range d {
				worst = max(worst, v)
			}
			s.row([]string{c.name, ""}[i], []string{"symmom", "FastICA"}[i], fmt.Sprintf("%.4f", d.mean()), fmt.Sprintf("%.4f", worst),
				fmt.Sprintf("%.3f", column(runs, seconds).mean()), fmt.Sprintf("%.3f", column(runs, processor).mean()))
		}
		s.judge(atMost(c.name+" sources: Amari distance over FastICA's, means over the seeds", column(ours, distance).mean()/column(theirs, distance).mean(), icaNoWorse, "%.4f"))
		s.judge(atMost(c.name+" sources: seconds over FastICA's, means over the seeds", column(ours, seconds).mean()/column(theirs, seconds).mean(), 1, "%.3f"))
	}
	return s, nil
}
