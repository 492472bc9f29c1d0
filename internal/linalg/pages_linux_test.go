package linalg

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// What MakeLarge returns are zeros from the beginning of a large page on, also of memory that
// was in use, and they are in large pages where the system has some.
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
	enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || strings.Contains(string(enabled), "[never]") {
		t.Logf("no large pages here: %s%v", enabled, err)
		return
	}
	x := MakeLarge[float64](2 * largePage / 8)
	for i := range x {
		x[i] = 1
	}
	if kb := largeKB(t, uintptr(unsafe.Pointer(&x[0]))); kb == 0 {
		t.Log("the system had no large page to give")
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
