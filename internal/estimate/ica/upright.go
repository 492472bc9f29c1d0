package ica

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Upright turns sources so that the largest entry of each column of the mixing matrix, n x k,
// is positive.
func Upright(mixing, unmixing *mat.Dense) {
	n, k := mixing.Dims()
	for j := range k {
		at := 0
		for i := range n {
			if math.Abs(mixing.At(i, j)) > math.Abs(mixing.At(at, j)) {
				at = i
			}
		}
		if mixing.At(at, j) < 0 {
			for i := range n {
				mixing.Set(i, j, -mixing.At(i, j))
				unmixing.Set(j, i, -unmixing.At(j, i))
			}
		}
	}
}
