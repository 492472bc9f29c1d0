package linalg

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// largePage is the size of a large page in bytes.
const largePage = 2 << 20

// LargePages asks the system to back x with large pages, where it is large and
// has not been written yet: reading gigabytes is a few percent faster then. It
// is advice; nothing happens where the system does not take it.
func LargePages[T float](x []T) { adviseLarge(x, unix.MADV_HUGEPAGE) }

// MakeLarge returns n zeros that begin at a large page, with capacity to the end of the
// last one, all of which Collapse can move; less than half a page is not worth one.
func MakeLarge[T float](n int) []T {
	size := unsafe.Sizeof(T(0))
	per := int(largePage / size)
	if 2*n < per {
		return make([]T, n)
	}
	most := (n + per - 1) / per * per
	x := make([]T, most+per)
	skip := int(-uintptr(unsafe.Pointer(&x[0])) % largePage / size)
	return x[skip : skip+n : skip+most]
}

// Collapse moves x, from MakeLarge and written, to large pages, wherever it lies: memory
// that was in use before stays in the small pages it had, scattered over the sets of the
// second-level cache, and evaluations take up to a fifth longer (measured). Like
// LargePages it is advice, which Linux takes from 6.1 on.
func Collapse[T float](x []T) { adviseLarge(x[:cap(x)], unix.MADV_COLLAPSE) }

// adviseLarge gives advice about the large pages that lie within x.
func adviseLarge[T float](x []T, advice int) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), int(unsafe.Sizeof(T(0)))*len(x))
	// Whole pages only: what surrounds x belongs to others.
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % largePage)
	if size := (len(b) - skip) &^ (largePage - 1); size > 0 {
		_ = unix.Madvise(b[skip:skip+size], advice)
	}
}
