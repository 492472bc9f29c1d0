package live

import (
	"fmt"
	"html"
	"strings"
	"testing"
)

// A whole number is not made of another one, which the page would go on showing.
func TestWholeNumbers(t *testing.T) {
	s, rank, _ := open(t)
	before := rank.Value()
	for _, values := range []string{`{"rank":2.5}`, `{"rank":2.999999999}`, `{"starts":1.5,"rank":7}`} {
		wrong := choose(t, s, values)
		if at := map[bool]string{true: "starts", false: "rank"}[strings.Contains(values, "starts")]; len(wrong) != 1 || wrong[at] != "want a whole number" {
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
	fit, _ := s.Result()
	s.lab.shown.job.Notes = []string{"a note of what was chosen"}
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
