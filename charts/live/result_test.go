package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"testing"

	"symmom/charts"
	"symmom/datasets"
	"symmom/symmom"
)

// A whole number is not made of another one, which the page would go on showing.
func TestWholeNumbers(t *testing.T) {
	s, rank, _ := open(t)
	before := rank.Value()
	for _, values := range []string{`{"rank":2.5}`, `{"rank":2.999999999}`, `{"starts":1.5,"rank":7}`} {
		wrong := choose(t, s, values)
		if at := map[bool]string{true: "starts", false: "rank"}[strings.Contains(values, "starts")]; len(wrong) != 1 || !strings.HasPrefix(wrong[at], "want a whole number, 1 to ") {
			t.Errorf("%s: %q", values, wrong)
		}
		if rank.Value() != before {
			t.Fatalf("%s changes the rank to %v", values, rank.Value())
		}
	}
	if wrong := choose(t, s, `{"rank":3.0}`); len(wrong) > 0 || rank.Value() != 3 {
		t.Errorf("3.0: %q, %v", wrong, rank.Value())
	}
}

// The saved report of a fit that was stopped says what its page says, and counts the
// starts that were begun, of which some have not ended.
func TestReportOfAStoppedFit(t *testing.T) {
	s, _, _ := open(t)
	events(t, s, idle)
	choose(t, s, `{"rank":4,"starts":50,"forever":true}`)
	waitFor(t, s, func(v view) bool { return v.State == "running" && v.Evaluations > 50 })
	ask(t, s, "POST", "/stop", "")
	waitFor(t, s, func(v view) bool { return idle(v) && v.Result != nil && v.Result.Interrupted })
	v, _, _ := s.lab.since(-1, 0, 0)
	fit, _ := resultOf(s)
	s.lab.shown.job.(*FitJob).Notes = []string{"a note of what was chosen"}
	begun, best := len(fit.Starts), 0
	for _, x := range fit.Starts {
		if x.AtBest {
			best++
		}
	}
	if want := fmt.Sprintf("starts at the best: %d of %d begun", best, begun); begun >= v.Starts || v.StartsDone >= begun || !strings.Contains(v.Result.Line, want) {
		t.Errorf("%d starts begun, %d of %d ended: %q", begun, v.StartsDone, v.Starts, v.Result.Line)
	}
	_, page := ask(t, s, "GET", "/export/report.html", "")
	page = html.UnescapeString(page)
	if len(fit.Warnings) == 0 {
		t.Error("a stopped fit without warnings: this test looks at nothing")
	}
	for _, w := range fit.Warnings {
		if !strings.Contains(page, "Warning: "+w.Text) {
			t.Errorf("the report does not say: %s", w.Text)
		}
	}
	for _, want := range []string{"the 3rd moment of the data as they are, rank 4", "a note of what was chosen", "interrupted", fmt.Sprintf("%d of %d begun", best, begun)} {
		if !strings.Contains(page, want) {
			t.Errorf("the report does not say: %s", want)
		}
	}
}

