package linalg

// SparseRows are observations whose zeros are not stored: the values of row l are
// V[Start[l]:Start[l+1]], of the variables Index at the same places.
type SparseRows[T float] struct {
	Start []int
	Index []int32
	V     []T
}

// Rows returns rows lo..hi-1.
func (x SparseRows[T]) Rows(lo, hi int) SparseRows[T] {
	x.Start = x.Start[lo : hi+1]
	return x
}

// Interleaved columns lie side by side, those of one variable after those of
// another, as many as sparseColumns in a block and an even number in the last one.
const sparseColumns = 32

// sparseTile is how many variables are interleaved at once: so few that their lines
// stay in cache from one column to the next.
const sparseTile = 64

// interleavedStride returns the numbers for each variable of r columns.
func interleavedStride(r int) int { return (r + 1) &^ 1 }

// InterleavedLen returns the length of r interleaved columns of n variables.
func InterleavedLen(n, r int) int { return n * interleavedStride(r) }

// Interleave writes the columns a (r x n) interleaved to at, each variable times
// its scale unless that is nil.
func Interleave(at, a []float64, n, r int, scale []float64) {
	clear(at[:InterleavedLen(n, r)])
	for j := 0; j < r; j += sparseColumns {
		used := min(sparseColumns, r-j)
		wide := interleavedStride(used)
		block := at[j*n : j*n+n*wide]
		for lo := 0; lo < n; lo += sparseTile {
			hi := min(lo+sparseTile, n)
			for k := range used {
				for i, x := range a[(j+k)*n+lo : (j+k)*n+hi] {
					if scale != nil {
						x *= scale[lo+i]
					}
					block[(lo+i)*wide+k] = x
				}
			}
		}
	}
}

// AddInterleaved adds interleaved columns yt to y (r x n).
func AddInterleaved(y, yt []float64, n, r int) {
	for j := 0; j < r; j += sparseColumns {
		used := min(sparseColumns, r-j)
		wide := interleavedStride(used)
		block := yt[j*n : j*n+n*wide]
		for lo := 0; lo < n; lo += sparseTile {
			hi := min(lo+sparseTile, n)
			for k := range used {
				column := y[(j+k)*n+lo : (j+k)*n+hi]
				for i := range column {
					column[i] += block[(lo+i)*wide+k]
				}
			}
		}
	}
}

// SparseOperands are the operands of SparseTTSV, as Operands: V are the rows, and A the R
// columns, interleaved.
type SparseOperands[T float] struct {
	V       SparseRows[T]
	A, Nu   []float64
	N, R, K int
	Hermite Hermite
	Offset  []float64 // added to the products of each column, InterleavedLen(1, R); nil for 0
}

// SparseTTSV is TTSV for sparse observations and interleaved columns. It adds to yt,
// which are interleaved, and unless sums is nil the sums of the factors of each column
// to sums, InterleavedLen(1, R). z is scratch of SparseScratch numbers. 4 r operations
// for each value that is stored.
func SparseTTSV[T float](yt []float64, o SparseOperands[T], sums, z []float64) {
	x, n, r, at, nu, k, h, offset := o.V, o.N, o.R, o.A, o.Nu, o.K, o.Hermite, o.Offset
	rows := len(x.Start) - 1
	step := sparseStep(x, n, r)
	for lo := 0; lo < rows; lo += step {
		hi := min(lo+step, rows)
		b := x.Rows(lo, hi)
		var w []float64
		if nu != nil {
			w = nu[lo:hi]
		}
		for j := 0; j < r; j += sparseColumns {
			used := min(sparseColumns, r-j)
			wide := interleavedStride(used)
			sparseMul(z, b, at[j*n:], wide)
			z := z[:(hi-lo)*wide]
			if offset != nil {
				for at := 0; at < len(z); at += wide {
					for k, c := range offset[j : j+wide] {
						z[at+k] += c
					}
				}
			}
			if h.D > 0 {
				part := Hermite{D: h.D, S: h.S[j : j+used], Sums: h.Sums[j : j+used]}
				part.apply(z, 1, wide, panel*wide, used, hi-lo, 0, w)
			} else {
				PowInto(z, k)
				for l, w := range w {
					scaleGeneric(w, z[l*wide:(l+1)*wide])
				}
			}
			if sums != nil {
				for at := 0; at < len(z); at += wide {
					for k, c := range z[at : at+wide] {
						sums[j+k] += c
					}
				}
			}
			sparseAdd(yt[j*n:], b, z, wide)
		}
	}
}

