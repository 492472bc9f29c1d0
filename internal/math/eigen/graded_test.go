package eigen

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Small eigenvalues of variables of very different scale keep their digits, in whatever order
// the variables come, and so do their vectors.
func TestGraded(t *testing.T) {
	scales := []float64{1e6, 1, 1e-6}
	correlation := [][]float64{{1, .5, .3}, {.5, 1, .4}, {.3, .4, 1}}
	const det = 1 + 2*.5*.3*.4 - .25 - .09 - .16 // of the correlations, and, times 1, of the matrix
	var first, vectors []float64
	for _, order := range [][]int{{2, 1, 0}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}} {
		m := mat.NewSymDense(3, nil)
		for i, a := range order {
			for j, b := range order[:i+1] {
				m.SetSym(i, j, scales[a]*scales[b]*correlation[a][b])
			}
		}
		values, columns, ok := Sym(m, true)
		only, _, _ := Sym(m, false)
		if product := values[0] * values[1] * values[2]; !ok || !(math.Abs(product-det) <= 1e-12*det) {
			t.Errorf("order %d: eigenvalues %g, whose product is %.15g, want %.15g", order, values, product, det)
		}
		if first == nil {
			first, vectors = values, columns
		}
		for k := range 3 {
			if !(math.Abs(values[k]-first[k]) <= 1e-12*first[k]) || !(math.Abs(only[k]-first[k]) <= 1e-12*first[k]) {
				t.Errorf("order %d: eigenvalue %d is %.15g and %.15g, want %.15g", order, k, values[k], only[k], first[k])
			}
			for i, a := range order {
				if v, want := math.Abs(columns[i*3+k]), math.Abs(vectors[(2-a)*3+k]); !(math.Abs(v-want) <= 1e-11*want) {
					t.Errorf("order %d: vector %d has %g at variable %d, want %g", order, k, v, a, want)
				}
			}
		}
	}
}
