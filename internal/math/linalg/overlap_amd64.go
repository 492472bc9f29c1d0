//go:build amd64 && !purego

package linalg

import (
	"sync"
	"unsafe"
)

// Bounds of what overlapAVX512 multiplies.
const (
	overlapRows    = 4 // in a group
	overlapColumns = 2
	overlapPower   = 3 // at most
	// overlapAligned is the number of rows from which on copying two columns of A and Y to the
	// beginning of lines of the cache pays (measured).
	overlapAligned = 32
)

// addOverlapped is TTSV for one or two columns, where reading V twice would take longer than the
// products: rows are multiplied back from the first-level cache while the next ones are summed.
// It returns how many rows it has multiplied, whole groups, or 0 where that is slower or cannot
// be done. The bits are the same. aligned and more are scratch.
func addOverlapped[T float](y []float64, o *Operands[T], aligned, more []float64, l *lanes) int {
	groups := o.Rows / overlapRows
	// In the first-level cache are two groups, and the columns of A and Y.
	if o.R > overlapColumns || 8*o.Stride*(2*overlapRows+2*o.R) > policy.overlaps || active != avx512 || o.Reach == Memory ||
		l.vectors > 0 || o.Hermite.D > 0 || o.K < 1 || o.K > overlapPower || groups == 0 {
		return 0
	}
	v, ok := any(o.V).([]float64)
	if !ok {
		return 0
	}
	var nu *float64
	if o.Nu != nil {
		nu = unsafe.SliceData(o.Nu)
	}
	a, as, to, ys := o.A, o.as, y, o.N
	if o.Rows >= overlapAligned && !(lined(a, o.N, o.R) && lined(y, o.N, o.R)) && len(more) >= len(aligned) {
		a, as = alignRows(aligned, a, o.R, o.N)
		to, ys = alignRows(more, y, o.R, o.N)
	}
	overlapAVX512(o.R, groups, o.N, &to[0], 8*ys, &v[0], 8*o.Stride, &a[0], 8*as, o.K, nu)
	if &to[0] != &y[0] {
		for j := range o.R {
			copy(y[j*o.N:(j+1)*o.N], to[j*ys:])
		}
	}
	return groups * overlapRows
}

// lined reports whether r rows of n numbers begin at lines of the cache.
func lined(x []float64, n, r int) bool {
	return uintptr(unsafe.Pointer(&x[0]))%lineBytes == 0 && (r == 1 || n%panel == 0)
}

// firstLevel returns the bytes of a core's first-level data cache, for Intel's processors.
var firstLevel = sync.OnceValue(func() int {
	const caches, ofData, first = 4, 1, 1
	most, _, _, _ := cpuid(0)
	a, b, c, _ := cpuid(caches)
	if most < caches || a&31 != ofData || a>>5&7 != first {
		return 0 // unknown
	}
	return int(b>>22+1) * int(b>>12&1023+1) * int(b&4095+1) * int(c+1)
})
