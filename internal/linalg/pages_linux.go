package linalg

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// LargePages asks the system to back x with large pages, where it is large and
// has not been written yet: reading gigabytes is a few percent faster then. It
// is advice; nothing happens where the system does not take it.
func LargePages[T float](x []T) {
	const page = 2 << 20
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), int(unsafe.Sizeof(T(0)))*len(x))
	// Whole pages only: what surrounds x belongs to others.
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % page)
	if size := (len(b) - skip) &^ (page - 1); size > 0 {
		_ = unix.Madvise(b[skip:skip+size], unix.MADV_HUGEPAGE)
	}
}
