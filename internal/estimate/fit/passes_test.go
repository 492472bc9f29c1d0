package fit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/math/ktensor"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// countingStorage counts the passes over observations.
type countingStorage struct {
	tables.Storage
	passes *atomic.Int64
}

func (x countingStorage) Pass(ctx context.Context, do func(block.Block)) bool {
	x.passes.Add(1)
	return x.Storage.Pass(ctx, do)
}

// Result.Passes are the passes that took place, whatever the form, the starts, the
// order and the storage, of a first fit and of a second one, which knows the unit
// and the tensor.
func TestPassesTookPlace(t *testing.T) {
	slow.Test(t)
	const p, n, r = 400, 14, 2
	rng := rand.New(rand.NewPCG(95, 1))
	v := mat.NewDense(p, n, nil)
	for l := range p {
		for i := range n {
			v.Set(l, i, rng.NormFloat64()*.3+float64((l%r+i)%r))
		}
	}
	set, err := load.FromMatrix(v, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := export.WriteNPY(path, v); err != nil {
		t.Fatal(err)
	}
	disk, err := tables.Open(t.Context(), path, load.Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	model := &ktensor.Kruskal{D: 3, N: n, R: r, Lambda: []float64{1, 1}, A: make([]float64, n*r)}
	for i := range model.A {
		model.A[i] = rng.NormFloat64()
	}
	for where, table := range map[string]*tables.Table{"memory": tables.New(set), "disk": disk} {
		for _, form := range []Form{Auto, Implicit, Explicit, Compressed, Sampled} {
			for _, init := range []Init{Turned, Plain, Gaussian} {
				for d := 2; d <= 4; d++ {
					for _, given := range []bool{false, true} {
						var passes atomic.Int64
						m := New(&tables.Table{Info: table.Info, Storage: countingStorage{table.Storage, &passes}}, d)
						m.Form = form
						if form == Sampled {
							m.Samples = 50
						}
						o := &Options{Starts: 3, Seed: 1, Tolerance: 1e-4, MaxIterations: 50, MaxEvaluations: 100, Corrections: 5, Init: init, Threads: 2}
						if given && d == 3 {
							o.Initial = model
						}
						// ||X||^2 is apart.
						if _, err := m.NormSquared(t.Context(), o); err != nil {
							t.Fatal(err)
						}
						for run := range 2 {
							name := fmt.Sprintf("%s, form %v, starts %v, order %d, given %v, fit %d", where, form, init, d, given, run)
							passes.Store(0)
							f, err := m.Decompose(t.Context(), r, o)
							if err != nil {
								t.Fatal(name, err)
							}
							if got, want := f.Passes, int(passes.Load()); form == Sampled && where == "memory" {
								// Random reads are added up.
								if got <= want {
									t.Errorf("%s: %d passes and what was read at random, counted %d", name, got, want)
								}
							} else if got != want {
								t.Errorf("%s: %d passes, counted %d", name, got, want)
							}
						}
					}
				}
			}
		}
	}
}

// identified counts how often the data are identified.
type identified struct {
	tables.Storage
	times *atomic.Int64
}

func (x identified) Fingerprint(ctx context.Context) (string, error) {
	x.times.Add(1)
	return x.Storage.Fingerprint(ctx)
}

// Data are identified once, and not where nobody asks for it.
func TestFingerprintUnneeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(96, 1))
	v := mat.NewDense(300, 5, nil)
	v.Apply(func(_, _ int, _ float64) float64 { return rng.ExpFloat64() }, v)
	set, err := load.FromMatrix(v, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := tables.New(set)
	o := &Options{Starts: 3, Seed: 1, Tolerance: 1e-4, MaxIterations: 50, MaxEvaluations: 100, Corrections: 5, Threads: 2}
	for _, form := range []Form{Implicit, Explicit, Compressed, Sampled} {
		for ctx, want := range map[context.Context]int64{t.Context(): 1, fingerprint.Unneeded(t.Context()): 0} {
			var times atomic.Int64
			m := New(&tables.Table{Info: table.Info, Storage: identified{table.Storage, &times}}, 3)
			m.Form, m.Samples = form, 50
			f, err := m.Decompose(ctx, 2, o)
			if err != nil {
				t.Fatal(err)
			}
			if times.Load() != want || (f.Fingerprint != "") != (want == 1) {
				t.Errorf("%s: identified %d times, want %d: %q", form, times.Load(), want, f.Fingerprint)
			}
		}
	}
}
