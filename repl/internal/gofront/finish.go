package gofront

import (
	"maps"
	"slices"
)

// finish writes the functions that go through all types, where there are new ones.
// writeInstances writes the instances of generic code that are still to be written.
func (w *Writer) finish(writeInstances func()) {
	for again := true; again && w.err == nil; {
		before := len(w.owned) + len(w.tracked) + len(w.written)
		writeInstances()
		for _, m := range []map[string]*tracked{w.state.tracked, w.tracked} {
			for _, key := range slices.Sorted(maps.Keys(m)) {
				w.retrack(key, m[key])
			}
		}
		w.tellForms()
		for _, e := range w.allOwned() {
			w.tellMethods(e)
		}
		writeInstances()
		again = before != len(w.owned)+len(w.tracked)+len(w.written)
	}
}
