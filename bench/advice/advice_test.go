package main

import (
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strings"
	"testing"

	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
	"symmom/symmom"
)

// Whatever a warning of the source advises is followed.
func TestAllAdviceIsFollowed(t *testing.T) {
	some, err := check("../..", everything(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if len(some) < 40 {
		t.Errorf("found %d warnings that advise something", len(some))
	}
}

// Advice is found in the source however it is made; advice that names nothing, and advice that
// nobody follows, is complained of.
func TestSites(t *testing.T) {
	const source = `package p

func f() []diag.Warning {
	warning := func(format string, args ...any) diag.Warning {
		return diag.New(diag.NotConverged, format, args...)
	}
	w := diag.New(diag.Scales, "apart: standardize")
	if true {
		w = w.With("Standardize")
	}
	s.warn(diag.OtherForm, "solved")
	return []diag.Warning{w, warning("flat; take another").With("order"), diag.New(diag.Rank, "too high: take a lower one"), diag.New(diag.Rank, "see --rank").With("rank")}
}
`
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "f.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	of, err := codes("../..")
	if err != nil {
		t.Fatal(err)
	}
	var all []site
	for _, d := range file.Decls {
		all = append(all, within(files, d, of)...)
	}
	some, complaints := advising(all)
	if len(all) != 5 || len(some) != 2 || len(complaints) != 2 || !strings.Contains(complaints[0], "too high") || !strings.Contains(complaints[1], "--rank") {
		t.Errorf("%+v: advice of %+v, %q", all, some, complaints)
	}
	for code, help := range map[string]string{diag.Scales: "Standardize", diag.NotConverged: "order"} {
		if !slices.ContainsFunc(some, func(s site) bool { return s.code == code && slices.Equal(s.help, []string{help}) }) {
			t.Errorf("no %s of %s in %+v", help, code, some)
		}
	}
	if complaints := uncovered(some, []advice{{code: diag.Scales, help: "Standardize"}}); len(complaints) != 1 {
		t.Errorf("%q, want the advice to take another order", complaints)
	}
}

// What was advised until it was followed is found wrong: non-negative factors for centered data,
// and a tied covariance for an outlier; so is advice that nothing gives.
func TestWrongAdviceIsFound(t *testing.T) {
	slow.Test(t)
	warned := func(w symmom.Warning, figure float64) func() result {
		return func() result { return result{[]symmom.Warning{w}, figure, nil} }
	}
	iris := readIris().Center().Moment(3)
	stays := diag.New(diag.FewMembers, "take a simpler covariance").With("Covariance")
	for name, a := range map[string]advice{
		"non-negative factors": {diag.Degenerate, "rank", "", "keep the factors non-negative", "1 - relative error", 1, .25, 0, func(uint64) table {
			run := func(o symmom.Options) func() result {
				return func() result { return fitted(iris.With(o).Decompose(3), explained) }
			}
			return table{"iris", run(symmom.Options{}), run(symmom.Options{Nonnegative: true})}
		}},
		"the same again": {diag.FewMembers, "Covariance", "", "", "", 0, 0, 0, func(uint64) table { return table{"", warned(asWarned(stays)[0], 1), warned(asWarned(stays)[0], 1)} }},
		"worse":          {diag.FewMembers, "Covariance", "", "", "", -1, .5, 0, func(uint64) table { return table{"", warned(asWarned(stays)[0], 1), warned(symmom.Warning{}, 2)} }},
		"never given":    {diag.FewMembers, "Covariance", "", "", "", 0, 0, 0, func(uint64) table { return table{"", warned(symmom.Warning{}, 1), nil} }},
	} {
		rows, err := judge(t.Context(), []advice{a}, "", io.Discard)
		if err != nil || len(rows) == 0 || slices.ContainsFunc(rows, func(r row) bool { return r.ok }) {
			t.Errorf("%s: %+v, %v", name, rows, err)
		}
	}
	better := advice{diag.FewMembers, "Covariance", "", "", "", -1, 0, 0, func(uint64) table { return table{"", warned(asWarned(stays)[0], 2), warned(asWarned(stays)[0], 1)} }}
	if rows, err := judge(t.Context(), []advice{better}, "", io.Discard); err != nil || len(rows) != wanted || !rows[0].ok {
		t.Errorf("better: %+v, %v", rows, err)
	}
}
