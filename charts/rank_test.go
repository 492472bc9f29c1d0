package charts

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"symmom/datasets"
	"symmom/symmom"
)

// suggestion returns a rank suggestion with a conclusion, without the search.
func suggestion() *symmom.RankSuggestion {
	return &symmom.RankSuggestion{Order: 3, N: 12, Observations: 400, Max: 4, Rank: 2, Conclusion: "2 components: spectrum, stagnation and replicability agree", Elapsed: 1500 * time.Millisecond,
		Evidence: []symmom.RankEvidence{
			{Kind: symmom.EvidenceSpectrum, Rank: 2, Sure: symmom.Sure, Text: "2 eigenvalues of the second moment stand out, by a factor of 9",
				Ranks: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Numbers: []float64{2, .9, .1, .1, .1, .1, .09, .09, .08, .08, .07, .06}},
			{Kind: symmom.EvidenceStagnation, Rank: 2, Sure: symmom.Likely, Text: "up to rank 2",
				Ranks: []int{1, 2, 3, 4, 5}, Numbers: []float64{.6, .1, .09, .08, .07}},
			{Kind: symmom.EvidenceReplicability, Rank: 2, Sure: symmom.Sure, Text: "2 components",
				Ranks: []int{1, 2, 3, 4, 5}, Numbers: []float64{.99, .97, .3, .1, .05}},
			{Kind: symmom.EvidenceBIC, Sure: symmom.Silent, Text: hostile},
		}}
}

// One variable has one eigenvalue, and evidence made by hand may lack ranks.
func TestRankEvidenceOfOneVariable(t *testing.T) {
	s := datasets.Uniform(1, 60, 1).Moment(3).SuggestRank(2)
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	for _, e := range s.Evidence {
		if len(e.Ranks) != len(e.Numbers) || strings.Contains(e.Text, "not known") {
			t.Errorf("%s: %q, of ranks %v: %v", e.Kind, e.Text, e.Ranks, e.Numbers)
		}
	}
	s.Evidence[0].Ranks = nil
	chartsOf(t, RankEvidence(s))
}

// BIC is drawn above its minimum: only differences matter, and the space next to
// the axis holds few digits.
func TestRankEvidenceBIC(t *testing.T) {
	s := suggestion()
	s.Evidence[3].Ranks, s.Evidence[3].Numbers = []int{1, 2, 3}, []float64{-1e6, -1.05e6, -1.04e6}
	o := chartsOf(t, RankEvidence(s))
	points := o[3].series("line-0")
	if name := o[3].YAxis[0].Name; name != "BIC above its lowest, thousands" || points[0][1] != 50 || points[1][1] != 0 || points[2][1] != 10 {
		t.Errorf("%s: %v", name, points)
	}
	if s.Evidence[3].Numbers[0] != -1e6 {
		t.Error("the numbers of the suggestion changed")
	}
}

// A note reports values that the logarithmic axis of a piece of evidence cannot show, and
// evidence without numbers is not drawn.
func TestRankEvidenceLeavesOut(t *testing.T) {
	s := suggestion()
	s.Evidence[0].Numbers[8], s.Evidence[0].Numbers[11] = .01, 0 // a factor of 200: logarithmic
	s.Evidence[2].Numbers = slices.Repeat([]float64{math.NaN()}, 5)
	f := RankEvidence(s)
	if notes := strings.Join(f.Notes, "\n"); len(f.charts) != 2 || strings.Contains(notes, "eigenvalue at or below") {
		t.Errorf("%d charts, notes %q: number 12 is not among those drawn", len(f.charts), notes)
	}
	s.Evidence[0].Numbers[9] = 0
	if notes := strings.Join(RankEvidence(s).Notes, "\n"); !strings.Contains(notes, "1 value of the eigenvalue at or below zero cannot stand on the logarithmic axis") || !strings.Contains(notes, "Replicability is not drawn") {
		t.Errorf("notes %q", notes)
	}
}

func TestRankEvidence(t *testing.T) {
	f := RankEvidence(suggestion())
	o := chartsOf(t, f)
	if len(o) != 3 {
		t.Fatalf("%d charts, want one for each evidence with numbers", len(o))
	}
	for c, want := range []struct {
		points int
		last   []float64
		mark   string
	}{{10, []float64{10, .08}, "2, sure"}, {5, []float64{5, .07}, "2, likely"}, {5, []float64{5, .05}, "2, sure"}} {
		points := o[c].series("line-0")
		if len(points) != want.points || !slices.Equal(points[len(points)-1], want.last) {
			t.Errorf("chart %d: %v, want %d points to %v", c, points, want.points, want.last)
		}
		if marks := o[c].Series[0].MarkLine.Data; len(marks) != 1 || marks[0].XAxis != 2 || marks[0].Name != want.mark {
			t.Errorf("chart %d marks %+v, want %s", c, marks, want.mark)
		}
	}
	if o[0].XAxis[0].Name != "number" || o[1].XAxis[0].Name != "rank" {
		t.Errorf("axes %s and %s", o[0].XAxis[0].Name, o[1].XAxis[0].Name)
	}
	if len(f.Notes) != 2 || !strings.Contains(f.Notes[0], "leading 10 of 12") || !strings.Contains(f.Notes[1], "BIC is not drawn") {
		t.Errorf("notes %q", f.Notes)
	}
	if want := "2 components: spectrum, stagnation and replicability agree."; f.Caption != want {
		t.Errorf("caption %q, want %q", f.Caption, want)
	}
}

func TestRankEvidenceOfNothing(t *testing.T) {
	wantError(t, RankEvidence(nil), "rank evidence", "nil")
	wantError(t, RankEvidence(&symmom.RankSuggestion{}), "rank evidence", "the suggestion is empty")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 5, Components: 2, PerComponent: 20, Sigma: .1})
	wantError(t, RankEvidence(m.Session.WithContext(ctx).Moment(3).SuggestRank(0)), "rank evidence", "interrupted")
	if r := NewReport("Rank").AddRank(nil); r.Err() == nil {
		t.Error("a report on no suggestion has no error")
	}
	page := NewReport("Rank").AddRank(suggestion()).HTML()
	for _, want := range []string{"2 components: spectrum, stagnation and replicability agree.", "Stagnation: 2, likely: up to rank 2."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}
