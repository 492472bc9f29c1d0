package boxed

import (
	"encoding/json"
	"errors"
	"reflect"
	"unsafe"
)

// place is a pointer, or a map or a slice, and its type.
type place struct {
	at    unsafe.Pointer
	len   int
	title string
}

// copied identifies a pointer, a map or a slice that package template visits: it may
// refer to itself, and so does its likeness.
type copied struct {
	at  unsafe.Pointer
	len int
	o   *Layout
}

// untilCycle is the number of pointers, maps and slices that package json follows before
// it looks for one that it has met.
const untilCycle = 1000

// enter notes that the parts of v, a pointer, a map or a slice, are copied next, into like
// if that is known. Otherwise it returns false and the likeness of v: it was copied before,
// or is among its own parts.
func (w *writer) enter(o *Layout, v, like reflect.Value) (reflect.Value, bool) {
	key := copied{v.UnsafePointer(), lengthOf(v), o}
	if w.Format == "" && like.IsValid() {
		if x, known := w.copies[key]; known {
			return x, false
		}
		w.remember(key, like)
	}
	p := place{key.at, key.len, title(o, v)}
	i, circular := w.depth[p]
	if !circular {
		if w.depth == nil {
			w.depth = map[place]int{}
		}
		w.depth[p] = len(w.around)
		w.around = append(w.around, p)
		return like, true
	}
	if i <= untilCycle { // json names the one that it meets there
		p = w.around[i+(untilCycle-i)%(len(w.around)-i)]
	}
	switch err := "encountered a cycle via " + p.title; w.Format {
	case "JSON":
		w.fail(&json.UnsupportedValueError{Value: v, Str: err})
	case "XML":
		w.fail(errors.New("xml: unsupported value: " + err))
	}
	return v, false
}

// lengthOf distinguishes slices at the same address.
func lengthOf(v reflect.Value) int {
	if v.Kind() == reflect.Slice {
		return v.Len()
	}
	return 0
}

func (w *writer) remember(key copied, like reflect.Value) {
	if w.copies == nil {
		w.copies = map[copied]reflect.Value{}
	}
	w.copies[key] = like
}

func (w *writer) leave() {
	last := len(w.around) - 1
	delete(w.depth, w.around[last])
	w.around = w.around[:last]
}
