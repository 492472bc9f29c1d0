//go:build amd64 && !purego

package linalg

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// supported returns the kernels that processor and operating system run.
func supported() []kernel {
	ks := []kernel{generic}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ks = append(ks, avx2)
		if cpu.X86.HasAVX512F {
			ks = append(ks, avx512)
		}
	}
	return ks
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

func squaresVectors(sums, v []float64, fours int) {
	if fours > 0 {
		squaresAVX2(&sums[0], &v[0], len(sums), fours) // bound by the cache: there is no other
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

func multiplyVectors(z, x, y []float64) {
	switch {
	case len(x) == 0:
	case active == avx512:
		multiplyAVX512(&z[0], &x[0], &y[0], len(x))
	default:
		multiplyAVX2(&z[0], &x[0], &y[0], len(x))
	}
}

func expVectors(x []float64) {
	if active == avx512 {
		inVectors(x, 8, expAVX512)
	} else {
		inVectors(x, 4, expAVX2)
	}
}

func (t *Responses) vectors(word, sums []float64, count float64) float64 {
	n := len(word)
	scaled, now, least, inverse, g, next, sums := &t.Scaled[:n][0], &t.Now[:n][0], &t.Least[:n][0], &t.Inverse[:n][0], &t.G[:n][0], &t.Next[:n][0], sums[:n]
	if active == avx512 {
		return responsesAVX512(&word[0], scaled, now, least, inverse, g, next, &sums[0], n, count, t.Weight, t.Eta)
	}
	return responsesAVX2(&word[0], scaled, now, least, inverse, g, next, &sums[0], n, count, t.Weight, t.Eta)
}

func tanhVectors(x []float64) {
	if active == avx512 {
		inVectors(x, 8, tanhAVX512)
	} else {
		inVectors(x, 4, tanhAVX2)
	}
}

// inVectors calls a kernel with x, and with a copy of what is less than a vector.
func inVectors(x []float64, lanes int, kernel func(*float64, int)) {
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
			dotAVX512(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, int(p.hint), p.end, p.back)
		} else {
			dotAVX2(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, int(p.hint), p.end, p.back)
		}
	case *float32:
		if active == avx512 {
			dot32AVX512(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, int(p.hint), p.end, p.back)
		} else {
			dot32AVX2(c, tiles, panels, n, z, zj, zp, v, vs, a, as, p.next, p.step, int(p.hint), p.end, p.back)
		}
	}
	p.advance(p.lines * blockings[active].dotSteps(c, tiles, panels, n))
}

// addTile calls the kernel that adds to strips of q chunks of tiles of c rows
// of Y (ys apart), the last chunk of last numbers.
func addTile[T float](c, tiles, q, strips, rows, last int, y *float64, ys int, v *T, vs int, z *float64, s zStrides, p *prefetcher) {
	zj, zl, zp := 8*s.column, 8*s.row, 8*s.panel
	ys, vs = 8*ys, vs*int(unsafe.Sizeof(*v))
	switch v := any(v).(type) {
	case *float64:
		if active == avx512 {
			addAVX512(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, int(p.hint), p.end, p.back)
		} else {
			addAVX2(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, int(p.hint), p.end, p.back)
		}
	case *float32:
		if active == avx512 {
			add32AVX512(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, int(p.hint), p.end, p.back)
		} else {
			add32AVX2(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp, p.next, p.step, int(p.hint), p.end, p.back)
		}
	}
	p.advance(p.lines * addSteps(tiles, strips, rows))
}

// dot multiplies q panels of rows with tiles of c vectors.
func (s *Slab) dot(c, tiles, q int, z, x, a *float64, ahead int) {
	if active == avx512 {
		slabDotAVX512(c, tiles, q, s.Width, z, 64*s.R, x, 64*s.Width, a, 8*s.Variables, 8*ahead)
		return
	}
	slabDotAVX2(c, tiles, q, s.Width, z, 64*s.R, x, 64*s.Width, a, 8*s.Variables, 8*ahead)
}

// fold is the step between the products, for panels of one middle index.
func (s *Slab) fold(panels int, z, p, g, a, y *float64) {
	if active == avx512 {
		foldAVX512(panels, s.R, z, p, g, 8*s.Products, a, y, 8*s.Variables)
		return
	}
	foldAVX2(panels, s.R, z, p, g, 8*s.Products, a, y, 8*s.Variables)
}

// add multiplies the rows back, for tiles of c vectors.
func (s *Slab) add(c, tiles, groups, panels int, y, x, z *float64) {
	if active == avx512 {
		slabAddAVX512(c, tiles, groups, panels, y, 8*s.Variables, x, 64*s.Width, z, 64*s.R)
		return
	}
	slabAddAVX2(c, tiles, groups, panels, y, 8*s.Variables, x, 64*s.Width, z, 64*s.R)
}

// The products with sparse rows have no other than AVX2: bound by caches, it is the
// fastest.
func sparseDot64(rows, pairs int, start *int, index *int32, v, a, z *float64) {
	sparseDotAVX2(rows, pairs, start, index, v, a, z)
}

func sparseDot32(rows, pairs int, start *int, index *int32, v *float32, a, z *float64) {
	sparseDot32AVX2(rows, pairs, start, index, v, a, z)
}

func sparseAdd64(rows, pairs int, start *int, index *int32, v, a, z *float64) {
	sparseAddAVX2(rows, pairs, start, index, v, a, z)
}

func sparseAdd32(rows, pairs int, start *int, index *int32, v *float32, a, z *float64) {
	sparseAdd32AVX2(rows, pairs, start, index, v, a, z)
}
