//go:build !linux

package linalg

// LargePages does nothing on this system.
func LargePages[T float]([]T) {}
