//go:build (!amd64 && !arm64) || purego

package linalg

// alike reports whether numbers of 4 and of 8 bytes are multiplied in the same order.
func (p *problem) alike() bool { return p.reach == Near }
