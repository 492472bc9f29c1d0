package linalg

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// largePage is the size of a large page in bytes.
const largePage = 2 << 20

// largePages is whether MakeLarge gives large pages.
const largePages = true

// LargePages asks the system to back x with large pages, where it is large and
// has not been written yet: reading gigabytes is a few percent faster then. It
// is advice; nothing happens where the system does not take it.
func LargePages[T float](x []T) { adviseLarge(x, unix.MADV_HUGEPAGE) }

// MakeLarge returns n zeros that begin at a large page and end with one, in large pages
// where the system has them; less than half a page is not worth one. Memory that was in use
// before keeps the small pages it had, scattered over the sets of the second-level cache,
// and evaluations take up to a fifth longer (measured): it is given back first. The zeros
// stay what they are.
func MakeLarge[T float](n int) []T {
	size := unsafe.Sizeof(T(0))
	per := int(largePage / size)
	if 2*n < per {
		return make([]T, n)
	}
	most := (n + per - 1) / per * per
	x := make([]T, most+per)
	skip := int(-uintptr(unsafe.Pointer(&x[0])) % largePage / size)
	x = x[skip : skip+most : skip+most]
	adviseLarge(x, unix.MADV_DONTNEED)
	adviseLarge(x, unix.MADV_HUGEPAGE)
	return x[:n]
}

// adviseLarge gives advice about the large pages that lie within x.
func adviseLarge[T float](x []T, advice int) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), int(unsafe.Sizeof(T(0)))*len(x))
	// Whole pages only: what surrounds x belongs to others.
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % largePage)
	if size := (len(b) - skip) &^ (largePage - 1); size > 0 {
		_ = unix.Madvise(b[skip:skip+size], advice)
	}
}
