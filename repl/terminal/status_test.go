package terminal

import (
	"testing"
	"time"

	"symmom/repl"
)

// A call with a value shows it, and its curve where there is room.
func TestProgressText(t *testing.T) {
	c4 := &curve{f: []float64{9, 3, 2.1, 2}}
	for _, c := range []struct {
		p    repl.Progress
		want string
	}{
		{repl.Progress{Doing: "write, 3%", Elapsed: 2 * time.Second, Remaining: -1}, "write, 3%  2s  (Ctrl-C stops)"},
		{repl.Progress{Doing: "start 1 of 2", Label: "f", Value: 2, Elapsed: time.Second, Remaining: -1}, "start 1 of 2  █▄▂▁  f 2  1s  (Ctrl-C stops)"},
		{repl.Progress{Doing: "start 1 of 2, in more words than the line has room for", Label: "f", Value: 2, Remaining: time.Second},
			"start 1 of 2, in more words than the line has room for  f 2  0s, 1s left  (Ctrl-C stops)"},
	} {
		if got := progressText(c.p, c4, 80); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
