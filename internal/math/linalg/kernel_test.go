package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// use makes a kernel the active one until the test ends.
func use(t testing.TB, k kernel) {
	was := active
	active = k
	t.Cleanup(func() { active = was })
}

// assembly lists the kernels of this machine besides the Go twin.
func assembly() []kernel { return supported()[1:] }

func TestChoose(t *testing.T) {
	old, new, arm := []kernel{generic, avx2}, []kernel{generic, avx2, avx512}, []kernel{generic, neon}
	for _, c := range []struct {
		want string
		can  []kernel
		got  kernel
		err  string
	}{
		{"", old, avx2, ""},
		{"", arm, neon, ""},
		{"generic", new, generic, ""},
		{"avx2", new, avx2, ""},
		{"avx512", new, avx512, ""},
		{"neon", arm, neon, ""},
		{"avx512", old, avx2,
			"SYMMOM_CPU=avx512: this processor or this build cannot run it; the best that it can is avx2"},
		{"avx2", []kernel{generic}, generic,
			"SYMMOM_CPU=avx2: this processor or this build cannot run it; the best that it can is generic"},
		{"avx2", arm, neon,
			"SYMMOM_CPU=avx2: this processor or this build cannot run it; the best that it can is neon"},
		{"neon", new, avx512,
			"SYMMOM_CPU=neon: this processor or this build cannot run it; the best that it can is avx512"},
		{"sse", old, avx2, `SYMMOM_CPU="sse": want generic, avx2, avx512 or neon, or nothing for the best, avx2`},
	} {
		got, err := choose(c.want, c.can)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if got != c.got || problem != c.err {
			t.Errorf("choose(%q, %v) = %v, %v", c.want, c.can, got, err)
		}
	}
}

// What was chosen at start-up is what the environment asks for, and would have
// been for any other. No process is started for it: under an emulator none can be.
func TestKernelFromEnvironment(t *testing.T) {
	if k, err := fromEnvironment(); k != active || fmt.Sprint(err) != fmt.Sprint(refused) {
		t.Errorf("%v, %v at start-up; now %v, %v", active, refused, k, err)
	}
	for _, want := range supported() {
		t.Setenv("SYMMOM_CPU", want.String())
		if k, err := fromEnvironment(); k != want || err != nil {
			t.Errorf("SYMMOM_CPU=%s: %v, %v", want, k, err)
		}
	}
}

// problem is one product in memory that faults next to its slices.
type problem struct {
	rows, n, r, k int
	v, a, y, z    []float64
	v32           []float32
	nu            []float64
	reach         Reach
}

func newProblem(t testing.TB, rng *rand.Rand, rows, n, r, k int, weighted bool, reach Reach) *problem {
	p := &problem{rows: rows, n: n, r: r, k: k, reach: reach}
	p.v32 = guarded[float32](t, rows*n)
	p.v, p.a, p.y = guarded[float64](t, rows*n), guarded[float64](t, r*n), guarded[float64](t, r*n)
	p.z = guarded[float64](t, TTSVScratch(n, r))
	for i := range p.v {
		p.v32[i] = float32(rng.NormFloat64())
		p.v[i] = float64(p.v32[i])
	}
	for _, x := range [][]float64{p.a, p.y, p.z} {
		for i := range x {
			x[i] = rng.NormFloat64()
		}
	}
	if weighted {
		p.nu = guarded[float64](t, rows)
		for i := range p.nu {
			p.nu[i] = rng.Float64()
		}
	}
	return p
}

// want returns the result in Go and a bound of the rounding errors of any
// order of summation: the inner products are off by at most n+1 roundings of
// the sum of the absolute values of their terms, their powers by k times as
// much and k more, the outer sums by rows+2 more; both sides may err.
func (p *problem) want() (y, bound []float64) {
	y = append(y, p.y...)
	o := Operands[float64]{V: p.v, A: p.a, Nu: p.nu, Rows: p.rows, N: p.n, R: p.r, K: p.k, as: p.n, Stride: p.n}
	ttsvGeneric(y, o, p.z)
	bound = absolute(p.y)
	ttsvGeneric(bound, Operands[float64]{V: absolute(p.v), A: absolute(p.a), Nu: p.nu, Rows: p.rows, N: p.n, R: p.r, K: p.k, as: p.n, Stride: p.n}, p.z)
	Scale(2*0x1p-53*float64(p.k*(p.n+2)+p.rows+2), bound)
	return y, bound
}

