package diag

import "testing"

// One start has nothing to be compared with; three that found the best are enough,
// two unless they are fewer than half, one never.
func TestFewFound(t *testing.T) {
	for _, c := range []struct {
		hits, all int
		few       bool
	}{
		{1, 1, false}, {1, 2, true}, {1, 10, true},
		{2, 2, false}, {2, 4, false}, {2, 5, true}, {2, 10, true},
		{3, 5, false}, {3, 200, false},
	} {
		if got := FewFound(c.hits, c.all); got != c.few {
			t.Errorf("%d of %d starts: few %v, want %v", c.hits, c.all, got, c.few)
		}
	}
}
