package observations

import (
	"symmom/internal/columns"
	"symmom/internal/words"
)

// selection says which columns of a source of n columns are read.
type selection struct {
	variables []int  // 0-based, in the order asked for
	weights   int    // 0-based, -1: none
	labels    int    // likewise
	heavy     string // name of the weights' column, if it has one
}

// selectColumns resolves the columns that options name against the n columns of a
// source; names is nil when it has none.
func selectColumns(source string, names []string, n int, o Options) (selection, error) {
	s := selection{weights: -1, labels: -1}
	var known columns.Places
	if o.selects() {
		known = columns.PlacesOf(names)
	}
	for _, one := range []struct {
		what, want string
		at         *int
	}{{"weights column", o.Weights, &s.weights}, {"labels column", o.Labels, &s.labels}} {
		if one.want == "" {
			continue
		}
		from, to, err := columns.Resolve(source, one.what, one.want, names, known, n)
		if err != nil {
			return s, err
		}
		if from != to {
			return s, fail(source, "%s %s: want one column, got a range", one.what, words.Quote(one.want))
		}
		*one.at = from
	}
	if s.weights >= 0 && s.weights < len(names) {
		s.heavy = names[s.weights]
	}
	if s.labels >= 0 && s.labels == s.weights {
		return s, fail(source, "column %d is asked for as weights and as labels; name another", s.labels+1)
	}
	taken := make([]bool, n)
	take := func(want string, from, to int) error {
		for j := from; j <= to; j++ {
			if taken[j] {
				return fail(source, "column %d is selected twice, the second time by %s; name each column once", j+1, words.Quote(want))
			}
			taken[j] = true
			switch {
			case j != s.weights && j != s.labels:
				s.variables = append(s.variables, j)
			case from == to && want != "": // of a range it is left out
				as := "labels"
				if j == s.weights {
					as = "weights"
				}
				return fail(source, "column %d is asked for as %s and as a variable; name another", j+1, as)
			}
		}
		return nil
	}
	switch {
	case o.Columns == nil && o.numeric != nil:
		for _, j := range o.numeric {
			_ = take("", j, j) // nothing can be taken twice
		}
	case o.Columns == nil:
		_ = take("", 0, n-1)
	}
	for _, want := range o.Columns {
		from, to, err := columns.Resolve(source, "column", want, names, known, n)
		if err == nil {
			err = take(want, from, to)
		}
		if err != nil {
			return s, err
		}
	}
	if len(s.variables) == 0 {
		return s, fail(source, "no columns are left to be variables; select at least one besides weights and labels")
	}
	return s, nil
}

// identity reports whether the selection takes all n columns as they come.
func (s selection) identity(n int) bool {
	if s.weights >= 0 || s.labels >= 0 || len(s.variables) != n {
		return false
	}
	for a, j := range s.variables {
		if a != j {
			return false
		}
	}
	return true
}
