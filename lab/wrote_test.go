package lab

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"symmom/repl"
)

// A cell says what the library wrote for it, and no more of what is captured or fails.
func TestCellsSayWhatTheyWrote(t *testing.T) {
	s := newSession(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	s.must(t, fmt.Sprintf("data := datasets.Iris(); fit := data.Moment(3).Decompose(2); dir := %q", dir))
	for _, c := range []struct{ source, want string }{
		{fmt.Sprintf(`err := fit.Save(%q)`, at("a.json")), "wrote " + at("a.json") + ", "},
		{fmt.Sprintf(`charts.WriteReport(data, %q, charts.ReportOptions{From: 1, To: 2})`, at("a.html")), "wrote " + at("a.html") + ", 1."},
		{`func() { done := make(chan error); go func() { done <- charts.Lambda(fit).Save(dir + "/b.svg") }(); <-done }()`, "wrote " + at("b.svg") + ", "},
		{`for range 3 { fit.Save(dir + "/c.csv.json") }`, "wrote " + at("c.csv.json") + ", "},
		{`for i := range 20 { fit.Save(fmt.Sprintf("%s/%d.json", dir, i)) }`, "wrote 20 files, "},
		{"%%capture out\nfit.Save(dir + \"/d.json\")", ""},
		{`fmt.Print(out.Stdout)`, "wrote " + at("d.json") + ", "},
		{`err = fit.Save(dir + "/none/a.json")`, ""},
		{`data.N()`, ""},
	} {
		before := s.out.String()
		s.must(t, c.source)
		got := strings.TrimPrefix(s.out.String(), before)
		if !strings.HasPrefix(got, c.want) || strings.Count(got, "\n") != strings.Count(c.want, "wrote") {
			t.Errorf("%s: %q, want %q", c.source, got, c.want)
		}
	}
	before := s.out.String()
	if _, err := s.EvalScript(t.Context(), "script.go", `fit.Save(dir + "/e.json")`, func(repl.Result) {}); err != nil || s.out.String() != before {
		t.Errorf("a script prints %q, %v", s.out.String(), err)
	}
}
