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
		if err := Room(c.p, c.n, c.limit); (err == nil) != c.fits || err != nil && !strings.Contains(err.Error(), "stream the table") {
			t.Errorf("%d x %d, %d bytes: %v", c.p, c.n, c.limit, err)
		}
	}
}
