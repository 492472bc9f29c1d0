package observations

import (
	"strconv"
	"strings"

	"symmom/internal/words"
)

// selection says which columns of a source of n columns are read.
type selection struct {
	variables []int // 0-based, in the order asked for
	weights   int   // 0-based, -1: none
	labels    int   // likewise
}

// selectColumns resolves the columns that options name against the n columns of a source; names is nil when it has none.
func selectColumns(source string, names []string, n int, o Options) (selection, error) {
	s := selection{weights: -1, labels: -1}
	var known places
	if o.selects() {
		known = placesOf(names)
	}
	for _, one := range []struct {
		what, want string
		at         *int
	}{{"weights column", o.Weights, &s.weights}, {"labels column", o.Labels, &s.labels}} {
		if one.want == "" {
			continue
		}
		from, to, err := resolve(source, one.what, one.want, names, known, n)
		if err != nil {
			return s, err
		}
		if from != to {
			return s, fail(source, "%s %s: want one column, got a range", one.what, words.Quote(one.want))
		}
		*one.at = from
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
			if j != s.weights && j != s.labels {
				s.variables = append(s.variables, j)
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
		from, to, err := resolve(source, "column", want, names, known, n)
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

// places are the columns (0-based) that names stand for: the first, and how many.
type places map[string]struct{ at, count int }

func placesOf(names []string) places {
	p := make(places, len(names))
	for j, name := range names {
		if name == "" {
			continue
		}
		v := p[name]
		if v.count == 0 {
			v.at = j
		}
		v.count++
		p[name] = v
	}
	return p
}

// resolve turns one name, number or range into a 0-based inclusive range.
func resolve(source, what, want string, names []string, known places, n int) (from, to int, err error) {
	switch j, count := known[want].at, known[want].count; {
	case count > 1:
		return 0, 0, fail(source, "%s %s: the header has this name %d times; use the column's number", what, words.Quote(want), count)
	case count == 1:
		return j, j, nil
	}
	first, last, isRange := strings.Cut(strings.TrimSpace(want), "-")
	from, err1 := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := from, err1
	if isRange {
		to, err2 = strconv.Atoi(strings.TrimSpace(last))
	}
	switch {
	case err1 != nil || err2 != nil:
		if names == nil {
			return 0, 0, fail(source, "%s %s: the source has no column names; use a number from 1 to %d or a range such as 2-5", what, words.Quote(want), n)
		}
		return 0, 0, fail(source, "%s %s: unknown; the columns are %s", what, words.Quote(want), list(quoted(names)))
	case from < 1 || to < 1 || from > n || to > n:
		return 0, 0, fail(source, "%s %s: out of range; the source has %s, numbered from 1", what, words.Quote(want), words.Plural(n, "column"))
	case from > to:
		return 0, 0, fail(source, "%s %s: the range runs backwards; want %d-%d", what, words.Quote(want), to, from)
	}
	return from - 1, to - 1, nil
}

func quoted(names []string) []string {
	q := make([]string, len(names))
	for j, s := range names {
		q[j] = words.Quote(s)
	}
	return q
}
