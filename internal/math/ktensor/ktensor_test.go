package ktensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func random(d, n, r int, rng *rand.Rand) *Kruskal {
	k := New(d, n, r)
	for i := range k.A {
		k.A[i] = rng.NormFloat64()
	}
	for j := range k.Lambda {
		k.Lambda[j] = rng.NormFloat64()
	}
	return k
}

func dot(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

func within(t *testing.T, what string, got, want, scale float64) {
	t.Helper()
	// Sums of at most some thousand terms of the given size.
	if !(math.Abs(got-want) <= 1e-12*scale) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// Everything that is computed from lambda and A alone is compared with the
// dense tensors.
func TestAgainstFull(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for d := 1; d <= 5; d++ {
		n := 1 + rng.IntN(4)
		k, l := random(d, n, 1+rng.IntN(4), rng), random(d, n, 1+rng.IntN(4), rng)
		x, y := k.Full(), l.Full()
		nx, ny := dot(x, x), dot(y, y)
		within(t, "norm", k.NormSquared(), nx, 100*nx)
		within(t, "inner product", k.InnerProduct(l), dot(x, y), 100*math.Sqrt(nx*ny))

		b := l.Column(0)
		// X b^(d-1): contract the last mode d-1 times.
		z := x
		for len(z) > n {
			next := make([]float64, len(z)/n)
			for i := range next {
				next[i] = dot(z[i*n:(i+1)*n], b)
			}
			z = next
		}
		within(t, "TTSV in all modes", k.TTSV(b), dot(z, b), 1+100*math.Abs(dot(z, b)))

		a := k.Clone()
		a.Arrange()
		for i, v := range a.Full() {
			within(t, "entry after Arrange", v, x[i], math.Sqrt(nx))
		}
		for j := range a.R {
			within(t, "column norm", dot(a.Column(j), a.Column(j)), 1, 1)
			if j > 0 && !(math.Abs(a.Lambda[j]) <= math.Abs(a.Lambda[j-1])) {
				t.Errorf("d=%d: lambda not ordered: %v", d, a.Lambda)
			}
			if d%2 == 1 && a.Lambda[j] < 0 {
				t.Errorf("d=%d: lambda < 0: %v", d, a.Lambda)
			}
			if d%2 == 0 && largest(a.Column(j)) < 0 {
				t.Errorf("d=%d: the largest entry of column %d is negative", d, j)
			}
		}
		again := a.Clone()
		again.Arrange()
		for i := range a.A {
			within(t, "Arrange twice", again.A[i], a.A[i], 1)
		}
	}
}

func TestNormalizeZero(t *testing.T) {
	k := New(3, 2, 2)
	copy(k.Lambda, []float64{5, 0})
	copy(k.A, []float64{0, 0, 3, 4})
	k.Arrange()
	for j := range 2 {
		if k.Lambda[j] != 0 {
			t.Errorf("lambda = %v, want zeros: neither component is anything", k.Lambda)
		}
	}
	if c := AbsoluteCosines(k, k); c[0]+c[1]+c[2]+c[3] != 1 {
		t.Errorf("cosines %v, want one 1: the zero column has none", c)
	}
}

// bestByEnumeration tries every one-to-one matching.
func bestByEnumeration(c []float64, rows, cols int) float64 {
	var walk func(i, skips int, used int) float64
	walk = func(i, skips, used int) float64 {
		if i == rows {
			return 0
		}
		best := math.Inf(-1)
		for j := range cols {
			if used&(1<<j) == 0 {
				best = math.Max(best, c[i*cols+j]+walk(i+1, skips, used|1<<j))
			}
		}
		if skips > 0 {
			best = math.Max(best, walk(i+1, skips-1, used))
		}
		return best
	}
	return walk(0, max(0, rows-cols), 0) / float64(min(rows, cols))
}

func TestMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		rows, cols := 1+rng.IntN(6), 1+rng.IntN(6)
		c := make([]float64, rows*cols)
		for i := range c {
			c[i] = rng.Float64()
			if rng.IntN(3) == 0 {
				c[i] = math.Round(c[i]) // ties
			}
		}
		value, pairs := Match(c, rows, cols)
		within(t, "mean of the matching", value, bestByEnumeration(c, rows, cols), 1)
		usedRow, usedCol := map[int]bool{}, map[int]bool{}
		var sum float64
		for i, p := range pairs {
			if usedRow[p[0]] || usedCol[p[1]] || i > 0 && p[0] <= pairs[i-1][0] {
				t.Fatalf("pairs %v are not one-to-one in order", pairs)
			}
			usedRow[p[0]], usedCol[p[1]] = true, true
			sum += c[p[0]*cols+p[1]]
		}
		if len(pairs) != min(rows, cols) {
			t.Fatalf("%d pairs for %dx%d", len(pairs), rows, cols)
		}
		within(t, "mean of the pairs", sum/float64(len(pairs)), value, 1)
	}
}

