//go:build !linux

package linalg

import (
	"math"
	"testing"
)

// guarded returns n numbers between others that must be the same when the test
// ends.
func guarded[T float](t testing.TB, n int) []T {
	const margin = 16
	x := make([]T, n+2*margin)
	for i := range x {
		x[i] = math.MaxFloat32
	}
	t.Cleanup(func() {
		for i := range margin {
			if x[i] != math.MaxFloat32 || x[margin+n+i] != math.MaxFloat32 {
				t.Errorf("a number beside a slice of %d was written", n)
			}
		}
	})
	return x[margin : margin+n : margin+n]
}
