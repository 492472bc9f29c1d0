package paper

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"symmom/internal/test/slow"
	"symmom/symmom"
)

// page is the part of an experiment's JSON that the tests check.
type page[T any] struct {
	Experiment string
	Quick      bool
	Finished   int
	Cells      int
	Claims     []Claim
	Data       []T
}

// quick runs all experiments on small problems and saves them, once for all tests.
func quick(t *testing.T) string {
	t.Helper()
	slow.Test(t)
	if quickDir != "" {
		return quickDir
	}
	dir := filepath.Join(shared, "quick")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	results, err := RunAll(context.Background(), Settings{Quick: true, State: filepath.Join(dir, StateFile)})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(List()) {
		t.Fatalf("%d results of %d experiments", len(results), len(List()))
	}
	if err := SaveAll(dir, results); err != nil {
		t.Fatal(err)
	}
	quickDir = dir
	return dir
}

var shared, quickDir string

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "paper"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(shared)
	os.Exit(code)
}

// read reads an experiment's JSON, which must have all cells.
func read[T any](t *testing.T, name string) page[T] {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(quick(t), name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var p page[T]
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if p.Experiment != name || !p.Quick || p.Finished != p.Cells || len(p.Data) == 0 || len(p.Claims) == 0 {
		t.Errorf("%s: %+v", name, p)
	}
	return p
}

func TestQuickTable1(t *testing.T) {
	slow.Test(t)
	p := read[timingRecord](t, "table1")
	if len(p.Data) != 30 { // 6 scenarios: 2 forms of 2 methods, and the tight run
		t.Errorf("%d cells", len(p.Data))
	}
	implicit := map[[2]any]timingRecord{}
	for _, c := range p.Data {
		if c.PerEvaluation <= 0 || c.Evaluations < 10 || len(c.Starts.F) != 3 {
			t.Errorf("%+v", c)
		}
		if c.RelativeError < .003 || c.RelativeError > .03 { // .004 to .020 measured
			t.Errorf("relative error %g", c.RelativeError)
		}
		if c.Form == formImplicit {
			implicit[[2]any{c.Method, [4]int{c.D, c.N, c.P, c.R}}] = c
		}
	}
	for _, c := range p.Data {
		i := implicit[[2]any{c.Method, [4]int{c.D, c.N, c.P, c.R}}]
		switch c.Form {
		case formExplicit: // the same problem: a tolerance of .05 leaves about 1e-5 of ||X||^2 open
			if d := math.Abs(float64(c.F-i.F)) / float64(i.NormSquared); d > 1e-3 || math.Abs(float64(c.NormSquared/i.NormSquared)-1) > 1e-12 {
				t.Errorf("explicit and implicit: f differs by %g, ||X||^2 %g and %g", d, c.NormSquared, i.NormSquared)
			}
		case formTight:
			if c.F > i.F || c.Evaluations <= i.Evaluations {
				t.Errorf("to %g: f %g, %d evaluations; to %g: %g, %d", tightTolerance, c.F, c.Evaluations, uniformTolerance, i.F, i.Evaluations)
			}
		}
	}
}

func TestQuickMixtures(t *testing.T) {
	slow.Test(t)
	for _, d := range []string{"gmm3", "gmm4"} {
		seen := 0
		for _, c := range read[gmmRecord](t, d).Data {
			if c.Rank != c.TrueRank || c.Method != MethodBest {
				continue
			}
			seen++
			// Within sigma of a mean: the error of the best fit is at most about
			// sigma^2 n/per of ||X||^2, and its score is that close to 1.
			limit := c.Sigma * c.Sigma * 60 / 80 * 2
			if float64(c.Score) < 1-limit || c.Sigma <= 1e-2 && float64(c.RelativeError) > limit {
				t.Errorf("%s r=%d sigma=%g: relative error %g, score %g", d, c.TrueRank, c.Sigma, c.RelativeError, c.Score)
			}
			if c.AtBest != len(c.Starts.F) || len(c.Starts.F) != 4 {
				t.Errorf("%s r=%d sigma=%g: %d of %d starts at the best", d, c.TrueRank, c.Sigma, c.AtBest, len(c.Starts.F))
			}
		}
		if seen != 8 {
			t.Errorf("%s: %d cells of rank = r", d, seen)
		}
	}
}

func TestQuickStarts(t *testing.T) {
	slow.Test(t)
	successes := map[string]int{}
	for _, c := range read[initRecord](t, "init").Data {
		successes[c.Method+", "+c.Way] += c.Successes
		if len(c.Starts.F) != 10 {
			t.Errorf("%d starts", len(c.Starts.F))
		}
	}
	for _, way := range []string{"paper, turned, 1e-4", "best, turned, 1e-4"} {
		if successes[way] < 38 { // 40 measured
			t.Errorf("%s: %d of 40 successful", way, successes[way])
		}
	}
	// Each of three columns has the wrong sign with probability 1/2.
	if n := successes["paper, range finder, 1e-4"]; n > 35 {
		t.Errorf("plain range finder: %d of 40 successful", n)
	}
}

func TestQuickRecovery(t *testing.T) {
	data := read[recoveryRecord](t, "recovery").Data
	if len(data) != 10 {
		t.Errorf("%d cells", len(data))
	}
	for _, c := range data {
		if len(c.Factors) != c.Rank || len(c.Factors[0]) != 60 || len(c.Cosines) != 5 {
			t.Errorf("%+v", c)
		}
		if c.Rank >= 5 && (c.Score < .98 || detected(c) != 5) {
			t.Errorf("%s, rank %d: score %g, %v", c.Method, c.Rank, c.Score, c.Cosines)
		}
	}
}

func TestQuickMassive(t *testing.T) {
	data := read[massiveRecord](t, "table3").Data
	if traces := read[massiveRecord](t, "traces").Data; !reflect.DeepEqual(traces, data) {
		t.Error("the traces are not those of table3")
	}
	best := map[string]number{}
	for _, c := range data {
		if c.Samples == 0 {
			best[c.Method] = c.F
		}
	}
	if d := math.Abs(float64(best[MethodPaper] - best[MethodBest])); d > 1e-6 { // the tolerance leaves this open
		t.Errorf("standard: f differs by %g between the methods", d)
	}
	for _, c := range data {
		if c.F < best[c.Method]-1e-6 || c.F > best[c.Method]+.02 || c.Score < .99 {
			t.Errorf("%s, %s: f %g, score %g; standard %g", c.Method, c.rowName(), c.F, c.Score, best[c.Method])
		}
		if c.Estimated != (c.Samples > 0) || len(c.Trace) < 3 || end(c) <= 0 {
			t.Errorf("%s, %s: trace of %d points", c.Method, c.rowName(), len(c.Trace))
		}
		if last := c.Trace[len(c.Trace)-1].F; c.Samples == 0 && math.Abs(float64(last-c.F)) > 1e-12 {
			t.Errorf("%s: the trace ends at %g, not at %g", c.Method, last, c.F)
		}
	}
}

func TestQuickPicture(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(quick(t), "mixture.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Data pictureRecord }
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	c := p.Data
	if len(c.Points) != 150 || len(c.Labels) != 150 || len(c.Means) != 5 {
		t.Errorf("%d points, %d labels, %d means", len(c.Points), len(c.Labels), len(c.Means))
	}
	for _, x := range []float64{c.Congruence[0] - .5, c.Congruence[1] - .5, c.Norms[0] - 1, c.Norms[1] - 1} {
		if math.Abs(x) > 1e-12 { // rounding of sums of 60 products
			t.Errorf("means: cosines %v, norms %v", c.Congruence, c.Norms)
		}
	}
	// Points spread by sigma |q|, q a column of the projection: .1 sqrt(60).
	var spread float64
	for i, x := range c.Points {
		spread += math.Pow(distance(x, c.Means[c.Labels[i]]), 2) / 2 / 150
	}
	if spread = math.Sqrt(spread); spread < .5 || spread > 1.1 {
		t.Errorf("points spread by %g about their means, want about %g", spread, .1*math.Sqrt(60))
	}
}

func TestCostIsWhatSymmomSays(t *testing.T) {
	p := read[costRow](t, "cost")
	for _, c := range p.Data {
		if c.ExplicitBytes != 8*math.Pow(float64(c.N), float64(c.D)) {
			t.Errorf("d=%d n=%d: %g bytes", c.D, c.N, c.ExplicitBytes)
		}
		// Each of the C(n+d-1, d) distinct entries twice while the tensor is formed,
		// and up to the size of one of the two again for padding rows and columns to
		// multiples of eight, where n is at least 50.
		entries := 8.
		for i := range c.D {
			entries *= float64(c.N+i) / float64(i+1)
		}
		if c.PackedBytes < 2*entries || c.PackedBytes > 3*entries {
			t.Errorf("d=%d n=%d: symmom asks for %g bytes, the distinct entries have %g", c.D, c.N, c.PackedBytes, entries)
		}
	}
	if p.Claims[0].Value != 8 || !p.Claims[0].Agrees || p.Claims[3].Agrees {
		t.Errorf("%+v", p.Claims)
	}
}

// The published times per evaluation are those of a start divided by its
// evaluations, except for rounding and the mean of ratios: this detects a number
// that was copied incorrectly.
func TestPublishedTimesFitTogether(t *testing.T) {
	for _, c := range publishedTable1 {
		for _, x := range [][2]float64{{c.perExplicit, c.timeExplicit.mean / c.evalExplicit.mean}, {c.perImplicit, c.timeImplicit.mean / c.evalImplicit.mean}} {
			if math.Abs(x[0]/x[1]-1) > .005 {
				t.Errorf("d=%d n=%d p=%d r=%d: %g s an evaluation, %g from the totals", c.d, c.n, c.p, c.r, x[0], x[1])
			}
		}
	}
	for _, g := range publishedGrowth {
		a, b := publishedTable1[g.from], publishedTable1[g.to]
		for _, x := range [][2]float64{{g.explicit, b.perExplicit / a.perExplicit}, {g.implicit, b.perImplicit / a.perImplicit}} {
			if math.Abs(x[0]-x[1]) > .17*x[0] { // "nearly unchanged" is 1.16
				t.Errorf("%s: the text says %g, the table %g", g.what, x[0], x[1])
			}
		}
	}
}

// The rule of relative decrease with alpha in f, for f near the solution.
func TestWithAlpha(t *testing.T) {
	fit := &symmom.Fit{ObjectiveShifted: -90, NormSquared: symmom.Norm{Value: 100}}
	// factr eps max(|10|, 1) = x max(|-90|, 1)
	if got, want := withAlpha(fit), 1e7*0x1p-52*10/90; math.Abs(got/want-1) > 1e-15 {
		t.Errorf("%g, want %g", got, want)
	}
	fit.NormSquared.Value = 90.001 // f below 1: the rule is absolute
	if got, want := withAlpha(fit), 1e7*0x1p-52/90; math.Abs(got/want-1) > 1e-15 {
		t.Errorf("%g, want %g", got, want)
	}
}

func TestPages(t *testing.T) {
	dir := quick(t)
	index, err := os.ReadFile(filepath.Join(dir, IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile(filepath.Join(dir, WordsFile))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(words), "left it out") {
		t.Error("RESULTS.md lacks an experiment")
	}
	for _, e := range List() {
		if !strings.Contains(string(index), `href="`+e.Name+`.html"`) || !strings.Contains(string(index), `href="`+e.Name+`.json"`) {
			t.Errorf("the index does not link %s", e.Name)
		}
		if !strings.Contains(string(words), "`symmom paper "+e.Name+"`") {
			t.Errorf("RESULTS.md has nothing on %s", e.Name)
		}
		page, err := os.ReadFile(filepath.Join(dir, e.Name+".html"))
		if err != nil || !strings.Contains(string(page), e.Title) || !strings.Contains(string(page), "QUICK") {
			t.Errorf("%s.html: %v", e.Name, err)
		}
	}
	if partial, err := Words(nil); err != nil || strings.Count(partial, "left it out") != len(List()) {
		t.Errorf("without results: %v\n%s", err, partial)
	}
}

// The committed RESULTS.md has the words of the current template; its tables are
// from the run that it names.
func TestResultsHaveTheWordsOfTheTemplate(t *testing.T) {
	b, err := os.ReadFile(WordsFile)
	if err != nil {
		t.Fatal(err)
	}
	committed := string(b)
	n := 0
	for line := range strings.Lines(resultsText) {
		if line = strings.TrimSpace(line); line == "" || strings.Contains(line, "{{") {
			continue
		}
		n++
		if !strings.Contains(committed, line) {
			t.Errorf("RESULTS.md lacks the line %q: make paper", line)
		}
	}
	if n < 40 || strings.Contains(committed, "QUICK") || strings.Contains(committed, "UNFINISHED") || strings.Contains(committed, "left it out") {
		t.Errorf("RESULTS.md is not that of a whole run, or the template has only %d lines", n)
	}
}

func TestBadSettings(t *testing.T) {
	ctx := context.Background()
	for name, s := range map[string]Settings{
		"Method":       {Method: "newton"},
		"Starts":       {Starts: -1},
		"Observations": {Observations: 123},
	} {
		var bad *symmom.ArgumentError
		if _, err := Run(ctx, "cost", s); !errors.As(err, &bad) || bad.Argument != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Run(ctx, "table2", Settings{}); err == nil || !strings.Contains(err.Error(), "table1, mixture") {
		t.Errorf("table2: %v", err)
	}
}
