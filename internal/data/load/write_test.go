package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
	"symmom/internal/test/slow"
)

// TestWriteNPYRoundTrip writes matrices of random shapes and wants the same bits.
func TestWriteNPYRoundTrip(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(13, 14))
	path := filepath.Join(t.TempDir(), "x.npy")
	for range 200 {
		p, n := 1+rng.IntN(300), 1+rng.IntN(90)
		m := mat.NewDense(p, n, nil)
		for i := range p {
			for j := range n {
				m.Set(i, j, rng.NormFloat64()*math.Exp(100*rng.NormFloat64()))
			}
		}
		var any mat.Matrix = m
		if rng.IntN(2) == 0 {
			any = m.T()
		}
		if err := export.WriteNPY(path, any); err != nil {
			t.Fatal(err)
		}
		got, err := LoadMatrix(t.Context(), path)
		if err != nil || !mat.Equal(got, any) {
			t.Fatalf("%d x %d did not come back: %v", p, n, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() != int64(128+8*p*n) {
			t.Fatalf("%d bytes, want a header of 128 and 8 for each value", info.Size())
		}
	}
}

func TestWritePlaces(t *testing.T) {
	dir := t.TempDir()
	m := mat.NewDense(1, 1, []float64{7})
	lost := filepath.Join(dir, "none", "x.npy")
	checkError(t, export.WriteNPY(lost, m), lost+": file does not exist: the directory is missing; make it first")
	var none *mat.Dense
	checkError(t, export.WriteNPY("x.npy", none), "x.npy: nothing was written: the matrix is nil")

	// To a pipe, as in --out /dev/stdout.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := export.WriteNPY(fmt.Sprintf("/dev/fd/%d", w.Fd()), m); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if s, err := Read(t.Context(), r, "", "", Options{}); err != nil || !slices.Equal(s.Values, []float64{7}) {
		t.Errorf("through a pipe: %v, %v", s, err)
	}
}