func absolute(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Abs(v)
	}
	return y
}

// check holds all kernels against the Go twin, and float32 storage against
// float64: the values are the same, and so are the bits where the order is.
func (p *problem) check(t *testing.T) {
	t.Helper()
	want, bound := p.want()
	start := append([]float64(nil), p.y...)
	for _, k := range append(assembly(), generic) {
		active = k
		copy(p.y, start)
		TTSV(p.y, Operands[float64]{V: p.v, A: p.a, Nu: p.nu, Rows: p.rows, N: p.n, R: p.r, K: p.k, Reach: p.reach}, p.z)
		for i := range want {
			if !(math.Abs(p.y[i]-want[i]) <= bound[i]) {
				t.Fatalf("%v %v: y[%d] = %g, want %g within %g", k, p, i, p.y[i], want[i], bound[i])
			}
		}
		first := append([]float64(nil), p.y...)
		copy(p.y, start)
		stride := p.n + p.k // whatever it is, and what comes next, the bits are the same
		padded := guarded[float64](t, p.rows*stride)
		for l := range p.rows {
			copy(padded[l*stride:], p.v[l*p.n:(l+1)*p.n])
		}
		TTSV(p.y, Operands[float64]{V: padded, A: p.a, Nu: p.nu, Rows: p.rows, N: p.n, R: p.r, K: p.k, Reach: p.reach, Stride: stride, Next: p.v}, p.z)
		for i := range first {
			if p.y[i] != first[i] {
				t.Fatalf("%v %v: rows %d apart: y[%d] = %g, want %g", k, p, stride, i, p.y[i], first[i])
			}
		}
		copy(p.y, start)
		TTSV(p.y, Operands[float32]{V: p.v32, A: p.a, Nu: p.nu, Rows: p.rows, N: p.n, R: p.r, K: p.k, Reach: p.reach}, p.z)
		alike := p.alike()
		for i := range first {
			if !alike && !(math.Abs(p.y[i]-first[i]) <= bound[i]) || alike && p.y[i] != first[i] {
				t.Fatalf("%v %v: float32: y[%d] = %g, want %g", k, p, i, p.y[i], first[i])
			}
		}
	}
}

func (p *problem) String() string {
	return fmt.Sprintf("rows=%d n=%d r=%d k=%d weighted=%v reach=%v", p.rows, p.n, p.r, p.k, p.nu != nil, p.reach)
}

// Every width of tiles, strips and tails.
func TestTTSVShapes(t *testing.T) {
	use(t, active)
	rng := rand.New(rand.NewPCG(3, 1))
	for r := 1; r <= 13; r++ {
		for n := 1; n <= 90; n++ {
			newProblem(t, rng, 1+rng.IntN(40), n, r, rng.IntN(6), rng.IntN(2) == 0, Reach(rng.IntN(int(Memory)+1))).check(t)
		}
	}
}

// Columns in lanes: every number of vectors and of columns left,
// the last column but one; up to and beyond the most variables they are used for.
func TestTTSVLanes(t *testing.T) {
	use(t, active)
	rng := rand.New(rand.NewPCG(3, 2))
	for _, r := range []int{7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 28, 30, 31, 32, 33, 34, 40, 49} {
		for _, n := range []int{1, 2, 7, 8, 21, 28, 38, 75, 119, 120, 121} {
			newProblem(t, rng, 120+rng.IntN(40), n, r, rng.IntN(6), rng.IntN(2) == 0, Reach(rng.IntN(int(Memory)+1))).check(t)
		}
	}
}

// Variables in parts, where a tile of A is too large for the first-level cache.
func TestTTSVParts(t *testing.T) {
	use(t, active)
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{600, 616, 617, 750, 751, 1000, 1217, 1500} {
		for _, r := range []int{1, 3, 4, 5, 6, 10} {
			newProblem(t, rng, 9+rng.IntN(20), n, r, rng.IntN(4), rng.IntN(2) == 0, Reach(rng.IntN(int(Memory)+1))).check(t)
		}
	}
}