// SparseProducts writes the products of sparse rows with r interleaved columns of n
// variables to z (rows x r). wide is scratch of SparseScratch numbers.
func SparseProducts[T float](z []float64, x SparseRows[T], n int, at []float64, r int, wide []float64) {
	eachSparse(x, n, r, func(lo, j, used, stride int, b SparseRows[T]) {
		sparseMul(wide, b, at[j*n:], stride)
		for l := range len(b.Start) - 1 {
			copy(z[(lo+l)*r+j:(lo+l)*r+j+used], wide[l*stride:])
		}
	})
}

// AddSparseProducts adds sparse rows times their factors z (rows x r) to r
// interleaved columns yt. wide is scratch of SparseScratch numbers.
func AddSparseProducts[T float](yt []float64, x SparseRows[T], n int, z []float64, r int, wide []float64) {
	eachSparse(x, n, r, func(lo, j, used, stride int, b SparseRows[T]) {
		rows := len(b.Start) - 1
		clear(wide[:rows*stride])
		for l := range rows {
			copy(wide[l*stride:], z[(lo+l)*r+j:(lo+l)*r+j+used])
		}
		sparseAdd(yt[j*n:], b, wide, stride)
	})
}

// eachSparse visits rows from lo on, and blocks of r columns from j on, of
// which used are used.
func eachSparse[T float](x SparseRows[T], n, r int, do func(lo, j, used, stride int, b SparseRows[T])) {
	rows, step := len(x.Start)-1, sparseStep(x, n, r)
	for lo := 0; lo < rows; lo += step {
		b := x.Rows(lo, min(lo+step, rows))
		for j := 0; j < r; j += sparseColumns {
			used := min(sparseColumns, r-j)
			do(lo, j, used, interleavedStride(used), b)
		}
	}
}

// SparseScratch returns the length of the scratch for at most this many rows of n
// variables and r columns.
func SparseScratch(rows, n, r int) int {
	most, _ := sparseLimits(n, r)
	return max(panel, min(rows, most)) * min(sparseColumns, interleavedStride(r))
}

// sparseLimits bounds the rows that are multiplied before they are used again, and
// their values: so few that the values stay in cache. Where the second-level cache
// holds a block of columns or that of their sums, but not both, these come from there
// only if they seldom take turns: then the rows are many, and their values come from
// memory twice (measured on Intel: 1.7 times as fast).
func sparseLimits(n, r int) (rows, values int) {
	columns := 8 * n * min(sparseColumns, interleavedStride(r))
	if l2 := secondLevel(); columns <= l2 && 2*columns > l2*3/4 {
		return 1 << 13, 1 << 19
	}
	return 256, 1 << 13
}

// sparseStep returns how many rows are multiplied before they are used again.
func sparseStep[T float](x SparseRows[T], n, r int) int {
	most, values := sparseLimits(n, r)
	rows := len(x.Start) - 1
	stored := max(1, x.Start[rows]-x.Start[0])
	return max(panel, min(most, values*rows/stored&^(panel-1)))
}

// sparseMul writes the products of rows with wide columns, an even number of at
// most 32, that at holds side by side for each variable, to z, a row after the other.
func sparseMul[T float](z []float64, x SparseRows[T], at []float64, wide int) {
	if active == generic {
		sparseMulGeneric(z, x, at, wide)
		return
	}
	sparseVectors(false, z, x, at, wide)
}

// sparseAdd adds to y, wide columns side by side, the products of rows with z.
func sparseAdd[T float](y []float64, x SparseRows[T], z []float64, wide int) {
	if active == generic {
		sparseAddGeneric(y, x, z, wide)
		return
	}
	sparseVectors(true, z, x, y, wide)
}

func sparseMulGeneric[T float](z []float64, x SparseRows[T], at []float64, wide int) {
	for l := range len(x.Start) - 1 {
		sum := z[l*wide : (l+1)*wide]
		clear(sum)
		for k := x.Start[l]; k < x.Start[l+1]; k++ {
			axpyGeneric(float64(x.V[k]), at[int(x.Index[k])*wide:(int(x.Index[k])+1)*wide], sum)
		}
	}
}

func sparseAddGeneric[T float](y []float64, x SparseRows[T], z []float64, wide int) {
	for l := range len(x.Start) - 1 {
		factor := z[l*wide : (l+1)*wide]
		for k := x.Start[l]; k < x.Start[l+1]; k++ {
			axpyGeneric(float64(x.V[k]), factor, y[int(x.Index[k])*wide:(int(x.Index[k])+1)*wide])
		}
	}
}
