package linalg

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What is collapsed begins at a large page, keeps its values, and is one where the system
// has them.
func TestCollapse(t *testing.T) {
	if x := MakeLarge[float64](largePage/16 - 1); cap(x)*8 >= largePage {
		t.Errorf("half a page takes %d bytes", 8*cap(x))
	}
	for _, n := range []int{largePage / 16, largePage/8 - 1, largePage / 8, largePage/8 + 1, 3 << 20 / 8} {
		x := MakeLarge[float64](n)
		if len(x) != n || 8*cap(x)%largePage != 0 || 8*(cap(x)-n) >= largePage || uintptr(unsafe.Pointer(&x[0]))%largePage != 0 {
			t.Errorf("%d numbers: length %d, capacity %d, at %p", n, len(x), cap(x), &x[0])
		}
		for i := range x {
			x[i] = float64(i)
		}
		Collapse(x)
		for i, v := range x {
			if v != float64(i) {
				t.Fatalf("%d numbers: x[%d] = %g", n, i, v)
			}
		}
	}
	x := MakeLarge[float64](2 * largePage / 8)
	x[0], x[len(x)-1] = 1, 1
	region := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 2*largePage)
	if err := unix.Madvise(region, unix.MADV_COLLAPSE); err != nil {
		t.Logf("this system collapses nothing: %v", err)
		return
	}
	Collapse(x)
	if kb := largeKB(t, uintptr(unsafe.Pointer(&x[0]))); kb < 2*largePage>>10 {
		t.Errorf("%d KB of large pages around x", kb)
	}
}

// largeKB returns how much of the mapping that holds an address is in large pages.
func largeKB(t *testing.T, at uintptr) (kb int) {
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	within := false
	for line := range strings.Lines(string(smaps)) {
		fields := strings.Fields(line)
		if lo, hi, ok := strings.Cut(fields[0], "-"); ok {
			from, _ := strconv.ParseUint(lo, 16, 64)
			to, _ := strconv.ParseUint(hi, 16, 64)
			within = uint64(at) >= from && uint64(at) < to
		}
		if within && fields[0] == "AnonHugePages:" {
			kb, _ = strconv.Atoi(fields[1])
		}
	}
	return kb
}
