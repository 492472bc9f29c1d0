package linalg

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// MakeLarge returns zeros from the beginning of a large page on, also of memory that
// was in use.
func TestMakeLarge(t *testing.T) {
	if x := MakeLarge[float64](largePage/16 - 1); 8*cap(x) >= largePage {
		t.Errorf("half a page takes %d bytes", 8*cap(x))
	}
	for round := range 3 {
		for _, n := range []int{largePage / 16, largePage/8 - 1, largePage / 8, largePage/8 + 1, 3 * largePage / 8} {
			x := MakeLarge[float64](n)
			if len(x) != n || 8*cap(x)%largePage != 0 || 8*(cap(x)-n) >= largePage || uintptr(unsafe.Pointer(&x[0]))%largePage != 0 {
				t.Errorf("%d numbers: length %d, capacity %d, at %p", n, len(x), cap(x), &x[0])
			}
			for i, v := range x[:cap(x)] {
				if v != 0 {
					t.Fatalf("round %d, %d numbers: x[%d] = %g", round, n, i, v)
				}
				x[:cap(x)][i] = 1
			}
		}
		runtime.GC() // the next round gets the same memory
	}
}

// GrowLarge keeps what is there, and has room.
func TestGrowLarge(t *testing.T) {
	x := []float32{1, 2, 3}
	for _, size := range []int{0, 3, 4, 1 << 20} {
		y := GrowLarge(x, size)
		if !slices.Equal(y, x) || cap(y) < size {
			t.Errorf("size %d: %v with room for %d", size, y, cap(y))
		}
	}
}
