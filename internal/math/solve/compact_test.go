package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The pieces of L-BFGS-B against dense matrices. Tolerance: the test problems
// have condition numbers below about 1e4, times 1e-16 and some room.
const denseTol = 1e-9

// randomModel is an L-BFGS-B state at a random point of a random box after
// updates steps on a random quadratic, and the dense matrix B that it stands for,
// built by the BFGS update N&W (6.19) from theta*I.
func randomModel(rng *rand.Rand, n, m, updates int) (*lbfgsb, *run, *mat.SymDense) {
	p, _, _ := boxQP(rng, n)
	b := newLBFGSB(n, m, newBox(n, p.lower, p.upper))
	r := newRun(nil, p.x0, Settings{})
	r.box = b.box
	var s, y [][]float64
	for range updates {
		p.fg(r.x, r.g)
		for i := range r.xt {
			r.xt[i] = r.x[i] + rng.NormFloat64()
		}
		p.fg(r.xt, r.gt)
		b.update(r)
		ds, dy := make([]float64, n), make([]float64, n)
		for i := range ds {
			ds[i], dy[i] = r.xt[i]-r.x[i], r.gt[i]-r.g[i]
		}
		s, y = append(s, ds), append(y, dy)
		r.x, r.xt = r.xt, r.x
	}
	r.box.project(r.x)
	p.fg(r.x, r.g)

	dense := mat.NewSymDense(n, nil)
	for i := range n {
		dense.SetSym(i, i, b.theta)
	}
	for k := max(0, updates-m); k < updates; k++ {
		vs, vy := mat.NewVecDense(n, s[k]), mat.NewVecDense(n, y[k])
		var bs mat.VecDense
		bs.MulVec(dense, vs)
		sbs := mat.Dot(vs, &bs)
		dense.SymRankOne(dense, -1/sbs, &bs)
		dense.SymRankOne(dense, 1/mat.Dot(vs, vy), vy)
	}
	return b, r, dense
}

func TestCompactMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n, m := 1+rng.IntN(8), 1+rng.IntN(5)
		b, _, dense := randomModel(rng, n, m, rng.IntN(2*m+2))
		k := 2 * b.count
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		// B v = theta*v - W M W'v
		wv, mwv, row := make([]float64, k), make([]float64, k), make([]float64, k)
		b.mulWT(wv, v)
		b.mulM(mwv, wv)
		var want mat.VecDense
		want.MulVec(dense, mat.NewVecDense(n, v))
		for i := range v {
			b.row(row, i)
			got := b.theta * v[i]
			for j := range row {
				got -= row[j] * mwv[j]
			}
			if !(math.Abs(got-want.AtVec(i)) <= denseTol*(mat.Norm(dense, 2)+1)) {
				t.Fatalf("n %d, m %d, count %d: (Bv)[%d] = %v, dense %v", n, m, b.count, i, got, want.AtVec(i))
			}
		}
	}
}

// denseCauchy walks the segments of the projected path with the dense matrix.
func denseCauchy(x, g []float64, bx *box, dense *mat.SymDense) []float64 {
	n := len(x)
	t := make([]float64, n)
	for i := range t {
		t[i] = math.Inf(1)
		if g[i] < 0 {
			t[i] = (x[i] - bx.upper[i]) / g[i]
		} else if g[i] > 0 {
			t[i] = (x[i] - bx.lower[i]) / g[i]
		}
	}
	at := func(s float64) []float64 {
		z := make([]float64, n)
		for i := range z {
			z[i] = x[i] - min(s, t[i])*g[i]
			if s >= t[i] {
				z[i] = bx.upper[i]
				if g[i] > 0 {
					z[i] = bx.lower[i]
				}
			}
		}
		return z
	}
	stops := append([]float64{0}, t...)
	slices.Sort(stops)
	for k, from := range stops {
		if math.IsInf(from, 1) {
			break
		}
		to := math.Inf(1)
		if k+1 < len(stops) {
			to = stops[k+1]
		}
		if to <= from {
			continue
		}
		z := at(from)
		d := make([]float64, n)
		f1, f2 := 0.0, 0.0
		for i := range d {
			if t[i] > from {
				d[i] = -g[i]
			}
		}
		for i := range d {
			bz := 0.0
			for j := range d {
				bz += dense.At(i, j) * (z[j] - x[j])
				f2 += d[i] * dense.At(i, j) * d[j]
			}
			f1 += d[i] * (g[i] + bz)
		}
		if f1 >= 0 {
			return z
		}
		if s := from - f1/f2; s < to {
			return at(s)
		}
	}
	return at(math.Inf(1))
}

func TestCauchyPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	passed := 0
	for range 1000 {
		n, m := 1+rng.IntN(9), 1+rng.IntN(5)
		b, r, dense := randomModel(rng, n, m, rng.IntN(m+2))
		b.cauchyPoint(r.x, r.g)
		want := denseCauchy(r.x, r.g, b.box, dense)
		step := make([]float64, n)
		for i := range want {
			step[i] = want[i] - r.x[i]
			if !b.box.free(i, want[i]) && step[i] != 0 {
				passed++
			}
			if !(math.Abs(b.z[i]-want[i]) <= denseTol*max(1, math.Abs(want[i]))) {
				t.Fatalf("n %d, count %d: z = %v, dense %v", n, b.count, b.z, want)
			}
		}
		c := make([]float64, 2*b.count)
		b.mulWT(c, step)
		for j := range c {
			if !(math.Abs(b.c[j]-c[j]) <= denseTol*max(1, math.Abs(c[j]))*10) {
				t.Fatalf("n %d, count %d: c = %v, W'(z-x) = %v", n, b.count, b.c[:2*b.count], c)
			}
		}
	}
	if passed < 500 {
		t.Errorf("only %d breakpoints were passed; the test has lost its object", passed)
	}
}

func TestSubspace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	inside, projected, cut := 0, 0, 0
	for range 2000 {
		n, m := 1+rng.IntN(9), 1+rng.IntN(5)
		b, r, dense := randomModel(rng, n, m, 1+rng.IntN(m+2))
		if b.count == 0 {
			continue
		}
		b.cauchyPoint(r.x, r.g)
		zc := slices.Clone(b.z)
		var free []int
		for i, v := range zc {
			if b.box.free(i, v) {
				free = append(free, i)
			}
		}
		if !b.minimizeSubspace(r.x, r.g) {
			t.Fatalf("broke down at n %d, count %d", n, b.count)
		}
		if len(free) == 0 {
			if !slices.Equal(zc, b.z) {
				t.Fatal("moved with no variable free")
			}
			continue
		}
		// Newton step of the model over the free variables.
		h := mat.NewDense(len(free), len(free), nil)
		rhs := mat.NewVecDense(len(free), nil)
		for a, i := range free {
			v := -r.g[i]
			for j := range n {
				v -= dense.At(i, j) * (zc[j] - r.x[j])
			}
			rhs.SetVec(a, v)
			for c, j := range free {
				h.Set(a, c, dense.At(i, j))
			}
		}
		var d mat.VecDense
		if err := d.SolveVec(h, rhs); err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(zc)
		slope, all := 0.0, 1.0
		clipped := false
		for a, i := range free {
			v := zc[i] + d.AtVec(a)
			want[i] = min(max(v, b.box.lower[i]), b.box.upper[i])
			clipped = clipped || want[i] != v
			if v < b.box.lower[i] {
				all = min(all, (b.box.lower[i]-zc[i])/d.AtVec(a))
			} else if v > b.box.upper[i] {
				all = min(all, (b.box.upper[i]-zc[i])/d.AtVec(a))
			}
		}
		for i := range want {
			slope += (want[i] - r.x[i]) * r.g[i]
		}
		switch {
		case !clipped:
			inside++
		case slope <= 0:
			projected++
		default:
			cut++
			for a, i := range free {
				want[i] = zc[i] + all*d.AtVec(a)
			}
		}
		for i := range want {
			if !(math.Abs(b.z[i]-want[i]) <= denseTol*max(1, mat.Norm(&d, 2))*100) {
				t.Fatalf("n %d, count %d: z = %v, dense %v", n, b.count, b.z, want)
			}
			if b.z[i] < b.box.lower[i] || b.z[i] > b.box.upper[i] {
				t.Fatalf("z[%d] = %v outside [%v, %v]", i, b.z[i], b.box.lower[i], b.box.upper[i])
			}
		}
	}
	t.Logf("inside %d, projected %d, cut off %d", inside, projected, cut)
	if inside < 50 || projected < 50 || cut < 1 {
		t.Errorf("inside %d, projected %d, cut off %d: a case is hardly tested", inside, projected, cut)
	}
}

// A direction of descent that clipping turns into one of ascent is cut off at
// the first bound instead.
func TestProjectCutsOff(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		b := newLBFGSB(2, 1, newBox(2, []float64{-1, -1}, []float64{1, 1}))
		b.free = append(b.free[:0], 0, 1)
		x, g := []float64{0, 0}, []float64{sign, 1.5 * sign}
		// g'd = -2.5, but clipped to (-1, 1) the slope is +0.5.
		b.project([]float64{-10 * sign, 5 * sign}, x, g)
		if b.z[0] != -sign || b.z[1] != 0.5*sign {
			t.Errorf("z = %v, want %v at a tenth of the step", b.z, []float64{-sign, 0.5 * sign})
		}
		// Clipping that keeps the descent stays: slope -2.5.
		clear(b.z)
		b.project([]float64{-10 * sign, -5 * sign}, x, g)
		if b.z[0] != -sign || b.z[1] != -sign {
			t.Errorf("z = %v, want the corner", b.z)
		}
	}
}
