//go:build (amd64 || arm64) && !purego

package linalg

// alike reports whether numbers of 4 and of 8 bytes are multiplied in the same order: both
// in lanes or both in tiles.
func (p *problem) alike() bool {
	lanes64 := newLanes(Operands[float64]{A: p.a, Rows: p.rows, N: p.n, R: p.r}, p.z)
	lanes32 := newLanes(Operands[float32]{A: p.a, Rows: p.rows, N: p.n, R: p.r}, p.z)
	return lanes64.vectors == lanes32.vectors
}
