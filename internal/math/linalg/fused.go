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
	Beside              // beside the second-level cache: Near or Cached (besideReach)
	Cached              // the third-level cache
	Memory
)

// farBytes bounds what is not Cached, on most processors. What stays in a part of the
// third-level cache, AMD's processors fetch ahead by themselves: asking for it costs up to
// a quarter of the time, for nothing (measured up to 6 MB; from 8 MB on it gains as much,
// before Zen 5).
const farBytes = 6 << 20

// Far reports whether data of a size are so far away that columns had better be multiplied
// many at a time. It is the same on all processors.
func Far(bytes int) bool { return bytes > farBytes }

// ReachOf returns the reach of data of a size. The bounds beyond the second-level cache
// suit a third-level cache of 32 MB that others use too; where it is smaller, fetching
// starts late, which costs some of what it gains.
func ReachOf(bytes int) Reach {
	switch {
	case bytes <= nearBytes():
		return Near
	case bytes <= besideBytes():
		return Beside
	case bytes <= 1<<24:
		return Cached
	}
	return Memory
}

// blockElements bounds a block of V of the Go code, in numbers.
const blockElements = 1 << 14

// tiling bounds the blocks of V of the assembly, by reach. What is fetched goes in smaller
// blocks, which leave the second-level cache room for the next one.
type tiling struct {
	elements [Memory + 1]int // numbers
	rows     [Memory + 1]int // at most tileMaxRows
	// few is how many numbers a block has for few columns, which had better be in the
	// first-level cache still when it is multiplied back; 0 for as many as others.
	few int
}

const tileMaxRows = 128

// usualTiles are for a second-level cache of 1 MB or more.
var usualTiles = tiling{
	elements: [...]int{Near: 1 << 15, Cached: 3 << 13, Memory: 1 << 14},
	rows:     [...]int{Near: 64, Cached: 64, Memory: 64},
}

// fewColumns is what tiling.few is for, if a block has 8 rows, or 16 for 3 columns: with
// fewer rows the sums are loaded and stored too often.
const fewColumns = 3

// BlockRows returns the number of observations of n variables that should be
// multiplied at once when they are used twice: a multiple of 8.
func BlockRows(n int) int { return max(panel, min(512, blockElements/max(n, 1))&^(panel-1)) }

// tileRows is BlockRows for the assembly kernels. Numbers of 4 bytes stream
// well in large blocks too (measured).
func tileRows[T float](n, r int, reach Reach) int {
	single := unsafe.Sizeof(T(0)) == 4
	elements := tiles.elements[reach]
	switch few := tiles.few / n; {
	case single:
		elements = tiles.elements[Near]
	case reach < Memory && r <= fewColumns && few >= panel*max(1, r-1):
		elements = tiles.few
	}
	return tiles.limit(elements/n, reach)
}

// limit makes rows a multiple of 8 within the bounds.
func (t *tiling) limit(rows int, reach Reach) int {
	return max(panel, min(t.rows[reach], rows)&^(panel-1))
}

// mostRows returns the most rows of a block.
func mostRows(n int) int { return max(BlockRows(n), tiles.limit(tiles.elements[Near]/n, Near)) }

// lanesVariables is the number of variables up to which AVX-512 has columns of
// A in lanes: transposed, they and 8 rows of V stay in the first-level cache.
const lanesVariables = 120

// TTSVScratch returns the length of the scratch of TTSV.
func TTSVScratch(n, r int) int {
	return lanesScratch(n, r) + alignedScratch(n, r) + 2*(r+panel)*(panel+mostRows(n))
}

// lanesScratch is the part of it for the transposed columns and sums.
func lanesScratch(n, r int) int {
	if n > lanesVariables {
		return 0
	}
	return panel * vectorsOf(2*(n+panel)*(r+panel))
}

// alignedScratch is the part of it for the aligned copy of A.
func alignedScratch(n, r int) int { return panel * vectorsOf(panel+r*(n+2*panel)) }

// vectorsOf returns how many vectors of 8 n numbers take.
func vectorsOf(n int) int { return (n + panel - 1) / panel }

