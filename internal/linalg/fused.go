package linalg

import "unsafe"

// float is how observations are stored; sums are always float64.
type float interface{ float32 | float64 }

// panel is the number of observations whose products the kernels compute at
// once.
const panel = 8

// Reach says where data stay between two passes over them, which decides in
// what blocks they are read and how they are fetched ahead.
type Reach int

const (
	Near   Reach = iota // so near that nothing need be fetched ahead
	Cached              // the third-level cache
	Memory
)

// ReachOf returns the reach of data of a size. What stays in a part of the
// third-level cache the processor fetches ahead by itself: asking for it costs
// up to a quarter of the time, for nothing (measured up to 6 MB; from 8 MB on it
// gains as much). The bounds suit a cache of 32 MB that others use too; where it
// is smaller, fetching starts late, which costs some of what it gains.
func ReachOf(bytes int) Reach {
	switch {
	case bytes <= 6<<20:
		return Near
	case bytes <= 1<<24:
		return Cached
	}
	return Memory
}

// Bounds of a block of V in numbers, for the Go code and for the assembly. What
// is fetched goes in smaller blocks, which leave the second-level cache room for
// the next one. Only benchmarks change tileElements.
const blockElements = 1 << 14

var tileElements = [...]int{Near: 1 << 15, Cached: 3 << 13, Memory: 1 << 14}

const tileMaxRows = 64

// BlockRows returns the number of observations of n variables that should be
// multiplied at once when they are used twice: a multiple of 8.
func BlockRows(n int) int { return max(panel, min(512, blockElements/max(n, 1))&^(panel-1)) }

// tileRows is BlockRows for the assembly kernels. Numbers of 4 bytes stream
// well in large blocks too (measured).
func tileRows[T float](n int, reach Reach) int {
	elements := tileElements[reach]
	if unsafe.Sizeof(T(0)) == 4 {
		elements = tileElements[Near]
	}
	return max(panel, min(tileMaxRows, elements/n)&^(panel-1))
}

// lanesVariables is the number of variables up to which AVX-512 has columns of
// A in lanes: transposed, they and 8 rows of V stay in the first-level cache.
const lanesVariables = 120

// TTSVScratch returns the length of the scratch of TTSV.
func TTSVScratch(n, r int) int {
	return lanesScratch(n, r) + alignedScratch(n, r) + 2*r*(panel+max(BlockRows(n), tileRows[float64](n, Near)))
}

// lanesScratch is the part of it for the transposed columns and sums.
func lanesScratch(n, r int) int {
	if n > lanesVariables {
		return 0
	}
	return 2 * (n + panel) * (r + panel)
}

// alignedScratch is the part of it for the aligned copy of A.
func alignedScratch(n, r int) int { return panel + r*(n+2*panel) }

// TTSV adds V' D_nu [V A']^k to y, the part that observations have in
// Y = V D_nu [V'A]^(d-1) (equation Y of the paper, with k = d-1; the paper's V
// and A are transposed here). v is rows x n, one observation a row; a and y are
// r x n, one component a row; nu holds the weights of the rows, nil for all 1;
// z is scratch of TTSVScratch numbers. n and r are at least 1. reach is that of
// the data that v is part of.
//
// V is read once from memory: a block of it is multiplied with all columns of
// A, powered, weighted and multiplied back while it is in cache. The split into
// blocks depends on n and reach alone. 4 rows n r operations.
func TTSV(y, v []float64, rows, n int, a []float64, r int, nu []float64, k int, z []float64, reach Reach) {
	ttsv(y, newOperands(v, rows, n, a, r, nu, k, reach), z)
}

// TTSV32 is TTSV for observations stored as float32; all arithmetic is in
// float64.
func TTSV32(y []float64, v []float32, rows, n int, a []float64, r int, nu []float64, k int, z []float64, reach Reach) {
	ttsv(y, newOperands(v, rows, n, a, r, nu, k, reach), z)
}

// operands are the arguments of TTSV that it reads.
type operands[T float] struct {
	v          []T
	a, nu      []float64
	rows, n, r int
	k          int
	reach      Reach
	as         int     // from one row of a to the next; n but for copies
	hermite    Hermite // in place of the power where D > 0
}

func newOperands[T float](v []T, rows, n int, a []float64, r int, nu []float64, k int, reach Reach) operands[T] {
	if nu != nil {
		nu = nu[:rows]
	}
	return operands[T]{v: v[:rows*n], a: a[:r*n], nu: nu, rows: rows, n: n, r: r, k: k, reach: reach, as: n}
}

// block returns the operands for rows observations from lo on.
func (o operands[T]) block(lo, rows int) operands[T] {
	o.v, o.rows = o.v[lo*o.n:(lo+rows)*o.n], rows
	if o.nu != nil {
		o.nu = o.nu[lo : lo+rows]
	}
	return o
}

func ttsv[T float](y []float64, o operands[T], z []float64) {
	y, z = y[:o.r*o.n], z[:TTSVScratch(o.n, o.r)]
	if active == generic {
		ttsvGeneric(y, o, z)
		return
	}
	ttsvTiles(y, o, z)
}

// ttsvGeneric is TTSV in Go.
func ttsvGeneric[T float](y []float64, o operands[T], z []float64) {
	block := BlockRows(o.n)
	for lo := 0; lo < o.rows; lo += block {
		b := o.block(lo, min(block, o.rows-lo))
		z := z[:b.rows*o.r]
		mulABtGeneric(z, b.v, o.a, b.rows, o.r, o.n)
		switch {
		case o.hermite.D > 0:
			o.hermite.apply(z, 1, o.r, panel*o.r, o.r, b.rows, 0, b.nu)
		default:
			PowInto(z, o.k)
			for l, w := range b.nu {
				scaleGeneric(w, z[l*o.r:(l+1)*o.r])
			}
		}
		addAtBGeneric(y, z, b.v, o.r, o.n, b.rows)
	}
}
