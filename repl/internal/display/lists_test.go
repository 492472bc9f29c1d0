package display

import (
	"strings"
	"testing"

	"symmom/symmom"
)

// Lists of what fits are made of are tables in a terminal, with what is long in part; those
// that have a text of their own stand one below the other, and other structs are shown as fmt prints them.
func TestOwnLists(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]symmom.RankEvidence{
			{Kind: "spectrum", Rank: 2, Sure: "sure", Text: "two", Ranks: []int{1, 2, 3}, Numbers: []float64{1. / 3, 2, 1e-9}},
			{Kind: "BIC", Rank: 12, Text: strings.Repeat("x", 100), Ranks: make([]int, 30)},
		}, `     Kind      Rank  Or  Sure  Text                                                          Ranks        Numbers
  0  spectrum     2   0  sure  two                                                           [1 2 3]      [0.333333 2 1e-09]
  1  BIC         12   0        xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...  30 elements`},
		{[]*symmom.Optimum{{Starts: 3}, nil}, `     ObjectiveShifted  Starts
  0                 0       3
  1               nil     nil`},
		{[]struct{ A []float64 }{{make([]float64, 7)}}, "[{[0 0 0 0 0 0 0]}]"},
		{[]symmom.Optimum{}, "[]"},
		{[]symmom.Warning{{Code: "rank", Text: strings.Repeat("x", 100)}, {Text: "second"}}, strings.Repeat("x", 100) + "\nsecond"},
		{[]*symmom.Model{nil}, "<nil>"},
	} {
		if got := Text([]any{c.v}); got != c.want {
			t.Errorf("%T: got\n%s\nwant\n%s", c.v, got, c.want)
		}
	}
	long := Text([]any{make([]symmom.Optimum, 1000)})
	if lines := strings.Split(long, "\n"); len(lines) != 22 || !strings.Contains(long, "\n  ...") || !strings.Contains(long, "\n  999 ") {
		t.Errorf("%d lines:\n%s", len(lines), long)
	}
	starts := []symmom.Start{{Trace: make([]symmom.TracePoint, 30)}}
	if page := table(starts); !strings.Contains(page, "<td>30 elements</td>") {
		t.Error(page)
	}
}
