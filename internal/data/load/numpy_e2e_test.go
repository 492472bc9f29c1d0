//go:build e2e

package load

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
)

// python runs testdata/arrays.py.
func python(t *testing.T, args ...string) []byte {
	t.Helper()
	return run(t, append([]string{"testdata/arrays.py"}, args...)...)
}

// run runs a script with the Python of SYMMOM_PYTHON, which has NumPy and pyarrow.
func run(t *testing.T, args ...string) []byte {
	t.Helper()
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python that has NumPy")
	}
	cmd := exec.Command(python, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return out
}

// TestNumPyWrites reads what the installed NumPy writes; TestArrays does it with
// the files of one version.
func TestNumPyWrites(t *testing.T) {
	dir := t.TempDir()
	python(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	checkArrays(t, files)
}

// TestNumPyReads has NumPy read what WriteNPY wrote.
func TestNumPyReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	for _, m := range []*mat.Dense{
		mat.NewDense(2, 3, []float64{1, math.Copysign(0, -1), math.Pi, 5e-324, math.MaxFloat64, math.Inf(1)}),
		mat.NewDense(1, 1, []float64{-7}),
		mat.NewDense(10000, 1, nil),
		{},
	} {
		if err := export.WriteNPY(path, m); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Dtype   string
			Fortran bool
			Shape   []int
			Hex     []string
		}
		if err := json.Unmarshal(python(t, "--check", path), &got); err != nil {
			t.Fatal(err)
		}
		p, n := m.Dims()
		if got.Dtype != "<f8" || got.Fortran || len(got.Shape) != 2 || got.Shape[0] != p || got.Shape[1] != n || len(got.Hex) != p*n {
			t.Errorf("NumPy reads dtype %s, Fortran %v, shape %v; wrote %d x %d", got.Dtype, got.Fortran, got.Shape, p, n)
			continue
		}
		for i, hex := range got.Hex {
			v, err := strconv.ParseFloat(hex, 64)
			if err != nil {
				t.Fatal(err)
			}
			if math.Float64bits(v) != math.Float64bits(m.At(i/n, i%n)) {
				t.Errorf("NumPy reads %v at %d, %d; wrote %v", v, i/n, i%n, m.At(i/n, i%n))
			}
		}
	}
}
