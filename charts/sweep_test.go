package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/symmom"
)

// paperLines returns a sweep for each of two noise levels.
func paperLines() []SweepLine {
	return []SweepLine{
		{Name: "σ = 0.01", Ranks: []int{3, 4, 5}, RelativeError: []float64{.2, .1, 1e-4},
			Score: []float64{.9, .95, 1}, Seconds: []float64{1, 2, 3}},
		{Name: hostile, Ranks: []int{3, 4, 5}, RelativeError: []float64{.5, .4, .3},
			Score: []float64{.8, math.NaN(), .9}, Seconds: []float64{2, 3, 50}},
	}
}

func TestSweepLines(t *testing.T) {
	f := SweepLines(paperLines(), SweepOptions{TrueRank: 5})
	o := chartsOf(t, f)
	if len(o) != 3 || len(f.Notes) != 0 {
		t.Fatalf("%d charts, notes %q", len(o), f.Notes)
	}
	want := [][]float64{{3, .2}, {4, .1}, {5, 1e-4}}
	for i, w := range want {
		if got := o[0].series("line-0")[i]; !slices.Equal(got, w) {
			t.Errorf("relative error %d is %v, want %v", i, got, w)
		}
	}
	// a NaN leaves its rank out
	if got := o[1].series("line-1"); got[0][1] != .8 || !math.IsNaN(got[1][1]) || got[2][1] != .9 {
		t.Errorf("scores %v", got)
	}
	if got := o[2].series("line-1")[2]; !slices.Equal(got, []float64{5, 50}) {
		t.Errorf("seconds %v", got)
	}
	// errors span a factor of 5,000, seconds one of 50; scores never have a
	// logarithmic axis
	for c, kind := range []string{"log", "value", "log"} {
		if o[c].YAxis[0].Type != kind {
			t.Errorf("chart %d has a %s axis, want %s", c, o[c].YAxis[0].Type, kind)
		}
		marks := o[c].Series[0].MarkLine.Data
		if len(marks) != 1 || marks[0].XAxis != 5 || marks[0].Name != "true rank" {
			t.Errorf("chart %d marks %+v, want the true rank at 5", c, marks)
		}
		if want := []string{"σ = 0.01", hostile}; !slices.Equal(o[c].Legend.Data, want) {
			t.Errorf("legend %q", o[c].Legend.Data)
		}
		// room for the marks at both ends
		if lo, hi := o[c].XAxis[0].Min.(float64), o[c].XAxis[0].Max.(float64); !(lo > 2 && lo < 3 && hi > 5 && hi < 6) {
			t.Errorf("the axis of ranks goes from %g to %g", lo, hi)
		}
	}
}

// ECharts' own logarithmic axis labels 1e-12 as zero.
func TestSweepOfManyDecades(t *testing.T) {
	l := SweepLine{Ranks: []int{1, 2, 3}, RelativeError: []float64{.1, 1e-12, -1e-16}}
	f := SweepLines([]SweepLine{l}, SweepOptions{})
	o := chartsOf(t, f)
	if len(o) != 1 {
		t.Fatalf("%d charts of a line without scores and seconds", len(o))
	}
	got := o[0].series("line-0")
	// log10 up to rounding
	if o[0].YAxis[0].Type != "value" || !(math.Abs(got[0][1]+1) <= 1e-15) || !(math.Abs(got[1][1]+12) <= 1e-14) || !math.IsNaN(got[2][1]) {
		t.Errorf("%s axis, points %v, want exponents", o[0].YAxis[0].Type, got)
	}
	if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "1 value of the relative error") {
		t.Errorf("notes %q", f.Notes)
	}
}

