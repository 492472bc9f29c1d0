//go:build !(amd64 || arm64) || purego

package linalg

// supported: without assembly there is the Go code alone.
func supported() []kernel { return []kernel{generic} }

// Nothing calls these while active is generic; most say the same in Go.
func dotVectors(x, y []float64) float64          { return dotGeneric(x, y) }
func axpyVectors(alpha float64, x, y []float64)  { axpyGeneric(alpha, x, y) }
func scaleVectors(alpha float64, x []float64)    { scaleGeneric(alpha, x) }
func multiplyVectors(z, x, y []float64)          { multiplyGeneric(z, x, y) }
func widenVectors(dst []float64, src []float32)  { widenGeneric(dst, src) }
func mulABtTiles(c, a, b []float64, m, n, k int) { mulABtGeneric(c, a, b, m, n, k, k) }
func mulABtPanels(c []float64, stride int, a []float64, as int, b []float64, m, n, k int, next Ahead) {
	panic("no kernels")
}
func addAtBTiles(c, a, b []float64, m, n, k int)                 { addAtBGeneric(c, a, b, m, n, k, n) }
func ttsvTiles[T float](y []float64, o Operands[T], z []float64) { ttsvGeneric(y, o, z) }
func (s *Slab) addTiles(y, g, x, a, p, z []float64)              { s.addGeneric(y, g, x, a, p) }
func sparseVectors[T float](add bool, z []float64, x SparseRows[T], at []float64, wide int) {
	if add {
		sparseAddGeneric(at, x, z, wide)
		return
	}
	sparseMulGeneric(z, x, at, wide)
}
