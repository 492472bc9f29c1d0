//go:build !purego

package linalg

import "unsafe"

// supported returns the kernels that the processor runs: all have NEON.
func supported() []kernel { return []kernel{generic, neon} }

func dotVectors(x, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return dotvNEON(&x[0], &y[0], len(x))
}

func axpyVectors(alpha float64, x, y []float64) {
	if len(x) > 0 {
		axpyNEON(alpha, &x[0], &y[0], len(x))
	}
}

func scaleVectors(alpha float64, x []float64) {
	if len(x) > 0 {
		scaleNEON(alpha, &x[0], len(x))
	}
}

func multiplyVectors(z, x, y []float64) {
	if len(x) > 0 {
		multiplyNEON(&z[0], &x[0], &y[0], len(x))
	}
}

func widenVectors(dst []float64, src []float32) {
	if len(src) > 0 {
		widenNEON(&dst[0], &src[0], len(src))
	}
}

// powTiles raises r columns of panels of z to the power k and weights them.
func powTiles(z []float64, r, panels, k int, nu []float64) {
	var w *float64
	if nu != nil {
		w = &nu[:panels*panel][0]
	}
	powNEON(&z[0], r, panels, k, w)
}

// dotTile calls the kernel that multiplies panels of rows of V (n numbers each,
// vs apart) with tiles of c columns of A (as apart). Strides are counted in
// numbers.
func dotTile[T float](c, tiles, panels, n int, z *float64, zj, zp int, v *T, vs int, a *float64, as int, _ *prefetcher) {
	zj, zp, vs, as = 8*zj, 8*zp, vs*int(unsafe.Sizeof(*v)), 8*as
	switch v := any(v).(type) {
	case *float64:
		dotNEON(c, tiles, panels, n, z, zj, zp, v, vs, a, as)
	case *float32:
		dot32NEON(c, tiles, panels, n, z, zj, zp, v, vs, a, as)
	}
}

// addTile calls the kernel that adds to strips of q chunks of tiles of c rows
// of Y (ys apart), the last chunk of last numbers.
func addTile[T float](c, tiles, q, strips, rows, last int, y *float64, ys int, v *T, vs int, z *float64, s zStrides, _ *prefetcher) {
	zj, zl, zp := 8*s.column, 8*s.row, 8*s.panel
	ys, vs = 8*ys, vs*int(unsafe.Sizeof(*v))
	switch v := any(v).(type) {
	case *float64:
		addNEON(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp)
	case *float32:
		add32NEON(c, tiles, q, strips, rows, last, y, ys, v, vs, z, zj, zl, zp)
	}
}

// dot multiplies a panel of rows with tiles of c vectors.
func (s *Slab) dot(c, tiles, _ int, z, x, a *float64, _ int) {
	slabDotNEON(c, tiles, s.Width, z, x, a, 8*s.Variables)
}

// fold is the step between the products, for panels of one middle index.
func (s *Slab) fold(panels int, z, p, g, a, y *float64) {
	foldNEON(panels, s.R, z, p, g, 8*s.Products, a, y, 8*s.Variables)
}

// add multiplies the rows back, for tiles of c vectors.
func (s *Slab) add(c, tiles, groups, panels int, y, x, z *float64) {
	slabAddNEON(c, tiles, groups, panels, y, 8*s.Variables, x, 64*s.Width, z, 64*s.R)
}

func sparseDot64(rows, pairs int, start *int, index *int32, v, a, z *float64) {
	sparseDotNEON(rows, pairs, start, index, v, a, z)
}

func sparseDot32(rows, pairs int, start *int, index *int32, v *float32, a, z *float64) {
	sparseDot32NEON(rows, pairs, start, index, v, a, z)
}

func sparseAdd64(rows, pairs int, start *int, index *int32, v, a, z *float64) {
	sparseAddNEON(rows, pairs, start, index, v, a, z)
}

func sparseAdd32(rows, pairs int, start *int, index *int32, v *float32, a, z *float64) {
	sparseAdd32NEON(rows, pairs, start, index, v, a, z)
}

// prefetcher asks for nothing: these processors see by themselves what is read
// row by row, and what asking would gain has not been measured.
type prefetcher struct{}

func (*blocking) ahead(unsafe.Pointer, int, uintptr, int, int, int, *lanes, Reach) (p prefetcher) {
	return p
}
func (*blocking) aheadOfDots(Ahead, int, int, int) (p prefetcher) { return p }

// lanes says that there are only tiles: vectors of two numbers have little to sum
// across the lanes.
type lanes struct {
	vectors int
	sums    []float64
}

func newLanes[T float](Operands[T], []float64) (l lanes) { return l }

func (*lanes) columns() int                                   { return 0 }
func (*lanes) clearRest([]float64, int)                       {}
func (*lanes) finish([]float64, int, int)                     {}
func addLanes[T float](*lanes, []T, int, int, int, []float64) {}

func dotLanes[T float](*lanes, []float64, []T, int, int, int, []float64, *prefetcher) {}

func addOverlapped[T float]([]float64, *Operands[T], []float64, []float64, *lanes) int { return 0 }
