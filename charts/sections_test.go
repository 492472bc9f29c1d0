package charts

import (
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// twoMeans draws 400 observations about two means, whose spread is small beside what
// is between them.
func twoMeans() (*symmom.Session, *mat.Dense) {
	const n = 6
	rng := rand.New(rand.NewPCG(3, 0))
	means := mat.NewDense(n, 2, nil)
	for i := range n {
		means.SetRow(i, []float64{4 + rng.NormFloat64(), 1 + rng.NormFloat64()})
	}
	rows := make([][]float64, 400)
	for l := range rows {
		rows[l] = mat.Col(nil, l%2, means)
		for i := range rows[l] {
			rows[l][i] += .2 * rng.NormFloat64()
		}
	}
	return symmom.FromRows(rows), means
}

// A lower rank than the true one can have the better score, as here: the one mean that
// is found is exact, and the other one does not count.
func TestReportShowsTheTrueRank(t *testing.T) {
	s, _ := twoMeans()
	fit := s.Moment(3).Decompose(1)
	truth := mat.NewDense(6, 2, nil)
	truth.SetCol(0, mat.Col(nil, 0, fit.Model.Factors))
	truth.SetCol(1, []float64{1, -1, 1, -1, 1, -1})
	if low, high := fit.Score(truth).Value, s.Moment(3).Decompose(2).Score(truth).Value; !(low > high) {
		t.Fatalf("scores %g and %g: the lower rank has no better one", low, high)
	}
	const uncounted = "The score is that of 1 component: 1 of the 2 true ones have no match, and do not count."
	const below = "Below the true rank a score is that of the components found"
	for _, c := range []struct{ from, to, want int }{{1, 4, 2}, {3, 4, 3}, {1, 1, 1}} {
		page := ReportOn(s, ReportOptions{From: c.from, To: c.to, Truth: truth}).Page()
		if !strings.Contains(page, fmt.Sprintf("The fit of rank %d", c.want)) {
			t.Errorf("ranks %d to %d: the page does not show rank %d", c.from, c.to, c.want)
		}
		if got := strings.Contains(page, uncounted); got != (c.want == 1) {
			t.Errorf("rank %d: true components that do not count are mentioned: %v", c.want, got)
		}
		if got := strings.Contains(page, below); got != (c.from == 1) {
			t.Errorf("ranks %d to %d: scores below the true rank are mentioned: %v", c.from, c.to, got)
		}
	}
}

// Pages name the moment and the data that were decomposed.
func TestPagesNameTheMoment(t *testing.T) {
	s, means := twoMeans()
	for _, c := range []struct {
		m                    *symmom.Moment
		s                    *symmom.Session
		what, caption, names string
		warned               string // of the truth
	}{
		{s.Moment(3), s, "the 3rd moment of the data as they are", "Variables", "column 1", ""},
		{s.Center().Moment(3), s.Center(), "the 3rd moment of centered data", "Variables, centered", "column 1", "in centered data"},
		{s.Standardize().Moment(4), s.Standardize(), "the 4th moment of standardized data", "Variables, standardized", "column 1", "in standardized data"},
		{s.Moment(3).Debias(symmom.Noise{Sigma: .25}), s, "the 3rd moment of the data as they are without noise of sigma 0.25", "Variables", "column 1", ""},
		{s.Cumulant(4), s, "the 4th cumulant", "Variables", "column 1", ""},
		{s.Whiten(6).Cumulant(3), s.Whiten(6), "the 3rd cumulant of data whitened to 6 coordinates", "Variables, whitened", "coordinate 1", "in whitened data"},
	} {
		page := html.UnescapeString(ReportOn(c.s, ReportOptions{Moment: c.m, From: 1, To: 2, Truth: means}).Page())
		for _, want := range []string{c.what + ", ranks 1 to 2", "of unit norm, in the units of " + c.what + ".", "<caption>" + c.caption + "</caption>", ">" + c.names + "<"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page does not say %q", c.what, want)
			}
		}
		if c.names != "column 1" && strings.Contains(page, ">column 1<") {
			t.Errorf("%s: coordinates have the names of columns", c.what)
		}
		_, warned, _ := strings.Cut(page, "Warning: the truth is compared with what was found ")
		if warned, _, _ = strings.Cut(warned, ", and"); warned != c.warned {
			t.Errorf("%s: the truth is compared with what was found %q, want %q", c.what, warned, c.warned)
		}
	}
}

// All warnings of a fit are on its page: those of the data once, those of the search for
// each fit.
func TestPagesSayTheWarnings(t *testing.T) {
	s, _ := twoMeans()
	rows := s.Matrix()
	p, n := rows.Dims()
	constant := mat.NewDense(p, n+1, nil)
	for l := range p {
		constant.SetRow(l, append(mat.Row(nil, l, rows), 7))
	}
	s = symmom.FromMatrix(constant)
	m := s.Moment(3).With(symmom.Options{Starts: 2, MaxIterations: 1})
	r := ReportOn(s, ReportOptions{Moment: m, From: 2, To: 3, Rank: 3})
	fit := m.Decompose(3)
	if len(s.Warnings()) == 0 || len(fit.Warnings) <= len(s.Warnings()) || fit.Status != symmom.StatusMaxIterations {
		t.Fatalf("warnings %v of the data, %v of the fit, %s", s.Warnings(), fit.Warnings, fit.Status)
	}
	count := func(r *Report, text string) int {
		return strings.Count(html.UnescapeString(r.Page()), "Warning: "+text)
	}
	for _, w := range fit.Warnings {
		if got := count(r, w.Text); got != 1 {
			t.Errorf("the report says %d times: %s", got, w.Text)
		}
	}
	if !strings.Contains(r.Page(), "max iterations") {
		t.Error("the report has no status")
	}
	for _, w := range m.Decompose(2).Warnings[len(s.Warnings()):] {
		if !strings.Contains(html.UnescapeString(r.Page()), "Warning of rank 2: "+w.Text) {
			t.Errorf("the report does not say of rank 2: %s", w.Text)
		}
	}
	twice := NewReport("").AddFit(fit).AddFit(fit)
	for i, w := range fit.Warnings {
		want := 2
		if i < len(s.Warnings()) {
			want = 1
		}
		if got := count(twice, w.Text); got != want {
			t.Errorf("two fits to the same data say %d times, want %d: %s", got, want, w.Text)
		}
	}
}

// Groups that are drawn in one colour are not smaller than others if all are alike.
func TestOtherGroups(t *testing.T) {
	rows, labels := make([][]float64, 120), make([]string, 120)
	for l := range rows {
		rows[l], labels[l] = []float64{math.Sin(float64(l)), math.Cos(float64(l)), 1}, fmt.Sprintf("g%02d", l%30)
	}
	f := Mixture(symmom.FromRows(rows).WithLabels("kind", labels).Mixture(2, symmom.MixtureOptions{Starts: 1}), MixtureOptions{Labels: true})
	if page := f.Page(); !strings.Contains(page, "18 other groups") || strings.Contains(page, "smaller") {
		t.Error("30 groups of 4 are called smaller than each other")
	}
}

// Pages mark the largest entries of a component.
func TestLargestEntriesAreMarked(t *testing.T) {
	m, err := symmom.NewModel(3, []float64{2}, mat.NewDense(4, 1, []float64{.1, -.5, .2, .8}))
	must(t, err)
	page := NewReport("").AddFit(&symmom.Fit{Model: m, Order: 3, Rank: 1, N: 4}).Page()
	for _, want := range []string{">0.1<", ">•-0.5<", ">0.2<", ">•0.8<", "• at least half as large"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}
