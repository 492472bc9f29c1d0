package charts

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/charts/internal/assets"
	"symmom/charts/internal/numbers"
	"symmom/datasets"
	"symmom/internal/math/linalg"
	"symmom/internal/test/slow"
	"symmom/symmom"
)

func small() *datasets.Mixture {
	return datasets.GaussianMixture(datasets.MixtureOptions{N: 12, Components: 3, PerComponent: 60, Sigma: .1, Congruence: .3})
}

// titles lists the titles of the figures of a report.
func titles(r *Report) string {
	var out []string
	for _, b := range r.blocks {
		if b.figure != nil {
			out = append(out, b.figure.Title)
		}
	}
	return strings.Join(out, "; ")
}

func TestReportOn(t *testing.T) {
	m := small()
	o := ReportOptions{
		Moment: m.Session.Moment(3).With(symmom.Options{Starts: 3, Seed: 7}), From: 2, To: 4,
		Truth: m.Means, Labels: m.Labels, Command: "symmom report it's.npy", Version: "v1.2.3",
	}
	r := ReportOn(m.Session, o)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := titles(r), "Spectrum of the second moment; Ranks compared; Recovered means at each rank; "+
		"Convergence; Recovered means; Cosines after matching; Factors; Weights λ of the components"; got != want {
		t.Errorf("figures: %s\nwant: %s", got, want)
	}
	page := r.Page()
	fit := o.Moment.Decompose(3)
	for _, want := range []string{
		"The fit of rank 3", // the number of true means
		"symmom report it&#39;s.npy", "v1.2.3", m.Session.Fingerprint(), "seed         7",
		numbers.Fixed(fit.Score(m.Means).Value, 4), numbers.Five(fit.RelativeError), linalg.Kernels(), "echarts      " + assets.Version,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	charts := optionsOf(t, page)
	found := 0
	for _, c := range charts {
		for _, s := range c.Series {
			if s.ID == "found" {
				found += len(s.Data)
			}
		}
	}
	if found != 2+3+4+3 {
		t.Errorf("%d recovered means, want those of ranks 2, 3 and 4 and those of the best", found)
	}

	// without a truth, the spectrum determines the ranks and the fit
	r = ReportOn(m.Session, ReportOptions{Moment: m.Session.Moment(3).With(symmom.Options{Starts: 2})})
	if err := r.Err(); err != nil || !strings.Contains(r.Subtitle, "ranks 1 to 5") || !strings.Contains(r.Page(), "The fit of rank 3") {
		t.Errorf("%v, %q", err, r.Subtitle)
	}
	if strings.Contains(titles(r), "Cosines") || !strings.Contains(titles(r), "Observations and components") {
		t.Errorf("figures without a truth: %s", titles(r))
	}
	if r := ReportOn(m.Session, ReportOptions{Rank: 2, From: 2, To: 3}); !strings.Contains(r.Page(), "The fit of rank 2") {
		t.Error("Rank is not followed")
	}

	// a warning of several ranks is one
	far := ReportOn(datasets.Iris(), ReportOptions{From: 2, To: 4})
	if page := far.Page(); !strings.Contains(page, "Warning of rank 3, 4: the mean makes up") {
		t.Error("a warning of two ranks is not one")
	}

	// a sweep with gaps is given
	moment := m.Session.Moment(3).With(symmom.Options{Starts: 2})
	r = ReportOn(m.Session, ReportOptions{Sweep: moment.SweepRanks(1, 3)})
	if page := r.Page(); !strings.Contains(r.Subtitle, "ranks 1, 3") || !strings.Contains(page, "Sweep: m.SweepRanks(1, 3)") || strings.Contains(page, "From: ") {
		t.Errorf("%q, or the code", r.Subtitle)
	}
}

func TestReportOnPictures(t *testing.T) {
	s := datasets.Digits()
	r := ReportOn(s, ReportOptions{Moment: s.Moment(3).With(symmom.Options{Starts: 1}), From: 10, To: 10, Truth: datasets.DigitMeans(), ImageRows: 8, ImageCols: 8})
	if r.Err() != nil || strings.Contains(titles(r), "Factors") || !strings.Contains(titles(r), "Components beside the true ones") {
		t.Errorf("%v: %s", r.Err(), titles(r))
	}
	// digits are not of unit norm, but their means are
	if !strings.Contains(r.Page(), "The factors have unit norm and the observations do not") {
		t.Error("no note of the lengths")
	}
}

// The elbow is used if neither a truth nor the spectrum shows the rank.
func TestReportChoosesTheElbow(t *testing.T) {
	w := &symmom.Sweep{}
	for r, e := range []float64{.5, .3, .1, .09, .085} {
		w.Fits = append(w.Fits, &symmom.Fit{Rank: r + 1, RelativeError: e})
	}
	w.Scores = []float64{.99, .9}
	for _, c := range []struct {
		suggested, truth, asked int
		want                    int
		why                     string
	}{
		{0, 0, 0, 3, "This is the last rank that lowers the relative error by a tenth of what all of them do."}, // of .415
		{4, 0, 0, 4, ""},
		{6, 0, 0, 3, "The spectrum suggests rank 6, which was not tried. This is the last rank"},
		{4, 2, 0, 2, ""},
		{4, 9, 0, 5, "Rank 9 was not tried; this is the nearest."},
		{4, 2, 5, 5, ""},
		{4, 2, 7, 5, "Rank 7 was not tried; this is the nearest."},
	} {
		o := ReportOptions{Summary: &symmom.Summary{SuggestedRank: c.suggested}, Rank: c.asked}
		w.TrueRank = c.truth
		if f, why := o.choose(w); f.Rank != c.want || !strings.HasPrefix(why, c.why) || (why == "") != (c.why == "") {
			t.Errorf("%+v: rank %d, %q", c, f.Rank, why)
		}
	}
}

// A fit shown in full that did not converge is told where others did.
func TestReportTellsUnconverged(t *testing.T) {
	w := &symmom.Sweep{}
	for r, status := range []string{"converged", "max_iterations", "stalled"} {
		w.Fits = append(w.Fits, &symmom.Fit{Rank: r + 1, Status: status})
	}
	if got := unconverged(w.Fits[0], w) + unconverged(w.Fits[2], w); got != "" {
		t.Errorf("converged, but %q", got)
	}
	if got := unconverged(w.Fits[1], w); got != "This fit did not converge (max iterations) and may still move; among the others that of rank 1, 3 did." {
		t.Errorf("%q", got)
	}
	w.Fits = w.Fits[1:2]
	if got := unconverged(w.Fits[0], w); got != "" {
		t.Errorf("no other did, but %q", got)
	}
}

func TestReportOnErrors(t *testing.T) {
	m := small()
	for want, r := range map[string]*Report{
		"the session is nil": ReportOn(nil, ReportOptions{}),
		"no such file":       ReportOn(symmom.Load("no such file"), ReportOptions{}),
		"From, To":           ReportOn(m.Session, ReportOptions{From: 3, To: 2}),
		"Rank":               ReportOn(m.Session, ReportOptions{From: 2, To: 3, Rank: 4}),
		"truth":              ReportOn(m.Session, ReportOptions{From: 2, To: 2, Truth: m.Means.T()}),
		"1 label for 180":    ReportOn(m.Session, ReportOptions{From: 2, To: 2, Labels: []int{0}}),
		"no results":         ReportOn(m.Session, ReportOptions{Sweep: &symmom.Sweep{}}),
	} {
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(r.Page(), "error") {
			t.Errorf("error %v, want %q, on the page, too", err, want)
		}
	}
	dir := t.TempDir()
	for path, want := range map[string]string{"a.txt": ".html", "none/a.html": "there is no directory"} {
		if err := WriteReport(m.Session, filepath.Join(dir, path), ReportOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := WriteReport(nil, filepath.Join(dir, "a.html"), ReportOptions{}); err == nil {
		t.Error("wrote a report on nothing")
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

// An interrupt leaves a page with the ranks so far.
func TestReportInterrupted(t *testing.T) {
	m := small()
	ctx, cancel := context.WithCancel(context.Background())
	s := m.Session.WithContext(ctx)
	moment := s.Moment(3).With(symmom.Options{Starts: 2, Progress: func(p symmom.Progress) {
		if p.Rank == 3 && p.StartsDone > 0 {
			cancel()
		}
	}})
	path := filepath.Join(t.TempDir(), "page.html")
	err := WriteReport(s, path, ReportOptions{Moment: moment, From: 2, To: 9, Truth: m.Means})
	if !errors.Is(err, symmom.ErrInterrupted) {
		t.Fatalf("error %v", err)
	}
	b, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(b), "The sweep was interrupted") || !strings.Contains(string(b), "ranks 2 to 3") || strings.Contains(string(b), `class="error"`) {
		t.Errorf("the page: %v", err)
	}
}

// WriteReport saves the page, or returns an error.
func TestWriteReport(t *testing.T) {
	slow.Test(t)
	m := small()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := WriteReport(m.Session.Standardize(), path, ReportOptions{}); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "How to make it again") {
		t.Error(err)
	}
	if err := WriteReport(symmom.Load("no such file"), path, ReportOptions{}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a failed session: %v", err)
	}
}

// Names of columns and files are text wherever the page shows them.
func TestReportOfHostileNames(t *testing.T) {
	table := "\"" + strings.ReplaceAll(hostile, `"`, `""`) + "\",b,c\n"
	for _, row := range []string{"1,0,.1", "0,1,.2", "1,1,.3", "2,1,0", "1,3,1"} {
		table += row + "\n"
	}
	s := symmom.Read(strings.NewReader(table), "csv")
	if s.Err() != nil || s.Columns()[0] != hostile {
		t.Fatalf("%v, columns %q", s.Err(), s.Columns())
	}
	r := ReportOn(s, ReportOptions{From: 1, To: 2, Title: hostile, TruthNames: []string{hostile}, Truth: symmom.FromRows([][]float64{{1}, {0}, {0}}).Matrix(), Command: hostile, Version: hostile})
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	page := r.Page()
	for _, bad := range []string{"<img src=x", "</script><img"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	if n := strings.Count(page, "&lt;img src=x"); n < 6 {
		t.Errorf("the name is shown %d times as text", n)
	}
}