// Several blocks, with and without fetching ahead.
func TestTTSVBlocks(t *testing.T) {
	use(t, active)
	rng := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1, 75, 500, 5000} {
		for reach := Near; reach <= Memory; reach++ {
			for range 3 {
				newProblem(t, rng, 1+rng.IntN(300), n, 1+rng.IntN(6), 2, true, reach).check(t)
			}
		}
	}
}

func FuzzTTSV(f *testing.F) {
	f.Add(uint64(1), uint16(17), uint16(75), uint8(5), uint8(2), true, uint8(0))
	f.Add(uint64(2), uint16(130), uint16(500), uint8(10), uint8(3), false, uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, rows, n uint16, r, k uint8, weighted bool, reach uint8) {
		use(t, active)
		rng := rand.New(rand.NewPCG(seed, 1))
		newProblem(t, rng, int(rows%200), 1+int(n%600), 1+int(r%40), int(k%9), weighted, Reach(reach%4)).check(t)
	})
}

// The kernels must not depend on how the slices lie in memory.
func TestTTSVUnaligned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const rows, n, r = 45, 77, 6
	v, a := random(rows*n+8, rng), random(r*n+8, rng)
	for _, k := range assembly() {
		use(t, k)
		var want []float64
		for offset := range 8 {
			x, b := make([]float64, len(v)), make([]float64, len(a))
			copy(x[offset:], v[:rows*n])
			copy(b[8-offset:], a[:r*n])
			y := make([]float64, r*n+8)
			TTSV(y[offset:], Operands[float64]{V: x[offset:], A: b[8-offset:], Rows: rows, N: n, R: r, K: 2}, make([]float64, TTSVScratch(n, r)))
			if want == nil {
				want = append(want, y[:r*n]...)
			}
			for i := range want {
				if y[offset+i] != want[i] {
					t.Fatalf("%v, offset %d: y[%d] = %g, want %g", k, offset, i, y[offset+i], want[i])
				}
			}
		}
	}
}

// checkProducts holds MulABt, AddAtB, Dot and Axpy against their twins, with
// the bounds of sums of k products.
func checkProducts(t *testing.T, rng *rand.Rand, m, n, k int) {
	t.Helper()
	a, b, c := guarded[float64](t, m*k), guarded[float64](t, n*k), guarded[float64](t, m*n)
	for _, x := range [][]float64{a, b, c} {
		for i := range x {
			x[i] = rng.NormFloat64()
		}
	}
	start := append([]float64(nil), c...)
	compare := func(what string, got, want, bound []float64) {
		t.Helper()
		for i := range want {
			if limit := 2 * 0x1p-53 * float64(k+1) * bound[i]; !(math.Abs(got[i]-want[i]) <= limit) {
				t.Fatalf("%v: %s %dx%dx%d: [%d] = %g, want %g within %g", active, what, m, n, k, i, got[i], want[i], limit)
			}
		}
	}
	want, bound := make([]float64, m*n), make([]float64, m*n)
	const gap = 3 // columns between those of a product
	wide := guarded[float64](t, max(0, (m-1)*(n+gap)+n))
	for _, active = range append(assembly(), generic) {
		mulABtGeneric(want, a, b, m, n, k, k)
		mulABtGeneric(bound, absolute(a), absolute(b), m, n, k, k)
		for i := range wide {
			wide[i] = 7
		}
		MulABtColumns(wide, n+gap, Align(a, m, k, 1), b, n, Ahead{b, Memory})
		for i := range m {
			compare("MulABtColumns", wide[i*(n+gap):][:n], want[i*n:(i+1)*n], bound[i*n:(i+1)*n])
			for _, v := range wide[i*(n+gap)+n : min(len(wide), (i+1)*(n+gap))] {
				if v != 7 {
					t.Fatalf("%v: MulABtColumns %dx%dx%d wrote beside its columns", active, m, n, k)
				}
			}
		}
	}
	for _, active = range assembly() {
		mulABtGeneric(want, a, b, m, n, k, k)
		mulABtGeneric(bound, absolute(a), absolute(b), m, n, k, k)
		MulABt(c, a, b, m, n, k)
		compare("MulABt", c, want, bound)

		copy(want, start)
		addAtBGeneric(want, a, b, m, n, k, n)
		copy(bound, absolute(start))
		addAtBGeneric(bound, absolute(a), absolute(b), m, n, k, n)
		copy(c, start)
		AddAtB(c, a, b, m, n, k)
		compare("AddAtB", c, want, bound)
	}
	if m == 0 || n == 0 {
		return
	}
	x, y := a[:k], b[:k]
	for _, active = range assembly() {
		compare("Dot", []float64{Dot(x, y)}, []float64{dotGeneric(x, y)}, []float64{dotGeneric(absolute(x), absolute(y))})
		sum, abs := append([]float64(nil), y...), absolute(y)
		axpyGeneric(-1.5, x, sum)
		axpyGeneric(1.5, absolute(x), abs)
		was := append([]float64(nil), y...)
		Axpy(-1.5, x, y)
		compare("Axpy", y, sum, abs)
		scaleGeneric(.3, sum)
		copy(y, sum)
		Scale(1/.3, y)
		scaleGeneric(1/.3, sum)
		compare("Scale", y, sum, make([]float64, k)) // one rounding each
		copy(y, was)
		multiplyGeneric(sum, x, y)
		products := make([]float64, k)
		Multiply(products, x, y)
		compare("Multiply", products, sum, make([]float64, k)) // one rounding each
	}
}

