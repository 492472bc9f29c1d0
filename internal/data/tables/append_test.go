package tables

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/load"
)

func normal(t *testing.T, p, n int, rng *rand.Rand) *load.Set {
	t.Helper()
	x := mat.NewDense(p, n, nil)
	for i := range p {
		for j := range n {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	set, err := load.FromMatrix(x, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Small blocks are joined: there are about as many pieces as log2 of them.
func TestAppendJoinsBlocks(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 1))
	x := New(normal(t, 200, 5, rng))
	for range 600 {
		var err error
		if x, err = x.Append(ctx, normal(t, 1, 5, rng)); err != nil {
			t.Fatal(err)
		}
	}
	if p, n := x.Shape(); p != 800 || n != 5 || x.P != 800 {
		t.Errorf("%d observations of %d variables", p, n)
	}
	if links := len(x.Storage.(*appended).Links); links > 12 { // log2(600) and the base
		t.Errorf("%d pieces", links)
	}
}
