package main

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// close1 allows for the rounding of a few operations on numbers of order 1.
func close1(a, b float64) bool { return math.Abs(a-b) <= 1e-13*math.Max(1, math.Abs(b)) }

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		s            sample
		median, half float64
	}{
		{sample{3}, 3, 0},
		{sample{9, 1, 2}, 2, 2},
		{sample{4, 1, 3, 2}, 2.5, .6},
	} {
		before := slices.Clone(c.s)
		if m := c.s.median(); m != c.median {
			t.Errorf("median of %v = %v, want %v", c.s, m, c.median)
		}
		if h := c.s.spread(); !close1(h, c.half) {
			t.Errorf("spread of %v = %v, want %v", c.s, h, c.half)
		}
		if !slices.Equal(before, c.s) {
			t.Errorf("%v became %v: turns must keep their order", before, c.s)
		}
	}
	var none sample
	if !math.IsNaN(none.median()) || !math.IsNaN(none.spread()) || !math.IsNaN(none.least()) {
		t.Error("statistics of nothing are numbers")
	}
}

func TestRatioIsOfMediansAndItsRangeOfTurns(t *testing.T) {
	r := sample{2, 4, 9}.over(sample{1, 4, 2})
	if r.value != 2 || r.low != 1 || r.high != 4.5 {
		t.Errorf("%+v, want 2 (1-4.5)", r)
	}
	if got := r.String(); got != "2.00 (1.00-4.50)" {
		t.Error(got)
	}
}

func TestExponent(t *testing.T) {
	x := []float64{1, 2, 5, 40}
	for _, e := range []float64{-1, 0, 1, 1.37} {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 3e-4 * math.Pow(x[i], e)
		}
		if got := exponent(x, y); !close1(got, e) {
			t.Errorf("exponent %v, want %v", got, e)
		}
	}
	// By hand: log2 y = 0, 2, 1 at log2 x = 0, 1, 2 has slope 1/2.
	if got := exponent([]float64{1, 2, 4}, []float64{1, 4, 2}); !close1(got, .5) {
		t.Errorf("exponent %v, want 1/2", got)
	}
}

func TestTurnsAlternate(t *testing.T) {
	var order []string
	in := func(name string, s float64) entrant {
		return entrant{name, func() (float64, error) {
			order = append(order, name)
			return s * float64(len(order)), nil
		}}
	}
	times, err := turns(context.Background(), 2, []entrant{in("a", 1), in("b", 10)})
	if err != nil || !slices.Equal(order, []string{"a", "b", "a", "b"}) {
		t.Fatal(order, err)
	}
	if !slices.Equal(times[0], sample{1, 3}) || !slices.Equal(times[1], sample{20, 40}) {
		t.Error(times)
	}
	if s, i := fastest([]sample{{5}, {2, 3}, {4}}); i != 1 || s.median() != 2.5 {
		t.Error(s, i)
	}
	broken := errors.New("broken")
	_, err = turns(context.Background(), 2, []entrant{{"c", func() (float64, error) { return 0, broken }}})
	if !errors.Is(err, broken) || err.Error() != "c: broken" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := turns(ctx, 1, []entrant{in("d", 1)}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPerCallWarmsUpAndRepeats(t *testing.T) {
	calls := 0
	if s := perCall(0, func() { calls++ }); s < 0 || calls != 2 {
		t.Errorf("%d calls, %v s; want one to warm up and one that counts", calls, s)
	}
}
