package display

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestAbridgeAsFmt: where nothing is left out, the text is that of fmt.
func TestAbridgeAsFmt(t *testing.T) {
	type inner struct {
		A any
		b error
		c map[string][]float64
	}
	type outer struct {
		inner
		D time.Duration
		d time.Duration
		E [2]inner
		F func()
		G []byte
		h *int
	}
	x := outer{inner: inner{A: 1.5, b: errors.New("bad"), c: map[string][]float64{"b": {1e9, -2}, "a": nil}}, D: time.Second, d: time.Second,
		E: [2]inner{{A: []any{nil, "text", 'x', true, time.Minute}}, {A: &inner{}}}, G: []byte("ab"), h: new(int)}
	for _, v := range []any{x, &x, &[]int{1}, [][]int{{1}, {}, nil}, map[any]any{"a": 1}, map[bool]int{true: 1, false: 0}, map[float64]string{2: "b", -1: "a"}, []error{nil, errors.New("e")},
		[]*outer{nil, &x}, complex(1, 2), nil, "text", []time.Duration{1, 2}, [0]int{}, struct{}{}} {
		var b strings.Builder
		abridge(&b, reflect.ValueOf(v), 0)
		if want := fmt.Sprintf("%v", v); b.String() != want {
			t.Errorf("got  %s\nwant %s", b.String(), want)
		}
	}
}

// TestPlain: what is large is shown in part, and what contains itself is not followed.
func TestPlain(t *testing.T) {
	self := map[string]any{}
	self["self"] = self
	loop := []any{1, nil}
	loop[1] = [1]any{&loop}
	twice := []any{1, nil}
	twice[1] = twice
	type row struct {
		Name   string
		Values []float64
	}
	shared := []any{[]any{1}}
	numbers := map[int]int{}
	for i := range 1001 {
		numbers[1000-i] = i
	}
	for _, c := range []struct {
		v    any
		want string
	}{
		{self, "map[string]interface {} that contains itself"},
		{twice, "[]interface {} that contains itself"},
		{[]any{shared, shared}, "[[[1]] [[1]]]"},
		{loop, fmt.Sprint(loop)}, // fmt does not follow a pointer within
		{make([]bool, 1000), fmt.Sprint(make([]bool, 1000))},
		{make([]bool, 1001), "[false false false false ... 993 more ... false false false false]"},
		{make([]float64, 30_000_000), "[0 0 0 0 ... 29,999,992 more ... 0 0 0 0]"},
		{[][]int{make([]int, 2000), {1, 2}}, "[[0 0 0 0 ... 1,992 more ... 0 0 0 0] [1 2]]"},
		{&row{"a", make([]float64, 2000)}, "&{a [0 0 0 0 ... 1,992 more ... 0 0 0 0]}"},
		{numbers, "map[0:1000 1:999 2:998 3:997 ... 993 more ... 997:3 998:2 999:1 1000:0]"},
	} {
		if got := plain(c.v); got != c.want {
			t.Errorf("%.60v...\ngot  %s\nwant %s", reflect.TypeOf(c.v), got, c.want)
		}
	}
	if got := Text([]any{strings.Repeat("é", 1<<20)}); len(got) > mostText+100 || !strings.Contains(got, "\n... 1,048,576 bytes more ...\n") || strings.ToValidUTF8(got, "?") != got {
		t.Errorf("%d bytes of text, %s", len(got), got[mostText/2-10:mostText/2+60])
	}
}
