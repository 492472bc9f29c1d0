package tables

import (
	"context"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/moment/block"
	"symmom/internal/test/torture"
)

// Shifted sparse observations are gone through once, in which an interrupt is heard.
func TestMappedIsInterrupted(t *testing.T) {
	const p = 1 << 16
	start, index, v := make([]int, p+1), make([]int32, p), make([]float64, p)
	for l := range p {
		start[l+1], v[l] = l+1, float64(l%7)
	}
	set := &load.Set{Info: load.Info{P: p, N: 2}, Sparse: &block.Sparse{Start: start, Index: index, V: v}}
	x := New(set)
	for left := range 8 {
		ctx := &torture.Ending{Context: t.Context(), Left: left}
		if y, err := x.Mapped(ctx, nil, []float64{3, 1}); err != context.Canceled || y != nil || ctx.Asked > left+4 {
			t.Errorf("%v, asked %d times after %d", err, ctx.Asked, left)
		}
	}
	y, err := x.Mapped(t.Context(), nil, []float64{3, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := y.Sketch().Span, 3.1622776601683795; got != want { // |(3, 1)|, of l % 7 = 0 and 6
		t.Errorf("the longest has norm %.17g, want %.17g", got, want)
	}
}
