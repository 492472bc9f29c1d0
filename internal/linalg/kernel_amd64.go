//go:build amd64 && !purego

package linalg

//go:generate go run -C _asm . -isa avx512 -out ../kernels_avx512_amd64.s -stubs ../kernels_avx512_amd64.go -pkg linalg
//go:generate go run -C _asm . -isa avx2 -out ../kernels_avx2_amd64.s -stubs ../kernels_avx2_amd64.go -pkg linalg

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// supported returns the best kernel that processor and operating system run.
func supported() kernel {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return avx512
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return avx2
	}
	return generic
}

// blocking is the shape of the tiles of a kernel.
type blocking struct {
	chunk   int    // numbers in a register
	columns int    // of A in a tile, at most
	strip   [6]int // chunks in a strip for each number of columns, at most
	pairs   int    // from this many columns on, a panel is done in two halves
}

var blockings = [...]blocking{
	avx2:   {chunk: 4, columns: 3, strip: [6]int{1: 8, 2: 6, 3: 4}, pairs: 2},
	avx512: {chunk: 8, columns: 5, strip: [6]int{1: 8, 2: 8, 3: 8, 4: 6, 5: 5}, pairs: 4},
}

// split cuts x into as few parts as the limit allows: many of the given size
// and fewer that are smaller by one.
func split(x, limit int) (size, many, fewer int) {
	parts := (x + limit - 1) / limit
	size = (x + parts - 1) / parts
	fewer = parts*size - x
	return size, parts - fewer, fewer
}

func dotVectors(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	if active == avx512 {
		return dotvAVX512(&x[0], &y[0], len(x))
	}
	return dotvAVX2(&x[0], &y[0], len(x))
}

func axpyVectors(alpha float64, x, y []float64) {
	switch {
	case len(x) == 0:
	case active == avx512:
		axpyAVX512(alpha, &x[0], &y[0], len(x))
	default:
		axpyAVX2(alpha, &x[0], &y[0], len(x))
	}
}

func widenVectors(dst []float64, src []float32) {
	if len(src) > 0 {
		widenAVX2(&dst[0], &src[0], len(src)) // bound by memory: there is no other
	}
}

func (s *AdamStep) applyVectors(x, m, v, g []float64) {
	if len(g) > 0 {
		adamAVX2(&x[0], &m[0], &v[0], &g[0], len(g), &s.Beta1) // bound by roots and divisions: there is no other
	}
}

func scaleVectors(alpha float64, x []float64) {
	switch {
	case len(x) == 0:
	case active == avx512:
		scaleAVX512(alpha, &x[0], len(x))
	default:
		scaleAVX2(alpha, &x[0], len(x))
	}
}

// tanhVectors leaves what is less than a vector to a copy of it.
func tanhVectors(x []float64) {
	lanes, kernel := 4, tanhAVX2
	if active == avx512 {
		lanes, kernel = 8, tanhAVX512
	}
	whole := len(x) / lanes * lanes
	if whole > 0 {
		kernel(&x[0], whole)
	}
	if whole < len(x) {
		var rest [8]float64
		copy(rest[:], x[whole:])
		kernel(&rest[0], lanes)
		copy(x[whole:], rest[:])
	}
}

// powTiles raises r columns of panels of z to the power k and weights them.
func powTiles(z []float64, r, panels, k int, nu []float64) {
	var w *float64
	if nu != nil {
		w = &nu[:panels*panel][0]
	}
	if active == avx512 {
		powAVX512(&z[0], r, panels, k, w)
		return
	}
	powAVX2(&z[0], r, panels, k, w)
}

// dotTile calls the kernel that multiplies panels of rows of V (n numbers each,
// vs apart) with tiles of c columns of A (as apart). Strides are counted in
// numbers.
func dotTile[T float](c, tiles, panels, n int, z *float64, zj, zp int, v *T, vs int, a *float64, as int, p *prefetcher) {
	zj, zp, vs, as = 8*zj, 8*zp, vs*int(unsafe.Sizeof(*v)), 8*as
	switch v := any(v).(type) {
	case *float64:
		if active == avx512 {
			dotAVX512(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, p.hint)
		} else {
			dotAVX2(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, p.hint)
		}
	case *float32:
		if active == avx512 {
			dot32AVX512(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, p.hint)
		} else {
			dot32AVX2(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, p.hint)
		}
	}
	p.next += uintptr(p.step * blockings[active].dotLines(c, tiles, panels, n))
}

// addTile calls the kernel that adds to strips of q chunks of tiles of c rows
// of Y (ys apart), the last chunk of last numbers.
func addTile[T float](c, tiles, q, strips, rows, last int, y *float64, ys int, v *T, vs int, z *float64, s zStrides, p *prefetcher) {
	zj, zl, zp := 8*s.column, 8*s.row, 8*s.panel
	ys, vs = 8*ys, vs*int(unsafe.Sizeof(*v))
	switch v := any(v).(type) {
	case *float64:
		if active == avx512 {
			addAVX512(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, p.hint)
		} else {
			addAVX2(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, p.hint)
		}
	case *float32:
		if active == avx512 {
			add32AVX512(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, p.hint)
		} else {
			add32AVX2(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, p.hint)
		}
	}
	p.next += uintptr(p.step * addLines(tiles, strips, rows))
}
