package live

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"symmom/datasets"
	"symmom/internal/estimate/modelfile"
	"symmom/symmom"
)

func idle(v view) bool { return v.State == "idle" && v.Run > 0 }

// resultOf returns the fit that the page shows.
func resultOf(s *Server) (*symmom.Fit, *FitJob) {
	found, job := s.Result()
	return found.(*foundFit).Fit, job.(*FitJob)
}

// The curve ends where the fit does, and what is exported is the fit.
func TestFit(t *testing.T) {
	s, _, _ := open(t)
	events(t, s, idle)
	if wrong := choose(t, s, `{"rank":5,"starts":6}`); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	v, points := events(t, s, func(v view) bool { return idle(v) && v.Name == "order 3, rank 5" && v.StartsDone == 6 })
	fit, job := resultOf(s)
	if fit.Rank != 5 || job.Name != v.Name || len(fit.Starts) != 6 || v.Bad || !strings.HasPrefix(v.Message, "Done: order 3, rank 5, relative error") {
		t.Fatalf("%+v: %+v", job, v)
	}
	if v.Evaluations != fit.Evaluations {
		t.Errorf("%d evaluations shown, %d made", v.Evaluations, fit.Evaluations)
	}
	ends := map[float64][3]float64{}
	for _, p := range points {
		ends[p[0]] = p
	}
	for i, l := range v.Lines {
		if !l.Polish {
			if end := ends[float64(i)]; !l.Done || int(end[1]) != l.Evaluations || end[2] != *l.Objective {
				t.Errorf("line %d ends at %v, the start at %+v", i, end, l)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "model.npz")
	status, data := ask(t, s, "GET", "/export/model.npz", "")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	m, err := symmom.LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	if e := datasets.Digits().Moment(3).Evaluate(m); e.RelativeError != fit.RelativeError && e.RelativeError-fit.RelativeError > 1e-12 {
		t.Errorf("exported: relative error %v, %v on the page", e.RelativeError, fit.RelativeError)
	}
	_, page := ask(t, s, "GET", "/", "")
	for _, ext := range append(modelfile.Extensions(), ".json", ".exe") {
		link, want := "/export/model"+ext, 200
		if ext == ".exe" {
			want = 404
		}
		if got, text := ask(t, s, "GET", link, ""); got != want || strings.Contains(page, `href="`+link+`"`) != (want == 200) {
			t.Errorf("%s: %d, want %d, and a link for each of these: %.200s", link, got, want, text)
		}
	}
	for path, want := range map[string]int{"/report": 200, "/export/report.html": 200} {
		if got, text := ask(t, s, "GET", path, ""); got != want {
			t.Errorf("%s: %d, want %d: %.200s", path, got, want, text)
		}
	}
}

// A page that listens at the end has the report of what was cut short.
func TestReportAtTheEnd(t *testing.T) {
	s, _, end := open(t)
	events(t, s, idle)
	choose(t, s, `{"rank":4,"forever":true}`)
	ended := make(chan error, 1)
	var once sync.Once
	events(t, s, func(v view) bool {
		if v.State == "running" && v.Evaluations > 50 {
			once.Do(func() { go func() { ended <- end() }() })
		}
		return v.Result != nil && v.Result.Interrupted
	})
	if status, text := ask(t, s, "GET", "/report", ""); status != 200 || !strings.Contains(text, "rank 4") {
		t.Errorf("%d: %.200s", status, text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A stopped fit is kept, and stays when the next choice gives nothing; a choice ends
// the fit that runs.
func TestStopAndChoose(t *testing.T) {
	s, _, end := open(t)
	events(t, s, idle)
	choose(t, s, `{"rank":4,"forever":true}`)
	searching := func(v view) bool { return v.State == "running" && v.Evaluations > 50 }
	events(t, s, searching)
	if status, _ := ask(t, s, "POST", "/stop", ""); status != 204 {
		t.Fatal(status)
	}
	v, _ := events(t, s, func(v view) bool { return idle(v) && v.Name == "order 3, rank 4" })
	if v.Result == nil || !v.Result.Interrupted || !strings.HasPrefix(v.Message, "Interrupted: the best so far is kept, order 3, rank 4, relative error") {
		t.Fatalf("stopped: %+v", v)
	}
	if v.StartsDone != 0 {
		t.Errorf("%d starts have ended, says the page of starts that never end", v.StartsDone)
	}
	kept := v.Result.Version

	// more than memory holds, and what only the preparation sees
	choose(t, s, `{"rank":100000,"starts":50}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Bad })
	v, _, _ = s.lab.since(-1, 0, 0)
	if !strings.Contains(v.Errors["rank"], "memory") || v.Result.Version != kept || strings.Contains(v.Errors["rank"], "\n") {
		t.Errorf("a rank that is too large: %+v", v)
	}
	choose(t, s, `{"rank":3,"columns":"none"}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Errors["columns"] != "" })
	if v, _, _ = s.lab.since(-1, 0, 0); v.Errors["columns"] != "there are none" || v.Result.Version != kept || !strings.Contains(v.Message, "below is still order 3, rank 4 (interrupted)") {
		t.Errorf("no columns: %+v", v)
	}

	// choices one after the other: one fit at a time, never idle between them, and the last one
	// counts
	for r := 2; r < 42; r++ {
		choose(t, s, fmt.Sprintf(`{"rank":%d,"columns":"","starts":3,"forever":true}`, r%9+1))
		waitFor(t, s, func(v view) bool { return v.State == "running" || r > 2 })
		if v, _, _ := s.lab.since(-1, 0, 0); idle(v) {
			t.Fatalf("idle before the choice of rank %d is made: %+v", r%9+1, v)
		}
	}
	choose(t, s, `{"rank":6,"forever":false}`)
	waitFor(t, s, idle)
	if v, _, _ := s.lab.since(-1, 0, 0); !strings.HasPrefix(v.Message, "Done: order 3, rank 6") {
		t.Errorf("idle before the last choice is made: %+v", v)
	}
	if fit, _ := resultOf(s); fit.Rank != 6 || fit.Err() != nil {
		t.Errorf("after many choices: %v", fit)
	}

	// the end of the server keeps the best so far
	choose(t, s, `{"rank":7,"forever":true}`)
	waitFor(t, s, searching)
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if fit, _ := resultOf(s); fit.Rank != 7 || fit.Status != symmom.StatusInterrupted {
		t.Errorf("at the end: %v", fit)
	}
	if cut, has := s.Cut(); !cut || !has {
		t.Errorf("cut short: %v, %v", cut, has)
	}
}

// A choice that is superseded is kept until another one gives more.
func TestSuperseded(t *testing.T) {
	s, _, _ := open(t)
	events(t, s, idle)
	choose(t, s, `{"rank":4,"forever":true}`)
	waitFor(t, s, func(v view) bool { return v.Name == "order 3, rank 4" && v.Evaluations > 50 })
	choose(t, s, `{"rank":100000}`)
	waitFor(t, s, func(v view) bool { return idle(v) && v.Errors["rank"] != "" })
	if fit, _ := resultOf(s); fit.Rank != 4 || fit.Status != symmom.StatusInterrupted {
		t.Errorf("what ran before a choice that fails is lost: %v", fit)
	}
}

// A fit that another choice ends is not the end of work: the page would say so for a moment. It is
// if a person stops it before the other one begins.
func TestNotIdleBetween(t *testing.T) {
	for _, c := range []struct {
		name  string
		do    func(*lab)
		state string
	}{
		{"a choice", func(l *lab) { l.supersede("") }, "running"},
		{"a stop", (*lab).stop, "idle"},
		{"a stop, then a choice", func(l *lab) { l.stop(); l.supersede("") }, "stopping"},
		{"a choice, then a stop", func(l *lab) { l.supersede(""); l.stop() }, "idle"},
	} {
		preparing := make(chan bool)
		l := newLab(t.Context(), Options{Prepare: func(ctx context.Context, _ func(symmom.Progress)) (Job, error) {
			close(preparing)
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		ended := make(chan bool)
		go func() {
			l.run()
			close(ended)
		}()
		<-preparing
		c.do(l)
		<-ended
		if v, _, _ := l.since(-1, 0, 0); v.State != c.state {
			t.Errorf("after %s it is %q, want %q: %+v", c.name, v.State, c.state, v)
		}
		l.stop()
		l.run()
		if v, _, _ := l.since(-1, 0, 0); v.State != "idle" {
			t.Errorf("after %s, stopped before the next one, it is %q", c.name, v.State)
		}
	}
}

func waitFor(t *testing.T, s *Server, holds func(view) bool) {
	t.Helper()
	end := time.After(patience)
	for {
		v, _, changed := s.lab.since(-1, 0, 0)
		if holds(v) {
			return
		}
		select {
		case <-changed:
		case <-end:
			text, _ := json.Marshal(v)
			t.Fatalf("it does not come: %s", text)
		}
	}
}

// TestChangedLines tells a page that listens of the lines that have changed, and one that
// comes later of all of them.
func TestChangedLines(t *testing.T) {
	l := newLab(t.Context(), Options{})
	l.now.Run = 1
	seen := map[int]line{}
	v, _, _ := l.since(-1, 0, 0)
	for k := range 3000 { // 1,000 starts in turns, some of them three times
		start := k * k % 1000
		l.tell(symmom.Progress{Phase: symmom.PhaseSearch, Start: start, StartEvaluations: k + 1, Objective: float64(-k), Starts: 1000})
		if k%2 == 0 {
			continue
		}
		if v, _, _ = l.since(1, v.stamp, 0); len(v.Lines) == 0 || len(v.Lines) > 2 {
			t.Fatalf("after %d reports: %d lines since two", k+1, len(v.Lines))
		}
		for _, s := range v.Lines {
			seen[s.At] = s
		}
	}
	all, _, _ := l.since(-1, 0, 0)
	again, _, _ := l.since(0, v.stamp, 0) // of another run
	if len(all.Lines) != len(seen) || len(seen) < 100 || len(again.Lines) != len(seen) {
		t.Errorf("%d lines, %d sent one by one, %d to a listener of another run", len(all.Lines), len(seen), len(again.Lines))
	}
	for i, s := range all.Lines {
		if s.At != i || seen[i].Start != s.Start || seen[i].Evaluations != s.Evaluations || *seen[i].Objective != *s.Objective {
			t.Errorf("line %d: %+v, sent %+v", i, s, seen[i])
		}
	}
	if v, _, _ = l.since(1, v.stamp, 0); len(v.Lines) > 0 {
		t.Errorf("%d lines have changed, with no report", len(v.Lines))
	}
}
