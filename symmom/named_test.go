package symmom

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// What is shown of a large matrix are the variables with the largest entries, in their order, and
// what is left out is said.
func TestNamedMatrixShowsTheLargest(t *testing.T) {
	a := mat.NewDense(50, 15, nil)
	for i := range 50 {
		for j := range 15 {
			a.Set(i, j, .01*float64(i))
		}
	}
	a.Set(7, 0, -3)
	header, rows, notes := loadings(a, nil).Table()
	if len(header) != 13 || header[0] != "component" || header[12] != "12" {
		t.Error(header)
	}
	var names []string
	for _, row := range rows {
		names = append(names, row[0])
	}
	if got := strings.Join(names, " "); got != "8 42 43 44 45 46 47 48 49 50" {
		t.Error(got)
	}
	if rows[0][1] != "•-3.00" || rows[1][1] != "0.41" {
		t.Error(rows[0][1], rows[1][1])
	}
	if got := strings.Join(notes, "; "); got != "• at least half as large as the largest of the column; not shown: 40 variables, 3 components" {
		t.Error(got)
	}
}

// Other entries in the place of those of a result are shown as they are, and a matrix without any
// is empty.
func TestNamedMatrixOfOtherEntries(t *testing.T) {
	m := factorsOf(mat.NewDense(2, 1, []float64{.6, .8}), []float64{3}, []string{"a", "b"})
	m.Dense = mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	if got := m.String(); strings.Contains(got, "lambda") || !strings.Contains(got, "6") {
		t.Error(got)
	}
	empty := &NamedMatrix{}
	if n, _ := empty.Dims(); n != 0 || empty.String() != "empty matrix" || empty.HTML() == "" {
		t.Error(empty)
	}
}

