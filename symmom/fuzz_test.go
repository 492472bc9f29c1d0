package symmom

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/math/linalg"

	"gonum.org/v1/gonum/mat"
)

// FuzzModel gives the reader of models what may be in a file. A model that it
// takes is saved, and comes back with the same bits; a fit may begin with it and
// it may be judged, which must end in a result or an error.
func FuzzModel(f *testing.F) {
	head := `{"format":"symmom-model","version":1,`
	for _, text := range []string{
		head + `"order":3,"n":2,"rank":1,"lambda":[1],"factors":[[0.5,-0.25]],"names":["a","b"],"origin":{}}`,
		head + `"order":4,"n":3,"rank":2,"lambda":[1e-300,-2],"factors":[[1,2,3],[4,5,6e10]],"origin":{"source":"x.csv","observations":7}}`,
		head + `"order":2147483648,"n":1,"rank":1,"lambda":[1],"factors":[[1]]}`,
		head + `"order":3,"n":2,"rank":2,"lambda":[1],"factors":[[1,2]]}`,
		head + `"order":3,"n":2000000000,"rank":1,"lambda":[1],"factors":[[1,2]]}`,
		head + `"order":-1,"n":0,"rank":0,"lambda":[],"factors":[]}`,
		head + `"order":3,"n":2,"rank":1,"lambda":[null],"factors":[null]}`,
		`{"format":"other"}`, `{}`, `[]`, `nul`, "",
	} {
		f.Add([]byte(text))
	}
	data := FromRows([][]float64{{1, 2}, {3, -1}, {.5, 0}})
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "model.json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := LoadModel(path)
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		r, c := m.Factors.Dims()
		if r != m.N() || c != m.Rank() || len(m.Lambda) != c || m.Order < 1 || !linalg.Finite(m.Lambda...) || !linalg.Finite(m.Factors.RawMatrix().Data...) {
			t.Fatalf("a model of order %d, %d x %d, lambda %v", m.Order, r, c, m.Lambda)
		}
		again := filepath.Join(dir, "again.json")
		if err := m.Save(again); err != nil {
			t.Fatal(err)
		}
		n, err := LoadModel(again)
		if err != nil || n.Order != m.Order || !sameBits(n.Lambda, m.Lambda) || !sameBits(n.Factors.RawMatrix().Data, m.Factors.RawMatrix().Data) {
			t.Fatalf("saved and loaded it is another: %v", err)
		}
		if m.N() == 2 && m.Rank() < 20 && m.Order <= 20 {
			_ = data.Moment(3).Evaluate(m).String()
			_ = data.Moment(m.Order).Evaluate(m).String()
			_ = data.Moment(3).With(Options{InitialModel: m, MaxIterations: 3}).Decompose(m.Rank()).String()
		}
	})
}

func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// FuzzAppend feeds observations in blocks: the session is that of all of them at
// once, in its values to the bit, and in what is computed from it but for
// rounding.
func FuzzAppend(f *testing.F) {
	bytes := make([]byte, 8*24)
	for i := range 24 {
		binary.LittleEndian.PutUint64(bytes[8*i:], math.Float64bits(float64(i*i%17)-5))
	}
	f.Add(bytes, uint8(3), uint8(2), uint8(1))
	f.Add(bytes, uint8(1), uint8(5), uint8(7))
	f.Add(bytes[:80], uint8(5), uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, bytes []byte, columns, first, block uint8) {
		n := 1 + int(columns)%6
		p := min(len(bytes)/8/n, 200)
		if p < 2 {
			return
		}
		values := make([]float64, p*n)
		for i := range values {
			v := math.Float64frombits(binary.LittleEndian.Uint64(bytes[8*i:]))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				v = float64(i)
			}
			// Powers of these stay far from the ends of the range, where ||X||^2 is
			// 0 in one order of the sums and not in another.
			values[i] = math.Copysign(min(math.Abs(v), 1e9), v)
			if math.Abs(v) < 1e-40 {
				values[i] = 0
			}
		}
		x := mat.NewDense(p, n, values)
		lo, size := 1+int(first)%(p-1), 1+int(block)%p
		all, fed := FromMatrix(x), FromMatrix(x.Slice(0, lo, 0, n))
		for ; lo < p; lo += size {
			fed = fed.Append(x.Slice(lo, min(lo+size, p), 0, n))
		}
		if fed.Err() != nil || fed.Observations() != p || !sameBits(fed.Matrix().RawMatrix().Data, all.Matrix().RawMatrix().Data) {
			t.Fatalf("%d observations of %d, %v", fed.Observations(), p, fed.Err())
		}
		model := &Model{Order: 3, Lambda: []float64{1.5, -.5}, Factors: &NamedMatrix{Dense: mat.NewDense(n, 2, nil)}}
		for i := range n {
			model.Factors.Dense.Set(i, i%2, 1)
		}
		a, b := all.Moment(3).Evaluate(model), fed.Moment(3).Evaluate(model)
		if (a.Err() == nil) != (b.Err() == nil) {
			t.Fatalf("all at once %v, in blocks %v", a.Err(), b.Err())
		}
		// Sums of at most 200 terms of one sign and their powers.
		scale := a.NormSquared.Value + math.Abs(a.ObjectiveShifted)
		if d := math.Abs(a.ObjectiveShifted - b.ObjectiveShifted); a.Err() == nil && !(d <= 1e-10*scale) {
			t.Errorf("f is %g all at once, %g in blocks", a.ObjectiveShifted, b.ObjectiveShifted)
		}
	})
}
