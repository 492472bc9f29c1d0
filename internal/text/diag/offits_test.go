package diag

import (
	"slices"
	"testing"
)

// A warning says which fits it is of, unless it is of all.
func TestOfFits(t *testing.T) {
	left := New(LeftOut, "1 column left out").With("Columns")
	few := New(FewStarts, "only 1 of 10 starts found this fit").With("Seed")
	fits := []OfFit{
		{Name: "1", Warnings: []Warning{left}},
		{Name: "2", Warnings: []Warning{left, few, New(Degenerate, "rank 2 has a pair")}},
		{Name: "3", Warnings: []Warning{left, New(Degenerate, "rank 3 has a pair"), New(Rank, "rank 3 has 6 parameters")}},
		{Name: "4", Warnings: []Warning{left, few, New(Degenerate, "rank 4 has a pair"), New(Rank, "rank 4 has 8 parameters")}},
		{Name: "5", Warnings: []Warning{left, New(NotConverged, "the best start ended before"), New(Rank, "rank 5 has 10 parameters")}},
	}
	var got []string
	for _, w := range OfFits(fits, Ranks) {
		got = append(got, w.Text)
		if w.Code == FewStarts && !slices.Equal(w.Help, few.Help) {
			t.Errorf("%s: its help is %v", w, w.Help)
		}
	}
	want := []string{
		"1 column left out",
		"ranks 2, 4: only 1 of 10 starts found this fit",
		"rank 2 has a pair (ranks 3, 4 too)",
		"rank 3 has 6 parameters",
		"rank 5: the best start ended before",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if one := OfFits(fits[1:2], Ranks); len(one) != 3 || one[1].Text != few.Text {
		t.Errorf("of one rank: %q", one)
	}
}