func TestSweepOfResults(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 20, Components: 3, PerComponent: 50, Sigma: .1, Congruence: .3})
	s := m.Session.Moment(3).With(symmom.Options{Starts: 3}).Sweep(2, 4).Score(m.Means)
	f := Sweep(s)
	o := chartsOf(t, f)
	if len(o) != 3 || f.String() != `Ranks compared: 3 ranks of 1 sweep (Save("name.html") writes it as a page)` {
		t.Fatalf("%d charts, %s", len(o), f)
	}
	for i, r := range s.Fits {
		for c, want := range []float64{r.RelativeError, s.Scores[i], r.Elapsed.Seconds()} {
			if got := o[c].series("line-0")[i]; got[0] != float64(r.Rank) || got[1] != want {
				t.Errorf("chart %d, rank %d: %v, want %v", c, r.Rank, got, want)
			}
		}
	}
	if marks := o[0].Series[0].MarkLine.Data; len(marks) != 1 || marks[0].XAxis != 3 {
		t.Errorf("the true rank is drawn at %+v, want 3", marks)
	}
	if len(o[0].Legend.Data) != 0 {
		t.Errorf("a single sweep has a legend: %q", o[0].Legend.Data)
	}

	four := m.Session.Moment(4).With(symmom.Options{Starts: 2}).Sweep(2, 3)
	both := chartsOf(t, Sweep(s, four))
	if l := both[0].Legend.Data; len(l) != 2 || !strings.HasPrefix(l[0], "order 3") || !strings.HasPrefix(l[1], "order 4") {
		t.Errorf("legend %q, want the orders", l)
	}
	none := chartsOf(t, Sweep(s, four.Score(mat.NewDense(20, 2, append(make([]float64, 39), 1)))))
	if marks := none[0].Series[0].MarkLine.Data; len(marks) != 0 {
		t.Errorf("two true ranks, but %+v", marks)
	}
	const estimated = "‖X‖² is an estimate, and so are the relative errors."
	if notes := Sweep(s, s).Notes; slices.Contains(notes, estimated) {
		t.Errorf("exact, but the notes are %q", notes)
	}
	s.Fits[1].NormSquared.StdErr = 1
	notes := Sweep(s, s).Notes
	if i := slices.Index(notes, estimated); i < 0 || slices.Contains(notes[i+1:], estimated) {
		t.Errorf("notes %q, want one that ||X||^2 is an estimate", notes)
	}
}

// Of groups, too, a score counts those that were found, so that it may be best at rank 1.
func TestSweepSaysWhatScoresCount(t *testing.T) {
	s := symmom.FromMatrix(mat.NewDense(6, 2, []float64{1, 0, 1.1, 0, 0, 1, 0, 1.1, 3, 3, 3, 3.1})).WithLabels("kind", []string{"a", "a", "b", "b", "c", "c"})
	const note = "Below the number of groups a score is that of the components found: groups without a match do not count."
	for from, want := range map[int]bool{1: true, 3: false} {
		w := s.Moment(3).With(symmom.Options{Starts: 2}).Sweep(from, 3).Score(s.GroupMeans())
		must(t, w.Err())
		if notes := Sweep(w).Notes; slices.Contains(notes, note) != want {
			t.Errorf("from rank %d the notes are %q", from, notes)
		}
	}
}

func TestSweepErrors(t *testing.T) {
	wantError(t, Sweep(), "sweep", "at least one")
	wantError(t, Sweep(nil), "sweep 1 is nil")
	wantError(t, Sweep(&symmom.Sweep{}), "no results")
	wantError(t, Sweep(symmom.Load("no such file").Moment(3).Sweep(1, 2)), "no such file")
	good := SweepLine{Ranks: []int{1, 2}, RelativeError: []float64{1, 2}}
	for _, c := range []struct {
		change func(*SweepLine)
		want   string
	}{
		{func(l *SweepLine) { l.Ranks = nil }, "line 1 has no ranks"},
		{func(l *SweepLine) { l.Ranks = []int{2, 1} }, "ascending"},
		{func(l *SweepLine) { l.Ranks = []int{0, 1} }, "1 or more"},
		{func(l *SweepLine) { l.RelativeError = nil }, "RelativeError has 0 values"},
		{func(l *SweepLine) { l.Score = []float64{1} }, "Score has 1 value, want one for each of 2 ranks"},
		{func(l *SweepLine) { l.Seconds = make([]float64, 3) }, "Seconds"},
	} {
		l := good
		c.change(&l)
		wantError(t, SweepLines([]SweepLine{l}, SweepOptions{}), "line 1", c.want)
	}
	wantError(t, SweepLines(nil, SweepOptions{}), "at least one line")
	if f := SweepLines([]SweepLine{good}, SweepOptions{Title: "Mine", Caption: "C"}); f.Title != "Mine" || f.Caption != "C" {
		t.Errorf("title %q, caption %q", f.Title, f.Caption)
	}
	if s := fmt.Sprint(SweepLines([]SweepLine{good}, SweepOptions{})); !strings.Contains(s, "2 ranks of 1 sweep") {
		t.Error(s)
	}
}

