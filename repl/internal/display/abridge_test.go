package display

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

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