func TestProductsAgainstTwin(t *testing.T) {
	use(t, active)
	rng := rand.New(rand.NewPCG(6, 1))
	for m := range 13 {
		for n := range 13 {
			for range 3 {
				checkProducts(t, rng, m, n, rng.IntN(80))
			}
		}
	}
	for range 100 {
		checkProducts(t, rng, rng.IntN(60), rng.IntN(60), rng.IntN(100))
	}
}

func FuzzProducts(f *testing.F) {
	f.Add(uint64(1), uint8(9), uint8(17), uint8(33))
	f.Fuzz(func(t *testing.T, seed uint64, m, n, k uint8) {
		use(t, active)
		checkProducts(t, rand.New(rand.NewPCG(seed, 1)), int(m), int(n), int(k))
	})
}

// Tables are copied where that makes products faster, and nowhere else.
func TestCopiedStride(t *testing.T) {
	paged := 0
	if largePages {
		paged = 504
	}
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for _, c := range []struct{ rows, n, want int }{
			{3000, 75, 80},
			{3000, 9, 0},     // padding would take two thirds more
			{3000, 512, 520}, // rows 4 KB apart
			{1000, 504, paged},
			{100, 504, 0},    // 400 kB stay in the cache
			{100000, 500, 0}, // 400 MB come from memory
		} {
			want := c.want
			if k == generic {
				want = 0
			}
			if got := CopiedStride[float64](c.rows, c.n); got != want {
				t.Errorf("%v: %d x %d: %d, want %d", k, c.rows, c.n, got, want)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	const rows, n, r = 100, 33, 7
	v, a, y, z := make([]float64, rows*n), make([]float64, r*n), make([]float64, r*n), make([]float64, TTSVScratch(n, r))
	c, small := make([]float64, rows*rows), make([]float32, rows*n)
	slab := Slab{R: r, Width: 8, Variables: 8, Products: 8, Middle: []Middle{{1, 0, 1}}}
	for _, k := range append(assembly(), generic) {
		use(t, k)
		if got := testing.AllocsPerRun(10, func() {
			TTSV(y, Operands[float64]{V: v, A: a, Rows: rows, N: n, R: r, K: 2, Reach: Memory}, z)
			TTSV(y, Operands[float32]{V: small, A: a, Rows: rows, N: n, R: r, K: 2, Reach: Memory}, z)
			TTSV(y, Operands[float64]{V: v, A: a, Rows: rows / 2, N: n, R: r, K: 2, Stride: 40}, z)
			MulABt(c, v, v, rows, rows, n)
			MulABt(c, v, a, rows, r, n)
			AddAtB(y, c, v, r, n, rows)
			Axpy(Dot(a, a), a, y)
			Scale(.5, y)
			slab.Add(y, z, v, a, a, c)
		}); got != 0 {
			t.Errorf("%v: %v allocations", k, got)
		}
	}
}