// Operands are the operands of TTSV: Rows observations V of N variables, one a row, with
// weights Nu, nil for all 1, and R columns A, one a row (the paper's V and A are
// transposed here). Rows may be 0, N and R not.
type Operands[T float] struct {
	V          []T
	A, Nu      []float64
	Rows, N, R int
	K          int
	Hermite    Hermite // in place of the power K where D > 0
	Reach      Reach   // of the data that V is part of
	Stride     int     // from one row of V to the next, whose end V has, too; 0 for N
	Next       []T     // what is read after V, and asked for during the last rows; nil for nothing
	as         int     // from one row of A to the next; N unless A is a copy
}

// TTSV adds V' D_nu [V A']^k to y (r x n), the part that observations have in
// Y = V D_nu [V'A]^(d-1) (equation Y of the paper, with k = d-1), or
// V' D_nu He_(d-1)(V A') with o.Hermite, whose Sums it adds to. z is scratch of
// TTSVScratch numbers. V may be stored as float32; all arithmetic is in float64.
//
// V is read once from memory: a block of it is multiplied with all columns of
// A, powered, weighted and multiplied back while it is in cache. The split into
// blocks depends on N, R, Rows and Reach, and no bit of the sums on the blocks. 4 rows n r
// operations, and up to 3 d more for each product with o.Hermite.
func TTSV[T float](y []float64, o Operands[T], z []float64) {
	if o.Nu != nil {
		o.Nu = o.Nu[:o.Rows]
	}
	if o.Stride == 0 {
		o.Stride = o.N
	}
	o.V, o.A, o.as = o.V[:o.Rows*o.Stride], o.A[:o.R*o.N], o.N
	y, z = y[:o.R*o.N], z[:TTSVScratch(o.N, o.R)]
	if active == generic {
		ttsvGeneric(y, o, z)
		return
	}
	ttsvTiles(y, o, z)
}

// block returns the operands for rows observations from lo on.
func (o Operands[T]) block(lo, rows int) Operands[T] {
	o.V, o.Rows = o.V[lo*o.Stride:(lo+rows)*o.Stride], rows
	if o.Nu != nil {
		o.Nu = o.Nu[lo : lo+rows]
	}
	return o
}

// PaddedStride returns the numbers from one row of n to the next that put rows at the
// beginning of lines of the cache: a vector across two lines is loaded as two. Rows a
// multiple of 4 KB apart would share sets of the cache. It returns n where padding would
// make rows more than an eighth longer.
func PaddedStride[T float](n int) int {
	line, page := 64/int(unsafe.Sizeof(T(0))), 4096/int(unsafe.Sizeof(T(0)))
	stride := (n + line - 1) / line * line
	if stride%page == 0 {
		stride += line
	}
	if 8*(stride-n) > n {
		return n
	}
	return stride
}

// Bounds of tables that are worth a copy, in bytes.
const (
	copiedMost = 32 << 20 // what comes from memory is no faster then
	// pagedLeast is from where on it pays to copy rows that need no padding, to large pages:
	// what a second-level cache holds does not gain.
	pagedLeast = 1 << 20
)

// CopiedStride returns the numbers from one row to the next in a copy of rows of n, made by
// MakeLarge, with which TTSV takes less time, or 0 if it would not: the kernels in Go do not
// gain, and large pages are unavailable on some systems.
func CopiedStride[T float](rows, n int) int {
	stride := PaddedStride[T](n)
	size := int(unsafe.Sizeof(T(0))) * rows * stride
	if active == generic || size > copiedMost || stride == n && (!largePages || size < pagedLeast) {
		return 0
	}
	return stride
}

// ttsvGeneric is TTSV in Go.
func ttsvGeneric[T float](y []float64, o Operands[T], z []float64) {
	block := BlockRows(o.N)
	for lo := 0; lo < o.Rows; lo += block {
		b := o.block(lo, min(block, o.Rows-lo))
		z := z[:b.Rows*o.R]
		mulABtGeneric(z, b.V, o.A, b.Rows, o.R, o.N, o.Stride)
		switch {
		case o.Hermite.D > 0:
			o.Hermite.apply(z, 1, o.R, panel*o.R, o.R, b.Rows, 0, b.Nu)
		default:
			PowInto(z, o.K)
			for l, w := range b.Nu {
				scaleGeneric(w, z[l*o.R:(l+1)*o.R])
			}
		}
		addAtBGeneric(y, z, b.V, o.R, o.N, b.Rows, o.Stride)
	}
}
