//go:build !linux

package linalg

const largePages = false

// LargePages does nothing on this system.
func LargePages[T float]([]T) {}

// MakeLarge returns n zeros.
func MakeLarge[T float](n int) []T { return make([]T, n) }
