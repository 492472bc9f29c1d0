package ktensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// denseJacobian has the derivatives of all n^d entries of the model tensor, an
// entry a row.
func denseJacobian(d, n, r int, x []float64) *mat.Dense {
	entries := int(math.Pow(float64(n), float64(d)))
	j := mat.NewDense(entries, len(x), nil)
	index := make([]int, d)
	for e := range entries {
		rest := e
		for k := range index {
			index[k], rest = rest%n, rest/n
		}
		for c := range r {
			a := x[r+c*n : r+(c+1)*n]
			all := 1.0
			for k, i := range index {
				all *= a[i]
				others := x[c]
				for m, i := range index {
					if m != k {
						others *= a[i]
					}
				}
				v := r + c*n + i
				j.Set(e, v, j.At(e, v)+others)
			}
			j.Set(e, c, all)
		}
	}
	return j
}

// denseGaussNewton is H + damping D with the curvature of the null directions,
// from the derivative of every entry of the model tensor.
func denseGaussNewton(d, n, r int, x []float64, damping float64) *mat.Dense {
	j := denseJacobian(d, n, r, x)
	var h mat.Dense
	h.Mul(j.T(), j)
	var g, p []float64
	for c := range r {
		a := x[r+c*n : r+(c+1)*n]
		b := linalg.Dot(a, a)
		p = append(p, math.Pow(b, float64(d)))
		g = append(g, float64(d)*x[c]*x[c]*math.Pow(b, float64(d-1)))
	}
	gDamp, pDamp := damping*linalg.NormInf(g), damping*linalg.NormInf(p)
	for i := range x {
		if i < r {
			h.Set(i, i, h.At(i, i)+pDamp)
		} else {
			h.Set(i, i, h.At(i, i)+gDamp)
		}
	}
	for c := range r {
		null := make([]float64, len(x)) // d(lambda_c) = -d lambda_c, d(a_c) = a_c
		null[c] = -float64(d) * x[c]
		copy(null[r+c*n:r+(c+1)*n], x[r+c*n:r+(c+1)*n])
		v := mat.NewVecDense(len(x), null)
		h.RankOne(&h, (g[c]+gDamp)/linalg.Dot(null, null), v, v)
	}
	h.Scale(2, &h)
	return &h
}

func randomVector(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// The solution is that of the dense system, which the derivatives of all n^d
// entries make.
func TestGaussNewtonDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ d, n, r int }{{1, 4, 2}, {2, 4, 3}, {3, 5, 3}, {3, 4, 1}, {3, 3, 4}, {4, 4, 3}, {5, 3, 2}} {
		s := NewGaussNewton(c.d, c.n, c.r)
		s.steps, s.tolerance = 200, 1e-24
		size := c.r + c.r*c.n
		for range 5 {
			x, q, z := randomVector(rng, size), randomVector(rng, size), make([]float64, size)
			const damping = .05
			if !s.Solve(x, q, z, damping) {
				t.Fatalf("%+v: not definite", c)
			}
			var left mat.VecDense
			left.MulVec(denseGaussNewton(c.d, c.n, c.r, x, damping), mat.NewVecDense(size, z))
			left.SubVec(&left, mat.NewVecDense(size, q))
			// Conjugate gradients stop at 1e-12, in the norm of a
			// preconditioner of condition up to r/damping times that of
			// random lambda and A: 1e4 more.
			if off := mat.Norm(&left, 2) / linalg.Norm2(q); off > 1e-8 {
				t.Errorf("%+v: residual %g", c, off)
			}
		}
	}
}

// At a solution without residual the Hessian is H, so that a product with it is
// the finite difference of the gradient.
func TestGaussNewtonIsHessian(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, r, d = 6, 3, 3
	// Observations that are the components: X = sum_j nu_j v_j^(x 3).
	data := &block.Dense{P: r, N: n, V: randomVector(rng, r*n), Nu: []float64{.5, .3, .2}}
	o := moment.NewObjective(&moment.Implicit{Data: data, D: d}, r, 1, 1)
	x := append([]float64{.5, .3, .2}, data.V...)
	h := denseGaussNewton(d, n, r, x, 0)
	// A step across the null space of J, where h has curvature of its own.
	step := randomVector(rng, len(x))
	for j := range r {
		a := x[r+j*n : r+(j+1)*n]
		da := step[r+j*n : r+(j+1)*n]
		step[j] = linalg.Dot(a, da) / (d * x[j])
	}
	const eps = 1e-5
	plus, minus := make([]float64, len(x)), make([]float64, len(x))
	xp, xm := append([]float64(nil), x...), append([]float64(nil), x...)
	linalg.Axpy(eps, step, xp)
	linalg.Axpy(-eps, step, xm)
	o.Evaluate(t.Context(), xp, plus)
	o.Evaluate(t.Context(), xm, minus)
	var want mat.VecDense
	want.MulVec(h, mat.NewVecDense(len(x), step))
	scale := mat.Norm(&want, math.Inf(1))
	for i := range plus {
		// Central differences of a polynomial: eps^2 times the third derivative.
		if got := (plus[i] - minus[i]) / (2 * eps); !(math.Abs(got-want.AtVec(i)) <= 1e-7*scale) {
			t.Errorf("entry %d: %v, want %v", i, got, want.AtVec(i))
		}
	}
}

