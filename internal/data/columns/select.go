package columns

import (
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Selection says which columns of a source of n columns are read.
type Selection struct {
	Variables []int  // 0-based, in the order asked for
	Weights   int    // 0-based, -1: none
	Labels    int    // likewise
	Heavy     string // name of the weights' column, if it has one
	Codes     *Columns
}

// Wanted says which columns a person asks for, by names, numbers or ranges of them.
type Wanted struct {
	Columns         []string // the variables, in this order; nil: all, or those of Numeric
	Weights, Labels string   // "": none
	Numeric         []int    // columns (0-based) that hold numbers; nil: all of them
	Codes           List
}

// Selects reports whether values may be left out, moved or made missing.
func (w Wanted) Selects() bool {
	return w.Columns != nil || w.Weights != "" || w.Labels != "" || w.Codes != nil
}

// Select resolves what is wanted against the n columns of a source; names is nil when it
// has none.
func Select(source string, names []string, n int, o Wanted) (Selection, error) {
	s := Selection{Weights: -1, Labels: -1}
	var known Places
	if o.Selects() {
		known = PlacesOf(names)
	}
	for _, one := range []struct {
		what, want string
		at         *int
	}{{"weights column", o.Weights, &s.Weights}, {"labels column", o.Labels, &s.Labels}} {
		if one.want == "" {
			continue
		}
		from, to, err := Resolve(source, one.what, one.want, names, known, n)
		if err != nil {
			return s, err
		}
		if from != to {
			return s, diag.Fail(source, "%s %s: want one column, got a range", one.what, words.Quote(one.want))
		}
		*one.at = from
	}
	if s.Weights >= 0 && s.Weights < len(names) {
		s.Heavy = names[s.Weights]
	}
	if s.Labels >= 0 && s.Labels == s.Weights {
		return s, diag.Fail(source, "column %d is asked for as weights and as labels; name another", s.Labels+1)
	}
	taken := make([]bool, n)
	take := func(want string, from, to int) error {
		for j := from; j <= to; j++ {
			if taken[j] {
				return diag.Fail(source, "column %d is selected twice, the second time by %s; name each column once", j+1, words.Quote(want))
			}
			taken[j] = true
			switch {
			case j != s.Weights && j != s.Labels:
				s.Variables = append(s.Variables, j)
			case from == to && want != "": // of a range it is left out
				as := "labels"
				if j == s.Weights {
					as = "weights"
				}
				return diag.Fail(source, "column %d is asked for as %s and as a variable; name another", j+1, as)
			}
		}
		return nil
	}
	switch {
	case o.Columns == nil && o.Numeric != nil:
		for _, j := range o.Numeric {
			_ = take("", j, j) // nothing can be taken twice
		}
	case o.Columns == nil:
		_ = take("", 0, n-1)
	}
	for _, want := range o.Columns {
		from, to, err := Resolve(source, "column", want, names, known, n)
		if err == nil {
			err = take(want, from, to)
		}
		if err != nil {
			return s, err
		}
	}
	if len(s.Variables) == 0 {
		return s, diag.Fail(source, "no columns are left to be variables; select at least one besides weights and labels")
	}
	all, err := CodesOf(source, names, n, o.Codes)
	s.Codes = all.Read(s.Variables, s.Weights, s.Labels)
	return s, err
}

// CodesOf returns the codes of missing values of a source's columns, all of them read.
func CodesOf(source string, names []string, n int, list List) (*Columns, error) {
	known := PlacesOf(names)
	return list.Of(n, func(column string) (from, to int, err error) {
		return Resolve(source, "column of a code of missing values", column, names, known, n)
	})
}

// Identity reports whether the selection takes all n columns as they come.
func (s Selection) Identity(n int) bool {
	if s.Weights >= 0 || s.Labels >= 0 || len(s.Variables) != n {
		return false
	}
	for a, j := range s.Variables {
		if a != j {
			return false
		}
	}
	return true
}