// A single line has no name, and its tooltips do not show the one that ECharts makes up.
func TestTooltipsOfUnnamedLines(t *testing.T) {
	line := SweepLine{Ranks: []int{1, 2}, RelativeError: []float64{.5, .25}}
	points := []symmom.TracePoint{{Evaluations: 1, Objective: 2}, {Evaluations: 3, Objective: 1}}
	m := InitMethod{Successes: []float64{3}, Seconds: []float64{2}}
	for _, c := range []struct {
		f    *Figure
		want []string
	}{
		{SweepLines([]SweepLine{line}), []string{"rank 1\nrelative error  f / ‖X‖² 0.5", "rank 2\nrelative error  f / ‖X‖² 0.25"}},
		{ConvergenceLines("f", []TraceLine{{Points: points}}), []string{"2\n1 evaluations, 0 s", "1\n3 evaluations, 0 s"}},
		{InitSuccessBars([]string{"rrf"}, []InitMethod{m}), []string{"rrf\n3 successful\n2 s"}},
	} {
		if got := tooltips(t, c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: tooltips %q, want %q", c.f.Title, got, c.want)
		}
	}
	line.Name = "a"
	if got := tooltips(t, SweepLines([]SweepLine{line})); !strings.HasPrefix(got[0], "a\n") {
		t.Errorf("tooltips %q, want the line's name", got)
	}
}

// A line is in the charts of what it has, in the same colour, and the first of them has the mark.
func TestSweepOfLinesWithDifferentNumbers(t *testing.T) {
	a := SweepLine{Name: "a", Ranks: []int{1, 2}, RelativeError: []float64{.5, .1}}
	b := SweepLine{Name: "b", Ranks: []int{2, 3}, RelativeError: []float64{.5, .2}, Score: []float64{.5, 1}, Seconds: []float64{math.NaN(), math.NaN()}}
	c := SweepLine{Name: "c", Ranks: []int{1, 2}, RelativeError: []float64{math.NaN(), math.NaN()}, Seconds: []float64{1, 2}}
	f := SweepLines([]SweepLine{a, b, c}, SweepOptions{TrueRank: 2})
	var got []string
	for k, chart := range chartsOf(t, f) {
		for i, s := range chart.Series {
			got = append(got, fmt.Sprint(k, " ", s.Name, " ", s.ID))
			if (len(s.MarkLine.Data) == 1) != (i == 0) {
				t.Errorf("chart %d, line %s: marks %+v", k, s.Name, s.MarkLine.Data)
			}
		}
		if lo, hi := chart.XAxis[0].Min, chart.XAxis[0].Max; fmt.Sprint(lo, hi) != "0.6 3.4" {
			t.Errorf("chart %d: ranks from %v to %v", k, lo, hi)
		}
	}
	if want := []string{"0 a line-0", "0 b line-1", "1 b line-1", "2 c line-2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	wantError(t, SweepLines([]SweepLine{{Ranks: []int{1}, RelativeError: []float64{math.NaN()}}}), "sweep", "no value")
}

// Sweeps that were scored against different truths are drawn all the same.
func TestSweepsWithoutACommonTrueRank(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 6, Components: 2, PerComponent: 60, Sigma: .1, Congruence: .2})
	s := m.Session.Moment(3).With(symmom.Options{Starts: 1}).Sweep(1, 3)
	two := s.Score(m.Means)
	three := s.Score(mat.NewDense(6, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1}))
	f := Sweep(two, three, two, s, s)
	o := chartsOf(t, f)
	for k, lines := range []int{5, 3, 5} { // the last two have no score
		if chart := o[k]; len(chart.Series) != lines || len(chart.Series[0].MarkLine.Data) != 0 {
			t.Errorf("chart %d has %d lines, the first with the marks %v", k, len(chart.Series), chart.Series[0].MarkLine.Data)
		}
	}
	if !strings.Contains(f.String(), "15 ranks of 5 sweeps") || len(f.Notes) != 2 || f.Notes[1] != "The sweeps have no true rank in common." {
		t.Errorf("%s, notes %q", f, f.Notes)
	}
	if f := Sweep(s, two); chartsOf(t, f)[0].Series[0].MarkLine.Data[0].XAxis != 2 {
		t.Error("the true rank of the only scored sweep is not marked")
	}
}
