package repl

import (
	"strings"
	"testing"
)

// TestNoRoom makes what no machine has memory for, in one piece. It must end the
// cell, not the process.
func TestNoRoom(t *testing.T) {
	s := newSession(t)
	for _, cell := range []string{
		"n := 1 << 46\nb := make([]byte, n)",
		"make([]byte, 1<<46)",
		"make([]byte, 0, n)",
		"make(chan [2]byte, n)",
		"import \"strings\"\nstrings.Repeat(\"ab\", n)",
		"import \"bytes\"\nbytes.Repeat([]byte(\"ab\"), n)",
		"mat.NewDense(n, n, nil)",
		"mat.NewSymDense(n, nil)",
		"mat.NewTriDense(1<<23, mat.Upper, nil)",
		"mat.NewCDense(n, n, nil)",
		"mat.NewVecDense(n, nil)",
		"mat.NewDiagDense(n, nil)",
		"mat.NewDiagonalRect(n, n, nil)",
		"mat.NewBandDense(n, n, 1, 1, nil)",
		"mat.NewSymBandDense(n, 1, nil)",
		"mat.NewTriBandDense(n, 1, mat.Lower, nil)",
		"mat.NewTridiag(n, nil, nil, nil)",
	} {
		_, err := s.Eval(t.Context(), cell)
		if err == nil || !strings.Contains(err.Error(), "out of memory: ") {
			t.Errorf("%s\nends with %v", cell, err)
		}
	}
	if r, err := s.Eval(t.Context(), "n = 3; []any{mat.Sum(mat.NewTriDense(2, mat.Upper, []float64{1, 2, 3, 4})), mat.NewVecDense(n, nil).Len(), mat.NewBandDense(5, 4, 1, 0, nil).RawBand().Data}"); err != nil || r.String() != "[7 3 [0 0 0 0 0 0 0 0 0 0]]" {
		t.Errorf("matrices for which there is room: %v, %v", r, err)
	}
	if _, err := s.Eval(t.Context(), "mat.NewVecDense(-1, nil)"); err == nil || !strings.Contains(err.Error(), "negative dimension") {
		t.Errorf("a negative length: %v", err)
	}
	s.must(t, "n = 1 << 46")
	if r, err := s.Eval(t.Context(), "len(make([]int, n>>40))"); err != nil || r.String() != "64" {
		t.Errorf("a slice for which there is room: %v, %v", r, err)
	}
}
