package repr

import (
	"maps"
	"slices"
)

// Finish writes the dispatchers and describes the types until there are no new ones.
// writeInstances writes the pending instances of generic code.
func (w *Writer) Finish(writeInstances func()) {
	for again := true; again && w.firstError == nil; {
		before := len(w.boxed) + len(w.dispatchers) + len(w.written)
		writeInstances()
		for _, m := range []map[string]*dispatcher{w.state.dispatchers, w.dispatchers} {
			for _, key := range slices.Sorted(maps.Keys(m)) {
				w.updateDispatcher(key, m[key])
			}
		}
		for _, e := range w.boxedTypes() {
			w.describeMethods(e)
		}
		writeInstances()
		again = before != len(w.boxed)+len(w.dispatchers)+len(w.written)
	}
}