// The tables of results are the numbers of the results.
func TestResultsShowTheirComponents(t *testing.T) {
	s := drawSources(0)
	cell := func(m *NamedMatrix, row, column string) string {
		header, rows, _ := m.Table()
		j := slices.Index(header, column)
		for _, r := range rows {
			if r[0] == row {
				return strings.TrimPrefix(r[j], mark)
			}
		}
		t.Fatalf("no row %q in %v", row, rows)
		return ""
	}
	mix := s.Mixture(2, MixtureOptions{Starts: 1})
	errors := mix.Bootstrap(3, 1)
	for _, c := range []struct{ got, want string }{
		{cell(mix.Means, "column 2", "2"), cell(&NamedMatrix{Dense: mix.Means.Dense, byRow: true}, "2", "2")},
		{cell(errors.Means, "column 2", "2"), cell(mix.Means, "column 2", "2") + " ± "},
		{cell(errors.Means, "weight", "1"), cell(mix.Means, "weight", "1") + " ± "},
	} {
		if !strings.HasPrefix(c.got, c.want) {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	for _, text := range []string{mix.String(), mix.HTML()} {
		if !strings.Contains(text, cell(mix.Means, "column 3", "1")) {
			t.Errorf("without means:\n%s", text)
		}
	}
	fit := s.Moment(3).Decompose(2)
	if got := fit.String(); !strings.Contains(got, cell(fit.Model.Factors, "column 3", "2")) || !strings.Contains(got, "lambda") {
		t.Errorf("without factors:\n%s", got)
	}
	if got := s.ICA(2).String(); !strings.Contains(got, "kurtosis") || !strings.Contains(got, "column 3") {
		t.Errorf("without a mixing matrix:\n%s", got)
	}
}

// Head is the same of data in memory, on disk and in sparse storage, and in the session's
// coordinates.
func TestHead(t *testing.T) {
	s := drawSources(0)
	path := storedNPY(t, s)
	want := mat.DenseCopyOf(s.Matrix().Dense.Slice(0, 3, 0, 3))
	for name, other := range map[string]*Session{"memory": s, "disk": Stream(path), "sparse": s.Sparse()} {
		got := other.Head(3)
		if got.Err() != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v\n%v", name, got.Err(), got)
		}
	}
	if got := s.Head(1e9); got.Err() != nil || got.Dense.RawMatrix().Rows != s.Observations() {
		t.Error(got.Err())
	}
	if got := s.Center().Head(2); !mat.EqualApprox(got, s.Center().Matrix().Dense.Slice(0, 2, 0, 3), 0) {
		t.Error(got)
	}
	for _, bad := range []*NamedMatrix{s.Head(0), Load("nothing.csv").Head(3), s.GroupMeans()} {
		if bad.Err() == nil || !strings.Contains(bad.String(), bad.Err().Error()) || bad.HTML() == "" {
			t.Errorf("%v: %s", bad.Err(), bad)
		}
		if r, c := bad.Dims(); r != 0 || c != 0 {
			t.Error(r, c)
		}
	}
}

// Means of groups have the weights of their observations and leave out those without a label; a
// score against them names the groups, and says what is wrong with them.
func TestGroupMeans(t *testing.T) {
	s := FromRows([][]float64{{1, 10}, {3, 30}, {5, 50}, {100, 100}}).WithWeights([]float64{1, 3, 2, 1}).WithLabels("kind", []string{"b", "b", "a", ""})
	got := s.GroupMeans()
	if want := mat.NewDense(2, 2, []float64{5, 2.5, 50, 25}); got.Err() != nil || !mat.EqualApprox(got, want, 1e-14) {
		t.Errorf("%v\n%v", got.Err(), got)
	}
	if !slices.Equal(got.ColumnNames, []string{"a", "b"}) {
		t.Error(got.ColumnNames)
	}
	model, err := NewModel(2, []float64{1, 1}, mat.NewDense(2, 2, []float64{0, .6, 1, .8}))
	if err != nil {
		t.Fatal(err)
	}
	score := model.Score(got)
	if want := (10/math.Sqrt(101) + 10*.8/math.Sqrt(101) + .6/math.Sqrt(101)) / 2; math.Abs(score.Value-want) > 1e-14 || !strings.Contains(score.String(), "a ") {
		t.Errorf("%v, want %v", score, want)
	}
	if err := model.Score(Load("nothing.csv").GroupMeans()).Err(); err == nil || !strings.Contains(err.Error(), "nothing.csv") {
		t.Error(err)
	}
}

// Means of groups in other coordinates than those of a fit are refused with the way out, and of an
// odd order a component at the other end from a group does not match it.
func TestGroupMeansKnowTheirCoordinates(t *testing.T) {
	s := skewed(300, 1)
	labels := make([]string, 300)
	for i := range labels {
		labels[i] = "low"
		if s.Matrix().At(i, 2) > 0 {
			labels[i] = "high"
		}
	}
	s = s.WithLabels("end", labels)
	for name, c := range map[string]struct {
		score *Score
		ok    bool
	}{
		"centered fit":       {s.Center().Moment(3).Decompose(1).Score(s.GroupMeans()), false},
		"cumulant":           {s.Cumulant(3).Decompose(1).Score(s.GroupMeans()), false},
		"raw fit":            {s.Moment(3).Decompose(1).Score(s.Standardize().GroupMeans()), false},
		"centered mixture":   {s.Center().Mixture(2).Score(s.GroupMeans()), false},
		"centered both":      {s.Center().Moment(3).Decompose(1).Score(s.Center().GroupMeans()), true},
		"cumulant, centered": {s.Cumulant(3).Decompose(1).Score(s.Center().GroupMeans()), true},
		"mixture":            {s.Mixture(2).Score(s.GroupMeans()), true},
	} {
		if err := c.score.Err(); (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "GroupMeans of the session") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// skewed data have their component on the long side, where "high" is
	score := s.Center().Moment(3).Decompose(1).Score(s.Center().GroupMeans())
	if high, low := score.Cosines.At(0, 0), score.Cosines.At(1, 0); !(high > .9 && low < -.9) || score.Pairs[0].Truth != 0 {
		t.Errorf("high %g, low %g, %v", high, low, score)
	}
	if text := score.String(); !strings.Contains(text, "of 1 of 2") || !strings.Contains(text, "not found") {
		t.Error(text)
	}
}

// A component of zeros hides no large entries of others.
func TestNamedMatrixWithZeros(t *testing.T) {
	a := mat.NewDense(30, 2, nil)
	a.Set(29, 0, 3)
	if _, rows, _ := loadings(a, nil).Table(); rows[len(rows)-1][0] != "30" {
		t.Error(rows)
	}
}
