package ranks

import "testing"

func TestRuns(t *testing.T) {
	for want, of := range map[string][]int{"": nil, "4": {4}, "2 and 3": {2, 3}, "2, 4 and 6 to 9": {2, 4, 6, 7, 8, 9}, "1 to 3, 5 and 6": {1, 2, 3, 5, 6}} {
		if got := runs(of); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
}
