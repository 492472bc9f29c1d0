package gofront

import (
	"maps"
	"slices"
)

// finishOwn writes what goes through all types, where there are new ones.
func (l *Lowering) finishOwn() {
	for again := true; again && l.err == nil; {
		before := len(l.owned) + len(l.tracked) + len(l.written)
		l.writeInstances()
		for _, m := range []map[string]*tracked{l.state.tracked, l.tracked} {
			for _, key := range slices.Sorted(maps.Keys(m)) {
				l.retrack(key, m[key])
			}
		}
		l.tellForms()
		for _, e := range l.allOwned() {
			l.tellMethods(e)
		}
		l.writeInstances()
		again = before != len(l.owned)+len(l.tracked)+len(l.written)
	}
}
