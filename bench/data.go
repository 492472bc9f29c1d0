package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"symmom/internal/data/load"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// set is a data file that both sides read.
type set struct {
	path  string
	truth string // file of the true factors; of mixtures
	n, p  int
}

// uniform returns p observations of n variables, uniform on (0, 1), as in the
// paper's table 1.
func (b *bench) uniform(n, p int) (set, error) {
	s := set{path: filepath.Join(b.dir, fmt.Sprintf("uniform-%d-%d.npy", n, p)), n: n, p: p}
	return s, b.make(s, request{"do": "uniform", "path": s.path, "n": n, "p": p, "seed": 1})
}

// gaussians returns a mixture of r spherical Gaussians, per observations of
// each, whose means have unit norm and pairwise cosine .5, as in the paper.
func (b *bench) gaussians(n, r, per int, sigma float64) (set, error) {
	name := fmt.Sprintf("mixture-%d-%d-%d-%g", n, r, per, sigma)
	s := set{path: filepath.Join(b.dir, name+".npy"), truth: filepath.Join(b.dir, name+"-truth.npy"), n: n, p: per * r}
	return s, b.make(s, request{"do": "mixture", "path": s.path, "truth": s.truth, "n": n, "r": r, "per": per, "sigma": sigma, "seed": 1})
}

// make has the peer write the files, unless they exist.
func (b *bench) make(s set, r request) error {
	for _, path := range []string{s.path, s.truth} {
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return b.peer.ask(r, nil)
		}
	}
	return nil
}

// load has the peer read the file, and reads it for symmom's evaluations.
func (b *bench) load(s set) (*block.Dense, error) {
	if err := b.loadPeer(s); err != nil {
		return nil, err
	}
	x, err := load.Load(b.ctx, s.path, load.Options{})
	if err != nil {
		return nil, err
	}
	return &block.Dense{P: x.P, N: x.N, V: x.Values}, nil
}

// loadPeer has the peer read the file.
func (b *bench) loadPeer(s set) error { return b.peer.ask(request{"do": "load", "path": s.path}, nil) }

// evaluator returns a function that evaluates f and g at x once.
func evaluator(t moment.Tensor, r int, x []float64, threads int) (evaluate func() (float64, []float64), call func()) {
	o := moment.NewObjective(t, r, 1, threads)
	g := make([]float64, o.Size())
	ctx := context.Background()
	call = func() { o.Evaluate(ctx, x, g) }
	return func() (float64, []float64) {
		f, _ := o.Evaluate(ctx, x, g)
		return f, g
	}, call
}
