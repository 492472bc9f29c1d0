package live

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/symmom"
)

// openTopics serves a page on drawn documents.
func openTopics(t *testing.T, first TopicsChoice) (s *Server, d *TopicsDesk, end func() error) {
	t.Helper()
	drawn := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 4, Documents: 600, Words: 80})
	first.Options.Seed = symmom.DefaultSeed
	d = &TopicsDesk{Base: drawn.Session, First: first, Command: func(c TopicsChoice) string { return fmt.Sprintf("symmom topics drawn --top %d", c.Words) }}
	fields, err := d.Fields()
	if err != nil {
		t.Fatal(err)
	}
	s, end = serve(t, Options{Title: "drawn", Kind: Topics, Fields: fields, Prepare: d.Prepare})
	return s, d, end
}

func topicsOf(s *Server) *symmom.Topics {
	found, _ := s.Result()
	return found.(*foundTopics).Topics
}

// The page shows the topics that the library finds, has nothing of a search, and saves them.
func TestTopics(t *testing.T) {
	s, d, _ := openTopics(t, TopicsChoice{Topics: 4, Words: 8})
	v, _ := events(t, s, idle)
	want := d.Base.Topics(4)
	if found := topicsOf(s); !slices.Equal(found.Weights, want.Weights) || v.Result.Name != "4 topics" || !strings.HasPrefix(v.Message, "Done: 4 topics, concentration ") {
		t.Errorf("shares %v, want %v: %+v", found.Weights, want.Weights, v)
	}
	_, page := ask(t, s, "GET", "/", "")
	for text, is := range map[string]bool{`id="doing"`: true, ">Find<": true, `href="/export/model.json"`: true, `id="evaluations"`: false, `id="search"`: false, `id="ranks"`: false, "data-task=": false, "model.npz": false} {
		if strings.Contains(page, text) != is {
			t.Errorf("the page has %s: %v, want %v", text, !is, is)
		}
	}
	coherence, err := want.Coherence(d.Base)
	if err != nil {
		t.Fatal(err)
	}
	_, report := ask(t, s, "GET", "/export/report.html", "")
	report = html.UnescapeString(report)
	for _, text := range []string{"Map of the topics", "Words of the topics", ">" + strings.Join(want.Top(8)[0], ", ") + "<", fmt.Sprintf(">%.2f<", coherence[0]), "symmom topics drawn --top 8"} {
		if !strings.Contains(report, text) {
			t.Errorf("the report does not have %q", text)
		}
	}
	path := filepath.Join(t.TempDir(), "topics.json")
	status, data := ask(t, s, "GET", "/export/model.json", "")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	if saved, err := symmom.LoadTopics(path); err != nil || !slices.Equal(saved.Weights, want.Weights) {
		t.Errorf("exported: %v, %v", saved, err)
	}
	if status, _ := ask(t, s, "GET", "/export/model.npz", ""); status != 404 {
		t.Errorf("topics as NPZ: %d", status)
	}
	ask(t, s, "POST", "/choose", `{"values":{},"task":"sweep"}`)
	if s.lab.latest.Wait(); s.lab.now.Run != 1 {
		t.Errorf("ranks of topics were compared: %+v", s.lab.now)
	}
}

// Another number of words shows more of the same topics, which another seed finds anew.
func TestTopicsShownAgain(t *testing.T) {
	s, _, _ := openTopics(t, TopicsChoice{Words: 8})
	v, _ := events(t, s, idle)
	first := topicsOf(s)
	if v.Result.Name != "as many topics as stand out" || !strings.Contains(v.Message, "4 of them") || first.Components != 4 {
		t.Fatalf("%d topics: %+v", first.Components, v)
	}
	choose(t, s, `{"words":3}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Run == 2 })
	if topicsOf(s) != first {
		t.Error("other words are of other topics")
	}
	if _, report := ask(t, s, "GET", "/report", ""); !strings.Contains(report, ">"+strings.Join(first.Top(3)[0], ", ")+"<") || !strings.Contains(report, "--top 3") {
		t.Error("the report has no three words of each topic")
	}
	for i, values := range []string{`{"concentration":"1","starts":11}`, `{"concentration":"11","starts":1}`} {
		choose(t, s, values)
		waitFor(t, s, func(v view) bool { return idle(v) && v.Run == 3+i })
	}
	if c := topicsOf(s).Concentration; c != 11 {
		t.Errorf("topics of concentration 11 have %g", c)
	}
	choose(t, s, `{"concentration":"","starts":0,"seed":2}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Run == 5 })
	if topicsOf(s) == first {
		t.Error("another seed finds nothing anew")
	}
}

