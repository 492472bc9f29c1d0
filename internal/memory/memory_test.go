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
