package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// checkSlab holds the kernels of a slab of random shape against the Go twin,
// with data that end where memory does.
func checkSlab(t *testing.T, seed uint64, r, width, middle, most int, ahead bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	s := Slab{R: r, First: panel * rng.IntN(4), Width: panel * width}
	for range middle {
		m := Middle{K: rng.IntN(s.First + s.Width), Row: panel * rng.IntN(5), Panels: 1 + rng.IntN(most)}
		s.Middle = append(s.Middle, m)
		s.Products = max(s.Products, m.Row+panel*m.Panels)
	}
	s.Variables = s.First + s.Width + panel*rng.IntN(2)
	panels := s.Panels()
	if ahead {
		s.Ahead = panels * panel * s.Width // beyond the end: fetching does not fault
	}
	random := func(size int) []float64 {
		x := guarded[float64](t, size)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	x, a, p := random(panels*panel*s.Width), random(r*s.Variables), random(r*s.Products)
	y, g, z := random(r*s.Variables), random(r*s.Products), random(SlabScratch(panels, r))
	start := [2][]float64{append([]float64(nil), y...), append([]float64(nil), g...)}

	want := [2][]float64{append([]float64(nil), y...), append([]float64(nil), g...)}
	s.addGeneric(want[0], want[1], x, a, p)
	// Inner products of Width terms, then sums of as many terms as there are
	// rows, a factor or two between them, in any order; both sides may err.
	bound := [2][]float64{absolute(y), absolute(g)}
	s.addGeneric(bound[0], bound[1], absolute(x), absolute(a), absolute(p))
	rounding := 2 * 0x1p-53 * float64(s.Width+panel*panels+4)
	for _, k := range append(assembly(), generic) {
		active = k
		copy(y, start[0])
		copy(g, start[1])
		s.Add(y, g, x, a, p, z)
		for which, got := range [2][]float64{y, g} {
			for i, v := range want[which] {
				if !(math.Abs(got[i]-v) <= rounding*bound[which][i]) {
					t.Fatalf("%v, slab %+v: %s[%d] = %g, want %g within %g", k, s, [2]string{"y", "g"}[which], i, got[i], v, rounding*bound[which][i])
				}
			}
		}
	}
}

// Every width of tiles and groups, and what is left over of panels.
func TestSlab(t *testing.T) {
	use(t, active)
	for r := 1; r <= 12; r++ {
		for seed := range uint64(20) {
			checkSlab(t, seed, r, 1+int(seed%4), 1+int(seed/4%3), 1+int(seed%9), seed%2 == 0)
		}
	}
}

func FuzzSlab(f *testing.F) {
	f.Add(uint64(1), uint8(5), uint8(3), uint8(8), uint8(4), true)
	f.Add(uint64(2), uint8(1), uint8(0), uint8(0), uint8(0), false)
	f.Fuzz(func(t *testing.T, seed uint64, r, width, middle, most uint8, ahead bool) {
		use(t, active)
		checkSlab(t, seed, 1+int(r%30), 1+int(width%12), 1+int(middle%8), 1+int(most%10), ahead)
	})
}

// The kernels must not depend on how the slices lie in memory.
func TestSlabUnaligned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	s := Slab{R: 7, First: 8, Width: 24, Variables: 32, Products: 40, Middle: []Middle{{9, 0, 4}, {10, 0, 5}}}
	x, a, p := random(s.Panels()*panel*s.Width, rng), random(s.R*s.Variables, rng), random(s.R*s.Products, rng)
	for _, k := range assembly() {
		use(t, k)
		var want []float64
		for offset := range 8 {
			move := func(v []float64) []float64 { return append(make([]float64, offset), v...)[offset:] }
			y, g := move(make([]float64, s.R*s.Variables)), move(make([]float64, s.R*s.Products))
			s.Add(y, g, move(x), move(a), move(p), move(make([]float64, SlabScratch(s.Panels(), s.R))))
			got := append(y, g...)
			if want == nil {
				want = got
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%v, offset %d: [%d] = %g, want %g", k, offset, i, got[i], want[i])
				}
			}
		}
	}
}
