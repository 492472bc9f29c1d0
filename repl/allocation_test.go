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
	} {
		_, err := s.Eval(t.Context(), cell)
		if err == nil || !strings.Contains(err.Error(), "out of memory: ") {
			t.Errorf("%s\nends with %v", cell, err)
		}
	}
	if r, err := s.Eval(t.Context(), "len(make([]int, n>>40))"); err != nil || r.String() != "64" {
		t.Errorf("a slice for which there is room: %v, %v", r, err)
	}
}
