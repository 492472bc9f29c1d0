// Package origin tells on whose behalf a goroutine runs: a context that its caller set, and
// that the goroutines it starts have, too, those of compiled packages included. A host that
// runs several cells side by side finds with it the one that prints.
//
// The mark of a goroutine is the address of its labels for the profiler, which Go passes on to
// the goroutines that it starts and which nothing else does. A goroutine that changes its
// labels loses its origin.
package origin

import (
	"context"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Both are among the functions of the runtime that other programs may link to.

//go:linkname labels runtime/pprof.runtime_getProfLabel
func labels() unsafe.Pointer

//go:linkname setLabels runtime/pprof.runtime_setProfLabel
func setLabels(unsafe.Pointer)

// origin is the context of the goroutines with a mark.
type origin struct {
	ctx   context.Context
	label string
}

var (
	origins sync.Map // mark -> origin
	count   atomic.Int64
)

const key = "origin"

// With calls f. While it runs, ctx is the origin of its goroutine and of those that it starts.
func With(ctx context.Context, f func()) {
	before, number := labels(), strconv.FormatInt(count.Add(1), 10)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(key, number)))
	mark := labels()
	origins.Store(mark, origin{ctx, strconv.Quote(key) + ":" + strconv.Quote(number)})
	defer func() {
		origins.Delete(mark)
		setLabels(before)
	}()
	f()
}

func own() origin {
	if o, is := origins.Load(labels()); is {
		return o.(origin)
	}
	return origin{ctx: context.Background()}
}

// Context returns the origin of the running goroutine, or context.Background() if it has none
// or the call of With has returned.
func Context() context.Context { return own().ctx }

// Label returns how goroutine profiles show the goroutines with the origin of the running one,
// or "".
func Label() string { return own().label }
