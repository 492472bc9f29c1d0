package ranks

import (
	"strings"
	"testing"
)

// Five copies of at most ten million numbers: 400 MB, whatever the size of the table.
func TestRoom(t *testing.T) {
	for _, c := range []struct {
		p, n  int
		limit uint64
		fits  bool
	}{
		{1 << 30, 100, 399e6, false},
		{1 << 30, 100, 401e6, true},
		{1e6, 1, 39e6, false},
		{1e6, 1, 41e6, true},
		{100, 100, 1, true}, // too little to ask for
	} {
		for _, streamed := range []bool{false, true} {
			err := Room(c.p, c.n, streamed, c.limit)
			if (err == nil) != c.fits || err != nil && strings.Contains(err.Error(), "stream the table") == streamed {
				t.Errorf("%d x %d, %d bytes, streamed %t: %v", c.p, c.n, c.limit, streamed, err)
			}
		}
	}
}
