package charts

import (
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// The first and the last of what is allowed is drawn, and what is beyond is refused by name.
func TestEdgesOfArguments(t *testing.T) {
	orders := func(d ...int) error { return Cost(CostOptions{Orders: d}).Err() }
	first := func(l int) error { return SourcesOf(mat.NewDense(6, 2, nil), nil, SourcesOptions{First: l}).Err() }
	s := symmom.FromRows([][]float64{{1, 2}, {2, 1}, {3, 4}, {4, 3.5}, {1, 1}, {0, 2}})
	report := func(o ReportOptions) error {
		o.Moment = s.Moment(3).With(symmom.Options{Starts: 1, MaxIterations: 2})
		return ReportOn(s, o).Err()
	}
	for _, c := range []struct {
		argument string // that the error names; "" where there is none
		of       string
		err      error
	}{
		{"", "orders 2 and 12", orders(2, 12)}, {"Orders", "order 1", orders(3, 1)}, {"Orders", "order 13", orders(13)}, {"Orders", "an order twice", orders(3, 4, 3)},
		{"", "factors", FactorsOf(mat.NewDense(1, 1, []float64{1})).Err()}, {"factors", "no factors", FactorsOf(&mat.Dense{}).Err()},
		{"", "first sources", first(0)}, {"", "last sources", first(4)}, {"First", "sources from before", first(-1)}, {"First", "one source", first(5)},
		{"", "one rank", report(ReportOptions{From: 1, To: 1, Rank: 1})}, {"", "the first rank", report(ReportOptions{From: 1, To: 2, Rank: 1})}, {"", "the last rank", report(ReportOptions{From: 1, To: 2, Rank: 2})},
		{"From, To", "from rank 0", report(ReportOptions{From: 0, To: 1})}, {"From, To", "backwards", report(ReportOptions{From: 2, To: 1})},
		{"Rank", "a lower rank", report(ReportOptions{From: 2, To: 2, Rank: 1})}, {"Rank", "a higher rank", report(ReportOptions{From: 1, To: 1, Rank: 2})},
	} {
		var refused *symmom.ArgumentError
		switch {
		case c.argument == "" && c.err != nil:
			t.Errorf("%s: %v", c.of, c.err)
		case c.argument != "" && (!errors.As(c.err, &refused) || !strings.EqualFold(refused.Argument, c.argument)):
			t.Errorf("%s: %v, want an error of %s", c.of, c.err, c.argument)
		}
	}
}
