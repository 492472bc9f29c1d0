package display

import (
	"strings"
	"testing"
)

type evidence struct {
	Kind    string
	Rank    int
	Sure    string
	Ranks   []int
	Numbers []float64
}

type best struct {
	Value  float64
	Starts int
}

type remark struct{ Code, text string }

func (r remark) String() string { return r.text }

type start struct{ Trace []best }

// Lists of structs of this module are tables in a terminal, with what is long in part; those
// that have a text of their own stand one below the other, and other structs are shown as fmt prints them.
func TestOwnLists(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]evidence{
			{Kind: "spectrum", Rank: 2, Sure: "sure", Ranks: []int{1, 2, 3}, Numbers: []float64{1. / 3, 2, 1e-9}},
			{Kind: "BIC", Rank: 12, Sure: strings.Repeat("x", 100), Ranks: make([]int, 30)},
		}, `     Kind      Rank  Sure                                                          Ranks        Numbers
  0  spectrum     2  sure                                                          [1 2 3]      [0.333333 2 1e-09]
  1  BIC         12  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...  30 elements`},
		{[]*best{{Starts: 3}, nil}, `     Value  Starts
  0      0       3
  1    nil     nil`},
		{[]struct{ A []float64 }{{make([]float64, 7)}}, "[{[0 0 0 0 0 0 0]}]"},
		{[]best{}, "[]"},
		{[]remark{{"rank", strings.Repeat("x", 100)}, {"", "second"}}, strings.Repeat("x", 100) + "\nsecond"},
		{[]*remark{nil}, "<nil>"},
	} {
		if got := Text([]any{c.v}); got != c.want {
			t.Errorf("%T: got\n%s\nwant\n%s", c.v, got, c.want)
		}
	}
	long := Text([]any{make([]best, 1000)})
	if lines := strings.Split(long, "\n"); len(lines) != 22 || !strings.Contains(long, "\n  ...") || !strings.Contains(long, "\n  999 ") {
		t.Errorf("%d lines:\n%s", len(lines), long)
	}
	starts := []start{{make([]best, 30)}}
	if page := table(starts); !strings.Contains(page, "<td>30 elements</td>") {
		t.Error(page)
	}
}
