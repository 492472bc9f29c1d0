package paper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/test/slow"
	"symmom/symmom"
)

// withoutTimes returns a result's cells, without the parts that differ from run to
// run.
func withoutTimes(t *testing.T, r *Result) []gmmRecord {
	t.Helper()
	data, ok := r.data.([]gmmRecord)
	if !ok {
		t.Fatalf("%T", r.data)
	}
	for i := range data {
		data[i].Seconds, data[i].CPU, data[i].Starts.Seconds = 0, 0, nil
	}
	return data
}

func TestRunGoesOnWhereItStopped(t *testing.T) {
	slow.Test(t)
	state := filepath.Join(t.TempDir(), StateFile)
	const before = 7
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	computed := map[string]int{}
	s := Settings{Quick: true, State: state, Progress: func(p Progress) {
		computed[p.Cell]++
		if p.Done == before {
			cancel()
		}
		if p.Total != 88 || p.Fraction < 0 || p.Fraction > 1+1e-9 {
			t.Errorf("%+v", p)
		}
	}}
	r, err := Run(ctx, "gmm3", s)
	if !errors.Is(err, symmom.ErrInterrupted) || !strings.Contains(err.Error(), "7 of 88") {
		t.Fatalf("error %v", err)
	}
	if r.Finished != before || r.Cells != 88 || !strings.Contains(r.String(), "UNFINISHED: 7 of 88") {
		t.Fatalf("%d of %d cells are finished", r.Finished, r.Cells)
	}

	first := len(computed)
	s.Progress = func(p Progress) { computed[p.Cell]++ }
	r, err = Run(context.Background(), "gmm3", s)
	if err != nil || r.Finished != 88 {
		t.Fatalf("%d cells, %v", r.Finished, err)
	}
	if again := len(computed) - first; again != 80 { // the eighth had begun
		t.Errorf("%d cells are new in the second run, want 80", again)
	}
	s.Progress = func(p Progress) { t.Errorf("computed again: %+v", p) }
	if r, err = Run(context.Background(), "gmm3", s); err != nil {
		t.Fatal(err)
	}
	whole, err := Run(context.Background(), "gmm3", Settings{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	a, b := withoutTimes(t, r), withoutTimes(t, whole)
	for i := range a {
		if a[i].F != b[i].F || a[i].Score != b[i].Score || a[i].Evaluations != b[i].Evaluations {
			t.Errorf("in parts: %+v\nat once: %+v", a[i], b[i])
		}
	}
}

func TestCellsDependOnTheirParameters(t *testing.T) {
	keys := map[string]bool{}
	for _, s := range []Settings{{}, {Seed: 2}, {Starts: 3}, {Quick: true}, {Observations: 1000}} {
		s, err := s.complete()
		if err != nil {
			t.Fatal(err)
		}
		keys[gmmKey(s, gmmCell{3, 3, 3, 0, MethodBest})] = true
		keys[massiveKey(s, MethodPaper, 0)] = true
		keys[table1Key(s, publishedTable1[0], MethodPaper, formExplicit)] = true
		keys[initKey(s, MethodPaper, initWays[0], .1)] = true
		keys[recoveryKey(s, MethodPaper, 3)] = true
		keys[pictureKey(s)] = true
	}
	// --observations applies only to the massive problem, the picture has no starts,
	// and three starts are what quick uses for table 1.
	if want := 4 + 5 + 3 + 4 + 4 + 3; len(keys) != want {
		t.Errorf("%d keys, want %d: %v", len(keys), want, keys)
	}
	all := 0
	seen := map[string]string{}
	for _, e := range experiments() {
		if e.jobs == nil || e.name == "traces" {
			continue
		}
		s, _ := Settings{}.complete()
		for _, j := range e.jobs(s) {
			if j.weight <= 0 || j.about == "" {
				t.Errorf("%+v", j)
			}
			if was, ok := seen[j.key]; ok && !strings.HasPrefix(j.key, "mixture") {
				t.Errorf("%s and %s share the cell %s", was, e.name, j.key)
			}
			seen[j.key] = e.name
			all++
		}
	}
	if all < 300 {
		t.Errorf("only %d cells", all)
	}
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.jsonl")
	a, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.put("one", 1), b.put("two", 2)); err != nil {
		t.Fatal(err)
	}
	c, err := openStore(path) // what both processes wrote
	if err != nil {
		t.Fatal(err)
	}
	one, ok1 := get[int](c, "one")
	two, ok2 := get[int](c, "two")
	if one != 1 || two != 2 || !ok1 || !ok2 {
		t.Errorf("%d %v, %d %v", one, ok1, two, ok2)
	}
	if _, ok := get[int](c, "three"); ok {
		t.Error("a cell that nobody computed")
	}
	if err := os.WriteFile(path, []byte("{\"key\":\"one\",\"value\":1}\nhalf a li"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken file: %v", err)
	}
	if err := (&store{path: filepath.Join(path, "no"), cells: map[string]entry{}}).put("x", 1); err == nil {
		t.Error("a place that cannot be written")
	}
}
