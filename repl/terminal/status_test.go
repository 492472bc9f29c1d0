package terminal

import (
	"testing"
	"time"

	"symmom/symmom"
)

// A fit has a rank, and saving has none.
func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		p    symmom.Progress
		want string
	}{
		{symmom.Progress{Phase: symmom.PhaseBasis, Rank: 3, Starts: 10, Pass: 2, Elapsed: 4 * time.Second}, "rank 3  basis, pass 2  4s  (Ctrl-C stops)"},
		{symmom.Progress{Phase: symmom.PhaseMixtures, Rank: 7, Elapsed: time.Second}, "rank 7  mixtures  1s  (Ctrl-C stops)"},
		{symmom.Progress{Phase: symmom.PhaseWrite, Seen: .03, Elapsed: 2 * time.Second}, "write, 3%  2s  (Ctrl-C stops)"},
	} {
		if got := progressText(c.p, &curve{}, 80); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
