package symmom

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// splitMix makes the data of testdata/optima.py: uniform numbers, and normal
// ones from two of them each.
type splitMix struct{ state uint64 }

func (g *splitMix) uniform() float64 {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return (float64(z>>11) + .5) / (1 << 53)
}

func (g *splitMix) normal() float64 {
	return math.Sqrt(-2*math.Log(g.uniform())) * math.Cos(2*math.Pi*g.uniform())
}

// offsetClusters are four clusters far from the origin, in turn, with the
// cluster of each observation.
func offsetClusters(offset float64) (*mat.Dense, []int) {
	const n, p, r = 12, 4000, 4
	g := &splitMix{1}
	means := make([]float64, r*n)
	for i := range means {
		means[i] = g.normal()
	}
	x, labels := mat.NewDense(p, n, nil), make([]int, p)
	for l := range p {
		labels[l] = l % r
		for i := range n {
			x.Set(l, i, offset+2*means[labels[l]*n+i]+.1*g.normal())
		}
	}
	return x, labels
}

// skewedData are symmetric except for a small part in three variables.
func skewedData() *mat.Dense {
	const n, p = 12, 4000
	g := &splitMix{1}
	x := mat.NewDense(2*p, n, nil)
	for l := range p {
		for i := range n {
			z := 1000 * g.normal()
			x.Set(2*l, i, z)
			x.Set(2*l+1, i, -z)
		}
	}
	for l := range 2 * p {
		for i := range 3 {
			x.Set(l, i, x.At(l, i)+20*(-math.Log(g.uniform())-1))
		}
	}
	return x
}

// Where f = ||X - M||^2 is a billionth of ||X||^2, because an offset dominates
// the data, or where the moment is small beside its data, a fit that is called
// converged is at the optimum all the same: within 1% of the lowest f of 100
// long runs of SciPy's L-BFGS-B (testdata/optima.py).
func TestConvergedMeansOptimal(t *testing.T) {
	slow.Test(t)
	raw, err := os.ReadFile("testdata/optima.json")
	if err != nil {
		t.Fatal(err)
	}
	var optima map[string]struct {
		Order, Rank   int
		RelativeError float64 `json:"relative_error"`
	}
	if err := json.Unmarshal(raw, &optima); err != nil {
		t.Fatal(err)
	}
	near, _ := offsetClusters(10)
	far, _ := offsetClusters(30)
	sessions := map[string]*Session{"clusters at 10": FromMatrix(near), "clusters at 30": FromMatrix(far),
		"skewed": FromMatrix(skewedData()), "wine": Load("testdata/wine.csv")}
	if len(optima) != len(sessions) {
		t.Fatalf("%d optima for %d problems", len(optima), len(sessions))
	}
	for name, want := range optima {
		m := sessions[name].Moment(want.Order)
		for seed := range uint64(20) {
			f := mustFit(t, m.With(Options{Seed: seed}).Decompose(want.Rank))
			// ||X||^2 here and there differ by rounding, 1e-14 of it.
			if !(f.RelativeError <= 1.01*want.RelativeError+1e-14) {
				t.Errorf("%s, seed %d: relative error %g (%s, cosine %.2g), SciPy's best %g", name, seed, f.RelativeError, f.Status, f.Cosine, want.RelativeError)
			}
		}
	}
}

// The components of clusters far from the origin are distinguished: each
// observation weighs most in the component of its cluster.
func TestOffsetClustersAreLabelled(t *testing.T) {
	x, labels := offsetClusters(10)
	f := mustFit(t, FromMatrix(x).Moment(3).Decompose(4))
	var pinv mat.Dense
	if err := pinv.Solve(f.Model.Factors, x.T()); err != nil {
		t.Fatal(err)
	}
	counts := map[[2]int]int{}
	for l, want := range labels {
		most := 0
		for j := range 4 {
			if pinv.At(j, l) > pinv.At(most, l) {
				most = j
			}
		}
		counts[[2]int{want, most}]++
	}
	for want := range 4 {
		most := 0
		for j := range 4 {
			most = max(most, counts[[2]int{want, j}])
		}
		if most != len(labels)/4 {
			t.Errorf("cluster %d: %v", want, counts)
		}
	}
}
