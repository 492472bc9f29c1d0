package memory

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestFree(t *testing.T) {
	free := Free()
	if !(free > 1<<20 && free < 1<<50) {
		t.Errorf("%g bytes are free: no machine has that", free)
	}
	if l := Limit(0); !(l < Free()) {
		t.Errorf("the limit %g leaves nothing of %g bytes", l, free)
	}
}

func TestCheck(t *testing.T) {
	const gb = 1e9
	if err := Check("x", 2*gb, 3e9, "y"); err != nil {
		t.Error(err)
	}
	if err := Check("x", Small, 1, "y"); err != nil {
		t.Errorf("what is small was refused: %v", err)
	}
	err := Check("data.npy: 2,000 x 500 values", 4*gb, 3e9, "stream it")
	if want := "data.npy: 2,000 x 500 values would take 4 GB of memory, the limit is 3 GB; stream it"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	err = Check("data.npy", 1e18, 0, "stream it")
	var e *Error
	if !errors.As(err, &e) || e.Given || e.Limit > Free() || !strings.Contains(err.Error(), "1 EB of memory, three quarters of the free memory are ") {
		t.Errorf("got %v", err)
	}
	if err := Check("x", math.Inf(1), 0, "y"); err == nil {
		t.Error("infinity was allowed")
	}
	if err := Check("x", math.NaN(), 0, "y"); err == nil {
		t.Error("what is no number was allowed")
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		bytes, most float64
		given       uint64
		want        bool
	}{
		{1e6, 1e7, 0, true},
		{1e7, 1e6, 0, false},
		{1e6, 1e7, 1e5, false}, // a limit that was given holds for little, too
		{1e9, 2e9, 3e9, true},
		{1e18, math.Inf(1), 0, false},
		{math.NaN(), math.Inf(1), 0, false},
	} {
		if got := Fits(c.bytes, c.most, c.given); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
