package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/distinct"
)

// Exchanges lead to a model with the best weights for its components, better than
// the one at first, and no exchange of one for another of the pool is better still.
func TestChoose(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const n, all = 4, 15
		p := newPool(3+int(seed%2), n, 3)
		for range all {
			a := mat.NewVecDense(n, nil)
			for i := range n {
				a.SetVec(i, rng.NormFloat64())
			}
			a.ScaleVec(1/mat.Norm(a, 2), a)
			p.Add(a.RawVector().Data, []float64{rng.NormFloat64()})
		}
		// f of the best weights, from an inverse; the starts are 0, 1, 2.
		f := func(set ...int) float64 {
			c, w := mat.NewSymDense(len(set), nil), mat.NewVecDense(len(set), nil)
			for i, a := range set {
				w.SetVec(i, p.w[a])
				for j, b := range set {
					dot := mat.Dot(mat.NewVecDense(n, p.a[a*n:(a+1)*n]), mat.NewVecDense(n, p.a[b*n:(b+1)*n]))
					c.SetSym(i, j, math.Pow(dot, float64(p.d)))
				}
			}
			var inverse mat.Dense
			if err := inverse.Inverse(c); err != nil {
				return math.Inf(1)
			}
			return -mat.Inner(w, &inverse, w)
		}
		x, _, _ := p.Choose(func() error { return nil }, 0, f(0, 1, 2), nil)
		if x == nil {
			t.Fatalf("seed %d: no exchange", seed)
		}
		var set []int
		for j := range p.r {
			for k := range all {
				if p.a[k*n] == x[p.r+j*n] {
					set = append(set, k)
				}
			}
		}
		got := 0.
		for i, a := range set {
			got -= 2 * x[i] * p.w[a]
			for j, b := range set {
				dot := mat.Dot(mat.NewVecDense(n, p.a[a*n:(a+1)*n]), mat.NewVecDense(n, p.a[b*n:(b+1)*n]))
				got += x[i] * x[j] * math.Pow(dot, float64(p.d))
			}
		}
		// 1e-9: rounding of 3 x 3 systems whose condition apart bounds at about 1e4.
		if want := f(set...); !(math.Abs(got-want) <= 1e-9*math.Abs(want)) || got >= f(0, 1, 2) {
			t.Errorf("seed %d: f = %g, with the best weights %g, at first %g", seed, got, want, f(0, 1, 2))
		}
		for i := range set {
			for k := range all {
				other := append([]int{k}, set[:i]...)
				other = append(other, set[i+1:]...)
				if g := f(other...); g < got-1e-6*math.Abs(got) && !near(other) {
					t.Errorf("seed %d: f = %g, with %d in the place of %d %g", seed, got, k, set[i], g)
				}
			}
		}
	}
}

// near reports whether a set has a component twice.
func near(set []int) bool {
	seen := map[int]bool{}
	for _, k := range set {
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}

// Over distinct indices the products of components are those of these entries.
func TestPoolOverDistinct(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 7))
	const d, n, r = 3, 6, 3
	p := newPool(d, n, r)
	p.distinct = true
	c, w := mat.NewSymDense(r, nil), mat.NewVecDense(r, nil)
	for j := range r {
		a := make([]float64, n)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		w.SetVec(j, rng.NormFloat64())
		p.Add(a, []float64{w.AtVec(j)})
	}
	for i := range r {
		for j := range i + 1 {
			c.SetSym(i, j, distinct.Inner(p.a[i*n:(i+1)*n], p.a[j*n:(j+1)*n], d))
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(c); err != nil {
		t.Fatal(err)
	}
	if f, ok := p.Objective(0); !ok || !(math.Abs(f+mat.Inner(w, &inverse, w)) <= 1e-9*math.Abs(f)) {
		t.Errorf("f = %g, want %g", f, -mat.Inner(w, &inverse, w))
	}
}
