package linalg

// blockElements bounds a block of V to 128 KiB, so that it is still in the
// second-level cache when it is multiplied back.
const blockElements = 1 << 14

// BlockRows returns the number of rows of a block of V that TTSVBlock is
// meant to be given, for observations of n variables: a multiple of 4.
func BlockRows(n int) int { return max(4, min(512, blockElements/max(n, 1))&^3) }

// TTSVBlock adds V' D_nu [V A']^k to y', the part that a block of
// observations has in Y = V D_nu [V'A]^(d-1) (equation Y of the paper, with
// k = d-1; the paper's V and A are transposed here). v is rows x n, one
// observation a row; a and y are r x n, one component a row; nu holds the
// weights of the rows, nil for all 1; z is scratch of at least rows*r.
//
// The block is read once from memory: it is multiplied with all columns of A,
// powered, weighted and multiplied back while it is in cache. 4 rows n r
// operations.
func TTSVBlock(y, v []float64, rows, n int, a []float64, r int, nu []float64, k int, z []float64) {
	z = z[:rows*r]
	MulABt(z, v, a, rows, r, n)
	PowInto(z, k)
	if nu != nil {
		for l, w := range nu[:rows] {
			Scale(w, z[l*r:(l+1)*r])
		}
	}
	AddAtB(y, z, v, r, n, rows)
}