// A point without a definite system is refused, and a call allocates nothing.
func TestGaussNewtonLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const n, r = 30, 5
	s := NewGaussNewton(3, n, r)
	x, q, z := randomVector(rng, r+r*n), randomVector(rng, r+r*n), make([]float64, r+r*n)
	if got := testing.AllocsPerRun(10, func() { s.Solve(x, q, z, .1) }); got != 0 {
		t.Errorf("%v allocations a call", got)
	}
	clear(x[:r])
	if s.Solve(x, q, z, .1) {
		t.Error("lambda = 0 was solved")
	}
	x[0] = math.Inf(1)
	if s.Solve(x, q, z, .1) {
		t.Error("an infinite lambda was solved")
	}
}

// With Second the solution is that of the dense system with its curvature, or without it if
// that is not positive definite.
func TestGaussNewtonSecond(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const d, n, r, damping = 3, 5, 3, .05
	size := r + r*n
	s := NewGaussNewton(d, n, r)
	s.steps, s.tolerance = 200, 1e-24
	for _, c := range []struct {
		share  float64 // of column j's own curvature, 2 g_jj
		within bool
	}{{.02, true}, {-.5, true}, {-20, true}, {3, false}} {
		for range 5 {
			x, q, z := randomVector(rng, size), randomVector(rng, size), make([]float64, size)
			h := denseGaussNewton(d, n, r, x, damping)
			s.Second = make([]float64, r)
			for j := range r {
				a := x[r+j*n : r+(j+1)*n]
				own := d * x[j] * x[j] * math.Pow(linalg.Dot(a, a), d-1)
				s.Second[j] = c.share * own / (d * (d - 1) * x[j])
				for i := range n {
					if v := r + j*n + i; c.within {
						h.Set(v, v, h.At(v, v)-2*c.share*own)
					}
				}
			}
			if !s.Solve(x, q, z, damping) {
				t.Fatalf("%+v: not definite", c)
			}
			var left mat.VecDense
			left.MulVec(h, mat.NewVecDense(size, z))
			left.SubVec(&left, mat.NewVecDense(size, q))
			if off := mat.Norm(&left, 2) / linalg.Norm2(q); off > 1e-8 { // as in TestGaussNewtonDense
				t.Errorf("%+v: residual %g", c, off)
			}
		}
	}
}

// Wherever a solution of a high rank is interrupted, it ends there, in factors, inverses and
// conjugate gradients; what is not interrupted has the bits that it has otherwise.
func TestGaussNewtonStopped(t *testing.T) {
	const d, n, r = 3, 5, 2*longRank + 7
	rng := rand.New(rand.NewPCG(1, 1))
	x, q := make([]float64, r+r*n), make([]float64, r+r*n)
	for i := range x {
		x[i], q[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	z, again := make([]float64, len(x)), make([]float64, len(x))
	s := NewGaussNewton(d, n, r)
	if !s.Solve(x, q, z, .1) {
		t.Fatal("no solution")
	}
	asked := 0
	s.Stopped = func() bool { asked++; return false }
	if !s.Solve(x, q, again, .1) || !slices.Equal(z, again) {
		t.Error("another solution")
	}
	all := asked
	if all < 2*r { // two factors, column by column
		t.Errorf("asked %d times", all)
	}
	for _, after := range []int{0, 1, r / 2, r + 3, 2*r - 1, 2 * r, 2*r + 1, 2*r + 5, all - 1} {
		asked = 0
		s.Stopped = func() bool { asked++; return asked > after }
		if s.Solve(x, q, again, .1) || asked > after+4 {
			t.Errorf("after %d of %d questions: goes on for %d", after, all, asked-after)
		}
		asked = after
		if got := s.Decrease(x, q, 1e-13, math.Inf(1), false); !math.IsNaN(got) {
			t.Errorf("stopped, a decrease of %g", got)
		}
	}
}
