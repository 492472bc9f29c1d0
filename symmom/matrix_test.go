package symmom

import (
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSaveMatrix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.npy")
	want := mat.NewDense(3, 2, []float64{1, 2, 3, 4, math.Pi, 1e-300})
	if err := SaveMatrix(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := LoadMatrix(path)
	if err != nil || !mat.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}
