package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

// TestParts: a file that is read in parts gives what the same bytes give from one end to
// the other, with the fingerprint of the values.
func TestParts(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(8, 8))
	for _, kind := range []string{"<f8", ">f8", "<f4", ">f4", "<i4", "|u1", "<f2"} {
		for _, shape := range [][2]int{{1, 1}, {1, 7}, {9, 1}, {30_000, 7}, {3, 70_000}} {
			p, n := shape[0], shape[1]
			v := make([]float64, p*n)
			for i := range v {
				v[i] = float64(rng.IntN(100))
			}
			data := array(kind, "False", p, n, v)
			for _, more := range []string{"", "more"} {
				path := writeFile(t, "x.npy", string(data)+more)
				for _, o := range []Options{{}, {Float32: true}, {Columns: []string{"1"}}} {
					what := fmt.Sprintf("%s, %d x %d, %d more bytes, %+v", kind, p, n, len(more), o)
					got, err := Load(t.Context(), path, o)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					want, err := Read(t.Context(), io.MultiReader(bytes.NewReader(data), bytes.NewReader([]byte(more))), path, "", o)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					if !reflect.DeepEqual(got.Values, want.Values) || !reflect.DeepEqual(got.Values32, want.Values32) || !reflect.DeepEqual(got.Warnings, want.Warnings) {
						t.Errorf("%s: other values or warnings: %q, want %q", what, got.Warnings, want.Warnings)
					}
				}
			}
		}
	}
}

// TestPartsFrom begins in the middle of a file.
func TestPartsFrom(t *testing.T) {
	path := writeFile(t, "x.npy", "12345"+string(array("<f8", "False", 2, 2, []float64{1, 2, 3, 5})))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(5, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	s, err := Read(t.Context(), f, "x", "", Options{})
	if err != nil || !reflect.DeepEqual(s.Values, []float64{1, 2, 3, 5}) {
		t.Errorf("got %v, %v", s, err)
	}
}

// TestPartsCancelled: a context that ends stops the work on 400 MB soon.
func TestPartsCancelled(t *testing.T) {
	path := writeFile(t, "x.npy", "")
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(npyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (500000, 100), }")); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(500_000*100*8 + 4096); err != nil { // sparse
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = Load(ctx, path, Options{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	checkErrorHas(t, err, "x.npy: reading stopped: ")
}