// Beside a control stands what it can be, without the names that code has for it.
func TestMessages(t *testing.T) {
	s := symmom.FromRows([][]float64{{1, 2}, {2, 1}, {4, 5}, {3, 7}})
	d := &Desk{Base: s, First: Choice{Order: 3, Seed: 1, Form: "auto"}, Ranks: readRanks, Forms: []string{"auto", "sampled"}, Shape: func(s *symmom.Session, _ string) *symmom.Session { return s }}
	if err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	fields, err := d.Fields()
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t.Context(), Options{Fields: fields})
	for _, c := range [][3]string{
		{"rank", `0`, "want a whole number, 1 to 1,000,000,000"},
		{"rank", `null`, "want a whole number, 1 to 1,000,000,000"},
		{"rank", `2.5`, "want a whole number, 1 to 1,000,000,000"},
		{"order", `1e9`, "want a whole number, 1 to 100"},
		{"whiten", `3`, "want a whole number, 0 to 2"},
		{"form", `"x"`, "want auto, sampled"},
		{"columns", `7`, "want a line of text"},
		{"columns", `"x"`, `column "x": unknown; the columns are "column 1", "column 2"`},
		{"columns", `"9"`, `column "9": out of range; the source has 2 columns, numbered from 1`},
		{"columns", `"1,"`, "want a name, a number or a range before and after each comma"},
		{"columns", `"1,1"`, `"column 1" is named twice`},
		{"ranks", `"x"`, "want ranks such as 3..7"},
		{"sigma", `"-1"`, "want a number above 0"},
	} {
		if _, wrong := l.accept(map[string]json.RawMessage{c[0]: json.RawMessage(c[1])}); wrong[c[0]] != c[2] {
			t.Errorf("%s of %s: %q, want %q", c[0], c[1], wrong[c[0]], c[2])
		}
	}
	m := s.Moment(3).Sampled(0).Debias(symmom.Noise{Sigma: .1})
	for want, err := range map[string]error{
		"want another form for a debiased moment or a cumulant: choose the implicit or the compressed one": m.Decompose(1).Err(),
		"want 1 to 2, the number of variables": s.Whiten(3).Err(),
		"no start reached a finite objective":  errors.New("decompose: no start reached a finite objective"),
	} {
		if got := says(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// readRanks stands for the reader of --ranks.
func readRanks(text string) ([]int, error) {
	if text == "x" {
		return nil, errors.New("ranks such as 3..7")
	}
	return []int{1, 2, 3}, nil
}

// A sweep shows its ranks in a table, keeps the fit that stands there, and draws no curve,
// which is of one rank; the curve of a fit has the norm for its relative errors.
func TestSweep(t *testing.T) {
	s, _, _ := open(t)
	v, _ := events(t, s, func(v view) bool { return idle(v) && v.Result != nil })
	fit, _ := resultOf(s)
	if v.Norm == nil || *v.Norm != fit.NormSquared.Value || *v.Norm <= 0 {
		t.Errorf("a norm of %v, want %v", v.Norm, fit.NormSquared.Value)
	}
	if status, text := ask(t, s, "POST", "/choose", `{"values":{},"task":"sweep"}`); status != 200 {
		t.Fatal(status, text)
	}
	v, points := events(t, s, func(v view) bool { return idle(v) && v.Run > 1 && v.Ranks != nil })
	if len(points) > 0 || v.Task != Sweep || v.Name != "several ranks, order 3" || v.Bad || v.Message != "Done: the table of ranks is below." {
		t.Errorf("%d points of a curve, %+v", len(points), v.status)
	}
	if after, _ := resultOf(s); after != fit {
		t.Error("the sweep took the place of the fit")
	}
	c := v.Ranks
	if len(c.Rows) != 2 || c.Command != "symmom sweep" || c.Title != "A sweep of ranks: order 3" {
		t.Fatalf("%+v", c)
	}
	for i, r := range c.Rows {
		if f := datasets.Digits().Moment(3).With(symmom.Options{Starts: 4}).Decompose(i + 1); r.Rank != i+1 || r.Relative != fmt.Sprintf("%.6g", f.RelativeError) {
			t.Errorf("%+v, want %g", r, f.RelativeError)
		}
	}
	choose(t, s, `{"rank":2}`)
	if v, _ = events(t, s, func(v view) bool { return idle(v) && v.Name == "order 3, rank 2" }); v.Task != "" || v.Ranks == nil {
		t.Errorf("after a fit: task %q, ranks %v", v.Task, v.Ranks)
	}
}

// A fit of a table with labels is compared with the means of their groups, in its line and its report.
func TestResultsScoreGroups(t *testing.T) {
	data := datasets.Iris()
	for name, c := range map[string]struct {
		m     *symmom.Moment
		drawn charts.FitOptions
		want  string
	}{
		"groups":    {data.Moment(3), charts.FitOptions{}, "against the means of species"},
		"cumulant":  {data.Cumulant(3), charts.FitOptions{}, "against the means of species"},
		"a truth":   {data.Moment(3), charts.FitOptions{Truth: data.GroupMeans()}, ""},
		"no labels": {symmom.FromMatrix(data.Matrix()).Moment(3), charts.FitOptions{}, ""},
	} {
		job := &FitJob{Name: name, Moment: c.m, Rank: 2, Shown: data, Summary: data.Summary(), InMemory: true, Drawn: c.drawn}
		r := newResult(1, job, job.Find(func(float64) {}))
		if got := strings.Contains(r.line(), "against"); got != (c.want != "") || !strings.Contains(r.line(), c.want) {
			t.Errorf("%s: %s", name, r.line())
		}
		if got := strings.Contains(r.page(), "Agreement with groups"); got != (c.want != "") {
			t.Errorf("%s: the report has groups: %v", name, got)
		}
	}
}
