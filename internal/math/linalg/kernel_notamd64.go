//go:build !amd64 || purego

package linalg

// secondLevel: what most processors have at least.
var secondLevel = func() int { return 1 << 20 }

// nearBytes is the size up to which data are Near. None are Beside.
func nearBytes() int                   { return farBytes }
func besideBytes() int                 { return farBytes }
func besideReach(int, int, bool) Reach { return Cached }

// AheadShare is how much of what is read next products ask for: nothing.
func AheadShare(int) int { return 0 }

// RowsTogether is how many rows are best asked for at once: none are asked for.
func RowsTogether() int { return 1 }

var tiles = usualTiles

// Only amd64 has kernels for these.
func expVectors(x []float64)  { expGeneric(x) }
func tanhVectors(x []float64) { tanhGeneric(x) }
func (t *Responses) vectors(word, sums []float64, count float64) float64 {
	return t.generic(word, sums, count)
}
func squaresVectors(sums, v []float64, fours int)     { squaresGeneric(sums, v, fours) }
func fetchVector[T float]([]T)                        {}
func fetchInTurn[T float]([][]T, int)                 {}
func (s *AdamStep) applyVectors(x, m, v, g []float64) { s.applyGeneric(x, m, v, g) }
