package symmom

import (
	"strings"
	"testing"
)

// Some ranks are those of a sweep over all, each once, ascending; bad ones are refused.
func TestSweepRanks(t *testing.T) {
	m := FromMatrix(clusters(6, 3, 300, 2, 1)).Moment(3)
	all, some := m.Sweep(1, 4), m.SweepRanks(4, 1, 1, 3)
	if some.Err() != nil || len(some.Fits) != 3 {
		t.Fatal(some.Err(), len(some.Fits))
	}
	for i, r := range []int{1, 3, 4} {
		if f := some.Fits[i]; f.Rank != r || f.ObjectiveShifted != all.Fits[r-1].ObjectiveShifted {
			t.Errorf("rank %d: %v, want %v", r, f, all.Fits[r-1])
		}
	}
	header, rows := some.Score(some.Fits[2].Model.Factors).Table() // four
	if header[2] != "score" || !strings.HasSuffix(rows[0][2], " (1 of 4)") || !strings.HasSuffix(rows[1][2], " (3 of 4)") || rows[2][2] != "1.00000" {
		t.Errorf("%q", rows)
	}
	for _, bad := range [][]int{nil, {2, 0}} {
		if err := m.SweepRanks(bad...).Err(); err == nil || !strings.Contains(err.Error(), "ranks") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