// A choice that finds nothing says why at its control, and leaves what is there.
func TestTopicsChoices(t *testing.T) {
	s, _, _ := openTopics(t, TopicsChoice{Topics: 4, Words: 8})
	events(t, s, idle)
	for values, want := range map[string]string{`{"topics":81}`: "want a whole number, 0 to 80", `{"concentration":"x"}`: "want a number above 0", `{"words":0}`: "want a whole number, 1 to 80"} {
		if wrong := choose(t, s, values); len(wrong) != 1 || !strings.Contains(fmt.Sprint(wrong), want) {
			t.Errorf("%s: %q, want %q", values, wrong, want)
		}
	}
	choose(t, s, `{"topics":80}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Run > 1 })
	if v, _, _ := s.lab.since(-1, 0, 0); !v.Bad || !strings.HasPrefix(v.Errors["topics"], "want at most ") || !strings.Contains(v.Message, "below is still 4 topics") || topicsOf(s).Components != 4 {
		t.Errorf("more topics than there are: %+v", v)
	}
	choose(t, s, `{"topics":4,"concentration":"1e7"}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Run > 2 })
	if v, _, _ := s.lab.since(-1, 0, 0); !strings.HasPrefix(v.Errors["concentration"], "want a number from 1e-6 to 1e6") {
		t.Errorf("a concentration of 1e7: %+v", v)
	}
	if wrong := choose(t, s, `{"topics":4,"concentration":"0"}`); len(wrong) > 0 {
		t.Errorf("a concentration of 0, to be estimated: %v", wrong)
	}
	choose(t, s, `{"topics":3,"concentration":"0.5","momentsonly":true}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Name == "3 topics, concentration 0.5, moments only" })
	if found := topicsOf(s); found.Concentration != .5 || found.Iterations != 0 || found.Components != 3 {
		t.Errorf("%+v", found)
	}
}

// Topics of a run that is stopped, that another choice ends, or that the end of the server cuts
// short are kept, with their coherence.
func TestTopicsInterrupted(t *testing.T) {
	s, _, end := openTopics(t, TopicsChoice{Topics: 4, Words: 8, Options: symmom.TopicsOptions{Tolerance: 1e-300, MaxIterations: 1e9}})
	polishing := func(name string) {
		t.Helper()
		waitFor(t, s, func(v view) bool {
			return v.State == "running" && v.Name == name && strings.HasPrefix(v.Doing, "polish, iteration ")
		})
	}
	polishing("4 topics")
	ask(t, s, "POST", "/stop", "")
	waitFor(t, s, idle)
	v, _, _ := s.lab.since(-1, 0, 0)
	if !v.Result.Interrupted || !strings.HasPrefix(v.Message, "Interrupted: the best so far is kept, 4 topics") || topicsOf(s).Components != 4 {
		t.Errorf("stopped: %+v", v)
	}
	if _, report := ask(t, s, "GET", "/report", ""); !strings.Contains(report, "this is the best set of topics so far") || strings.Contains(report, ">-<") {
		t.Error("the report of a stopped run does not say so, or has no coherence")
	}
	choose(t, s, `{"topics":3}`)
	polishing("3 topics")
	choose(t, s, `{"topics":80}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Errors["topics"] != "" })
	if topicsOf(s).Components != 3 {
		t.Errorf("what ran before a choice that fails is lost: %v", topicsOf(s))
	}
	choose(t, s, `{"topics":2}`)
	polishing("2 topics")
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if cut, kept := s.Cut(); !cut || !kept || topicsOf(s).Components != 2 || !strings.Contains(s.Report().Page(), "Words of the topics") {
		t.Errorf("at the end: %v, %v, %v", cut, kept, topicsOf(s))
	}
}
