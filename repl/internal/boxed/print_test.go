package boxed

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// TestAsFmt: values without types of cells are printed as fmt prints them.
func TestAsFmt(t *testing.T) {
	type inner struct {
		A any
		b error
		c map[string][]float64
	}
	type number int
	type outer struct {
		inner
		D time.Duration
		d time.Duration
		E [2]inner
		F func()
		G []byte
		h *int
		i number
	}
	x := outer{inner: inner{A: 1.5, b: errors.New("bad"), c: map[string][]float64{"b": {1e9, -2}, "a": nil}}, D: time.Second, d: time.Second,
		E: [2]inner{{A: []any{nil, "text", 'x', true, time.Minute}}, {A: &inner{}}}, F: func() {}, G: []byte("ab"), h: new(int), i: 5}
	list := []any{x, &x, &[]int{1}, [][]int{{1}, {}, nil}, map[any]any{"a": 1, "b": nil}, map[bool]int{true: 1, false: 0}, map[float64]string{2: "b", -1: "a"},
		[]error{nil, errors.New("e")}, errors.Join(errors.New("e"), errors.New("f")), []*outer{nil, &x}, complex(1, 2), complex64(1), float32(.1), "text", []time.Duration{1, 2},
		[0]int{}, struct{}{}, [3]byte{1, 2, 3}, [][]byte{{1}}, map[inner2]int{{1, "b"}: 1, {1, "a"}: 2}, make(chan int), (*int)(nil), unsafe.Pointer(nil), uint8(3), true,
		&[]any{&x}, map[[2]int]*int{}, time.Unix(0, 0).UTC(), []any{time.Second, &time.Time{}}, struct{ a, B any }{time.Second, time.Second}, number(3), []number{4}, struct{ *int }{},
		map[any]int{1: 1, "a": 2, 2: 3, [1]any{1}: 4, [1]any{nil}: 5}}
	for _, format := range strings.Fields("%v %+v %#v %T %s %d %q %x %X %p %t %g %c %U %o %e %6v %-9.2v| %08d %#x %z") {
		for _, v := range list {
			h := []any{holder{v}}
			if got, want := fmt.Sprintf(Verbs(format, h), h...), fmt.Sprintf(format, v); got != want {
				t.Errorf("%s of %T\ngot  %s\nwant %s", format, v, got, want)
			}
			h = []any{[]any{BoxedValue{&Type{}, v}}}
			if got, want := fmt.Sprintf(format, h...), fmt.Sprintf(format, []any{v}); got != want && format != "%p" {
				t.Errorf("%s of []any{%T}\ngot  %s\nwant %s", format, v, got, want)
			}
		}
	}
	for _, format := range []string{"%d %T", "%[2]T %[1]d", "%*d %T", "%[2]*[1]d %T", "%.*f%% %T %p", "%!%T", "%T %T", "%[5]T", "%[", "%T é %p", "%.[2]*[1]d %p"} {
		args := []any{1, 2, []any{1}}
		if got, want := fmt.Sprintf(Verbs(format, Operands(false, args)), Operands(false, args)...), fmt.Sprintf(format, args...); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", format, got, want)
		}
	}
}

type inner2 struct {
	n int
	s any
}