// The score does not see order, sign or length of the columns.
func TestMatchInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	k := random(3, 8, 5, rng)
	l := New(3, 8, 5)
	for to, from := range rng.Perm(5) {
		for i, v := range k.Column(from) {
			l.Column(to)[i] = v * -float64(to+1)
		}
	}
	value, _ := Match(AbsoluteCosines(k, l), 5, 5)
	within(t, "score of the same columns", value, 1, 1)
}

// Shares, conditions and pairs that cancel are those of the dense terms.
func TestDiagnoseAgainstFull(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 8))
	for trial := range 40 {
		d, n, r := 2+trial%3, 3+rng.IntN(3), 2+rng.IntN(4)
		k := random(d, n, r, rng)
		// Two terms nearly cancel, in half of the trials: one is the other, a little turned.
		if i, j := rng.IntN(r), rng.IntN(r); trial%2 == 0 && i != j {
			for l, v := range k.Column(i) {
				k.Column(j)[l] = v * (1 + .05*rng.NormFloat64())
			}
			k.Lambda[j] = -k.Lambda[i] * (1 + .1*rng.NormFloat64())
		}
		far := k.Clone() // squares of whose weights overflow
		for j := range far.Lambda {
			far.Lambda[j] *= 0x1p800
		}
		x, terms := k.Full(), make([][]float64, r)
		for j := range terms {
			terms[j] = (&Kruskal{D: d, N: n, R: 1, Lambda: k.Lambda[j : j+1], A: k.Column(j)}).Full()
		}
		g, total := mat.NewSymDense(r, nil), dot(x, x)
		var pairs []TermPair
		got := k.Diagnose()
		if other := far.Diagnose(); !slices.Equal(other.Shares, got.Shares) || other.Condition != got.Condition || !slices.Equal(other.Degenerate, got.Degenerate) {
			t.Errorf("%+v in another unit, %+v", other, got)
		}
		for i := range r {
			within(t, "share", got.Shares[i], dot(terms[i], x)/total, 1000*dot(terms[i], terms[i])/total)
			for j := range i + 1 {
				cos := dot(terms[i], terms[j]) / math.Sqrt(dot(terms[i], terms[i])*dot(terms[j], terms[j]))
				if cos < -.9 {
					pairs = append(pairs, TermPair{j, i, cos})
				}
				sign := 1. // of the unit terms
				if k.Lambda[i]*k.Lambda[j] < 0 {
					sign = -1
				}
				g.SetSym(i, j, sign*cos)
			}
		}
		if len(pairs) != len(got.Degenerate) {
			t.Errorf("%d pairs cancel, want %v", len(got.Degenerate), pairs)
			continue
		}
		for i, p := range got.Degenerate {
			within(t, "cosine", p.Cosine, pairs[i].Cosine, 1000)
			if p.I != pairs[i].I || p.J != pairs[i].J {
				t.Errorf("terms %+v cancel, want %+v", p, pairs[i])
			}
		}
		var e mat.EigenSym
		e.Factorize(g, false)
		v := e.Values(nil)
		// Eigenvalues are right to 1e-16 of the largest.
		if want := v[r-1] / v[0]; !(math.Abs(got.Condition-want) <= 1e-13*want*want) {
			t.Errorf("condition %g, want %g", got.Condition, want)
		}
	}
}
