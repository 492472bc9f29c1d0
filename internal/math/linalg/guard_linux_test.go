package linalg

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded returns n numbers in pages of their own: what lies after the last
// one cannot be read or written, and the bytes before the first one must be
// the same when the test ends.
func guarded[T float](t testing.TB, n int) []T {
	t.Helper()
	page := unix.Getpagesize()
	size := (n*int(unsafe.Sizeof(T(0))) + 64 + page - 1) / page * page
	mem, err := unix.Mmap(-1, 0, size+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Mprotect(mem[size:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	at := size - n*int(unsafe.Sizeof(T(0)))
	for i := range mem[:at] {
		mem[i] = 0xa5
	}
	t.Cleanup(func() {
		for i, b := range mem[:at] {
			if b != 0xa5 {
				t.Errorf("byte %d before a slice of %d numbers was written", at-i, n)
				break
			}
		}
		if err := unix.Munmap(mem); err != nil {
			t.Error(err)
		}
	})
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&mem[at])), n)
}
