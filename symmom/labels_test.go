package symmom

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// flowers are two groups apart, some without a label and some with a missing value.
const flowers = `width,kind,height
0.1,rose,0.2
0.2,rose,
9.1,lily,9.0
0.0,,0.1
9.0,lily,9.3
0.3,rose,0.1
8.9,lily,9.1
`

func flowerFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flowers.csv")
	if err := os.WriteFile(path, []byte(flowers), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// groups are the labels as text.
func groups(s *Session) string {
	l := s.Labels()
	if l.Err() != nil {
		return l.Err().Error()
	}
	var all []string
	for _, g := range l.Of {
		all = append(all, l.Groups[g])
	}
	return strings.Join(all, " ")
}

func TestLabelsFollowTheirRows(t *testing.T) {
	path := flowerFile(t)
	o := LoadOptions{Labels: "kind", Missing: "drop"}
	s := Load(path, o)
	const want = "rose lily (missing) lily rose lily"
	for name, s := range map[string]*Session{
		"loaded": s, "streamed": Stream(path, o), "centered": s.Center(), "standardized": s.Standardize(), "selected": s.Select("height"), "whitened": s.Whiten(2),
		"weighted": s.WithWeights([]float64{1, 2, 3, 4, 5, 6}), "float32": Load(path, LoadOptions{Labels: "2", Missing: "drop", Float32: true}), "given": s.WithLabels("x", strings.Split("rose lily  lily rose lily", " ")),
		"given and centered": s.WithLabels("x", strings.Split("rose lily  lily rose lily", " ")).Center(),
	} {
		if got := groups(s); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if n := s.N(); n != 2 && name != "selected" {
			t.Errorf("%s: %d variables", name, n)
		}
	}
	block := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for name, s := range map[string]*Session{"memory": s, "stream": Stream(path, o), "centered": s.Center()} {
		if got := groups(s.Append(block, "tulip", "rose")); got != want+" tulip rose" {
			t.Errorf("appended to %s: %s", name, got)
		}
		if got := groups(s.Append(block).Append(block, "", "tulip")); got != want+" (missing) (missing) (missing) tulip" {
			t.Errorf("appended to %s without labels: %s", name, got)
		}
	}
	if got := groups(FromMatrix(block).Append(block, "a", "b")); got != "(missing) (missing) a b" {
		t.Errorf("appended to a session without labels: %s", got)
	}
	if err := FromMatrix(block).Append(block).Labels().Err(); !errors.Is(err, ErrNoLabels) {
		t.Error(err)
	}
	l := s.Labels()
	if !slices.Equal(l.Counts, []int{3, 2, 1}) || l.Missing != 2 || l.Name != "kind" {
		t.Errorf("%+v", l)
	}
	if got := s.String(); !strings.Contains(got, "labels kind: 3 groups: lily 3, rose 2, (missing) 1") {
		t.Error(got)
	}
}

func TestLabelsRefused(t *testing.T) {
	s := FromRows([][]float64{{1, 2}, {3, 4}})
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"too few":      {s.WithLabels("x", []string{"a"}).Err(), "labels: got 1 label, want 2, one an observation"},
		"append":       {s.Append(mat.NewDense(2, 2, nil), "a").Err(), "append: labels: got 1 label, want 2, one an observation"},
		"not UTF-8":    {s.WithLabels("x", []string{"a", "\xff"}).Err(), "want a label in UTF-8"},
		"no labels":    {s.Labels().Err(), "rows: the observations have no labels; name their column in LoadOptions.Labels"},
		"no agreement": {s.Mixture(1).Agreement(s).Err(), "the observations have no labels"},
		"components":   {s.WithLabels("x", []string{"a", "b"}).Labels().Agreement([]int{0}, 1).Err(), "components: got 1, want 2, one an observation"},
		"range":        {s.WithLabels("x", []string{"a", "b"}).Labels().Agreement([]int{0, 2}, 2).Err(), "components: got 2, want 0 to 1"},
		"weights":      {Load(flowerFile(t), LoadOptions{Labels: "kind", Weights: "kind"}).Err(), "column 2 is asked for as weights and as labels"},
		"variable":     {Load(flowerFile(t), LoadOptions{Labels: "kind", Columns: []string{"1", "kind"}}).Err(), "column 2 is asked for as labels and as a variable"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
}

func TestAgreement(t *testing.T) {
	s := Load(flowerFile(t), LoadOptions{Labels: "kind", Missing: "drop"})
	f := s.Mixture(2)
	a := f.Agreement(s)
	if a.Err() != nil || a.AdjustedRand != 1 || a.Labelled != 5 || !slices.Equal(a.Groups, []string{"lily", "rose", "(missing)"}) {
		t.Fatalf("%+v", a)
	}
	for _, part := range []string{"Adjusted Rand index 1.00000, of the 5 observations with a label", "kind", "rose", "(missing)"} {
		if !strings.Contains(a.String(), part) || !strings.Contains(a.HTML(), part) {
			t.Errorf("no %q in\n%s\n%s", part, a, a.HTML())
		}
	}
	// Pairs of four observations: together in both 1, by label 2, by component 3, as many as by
	// chance, 2 3 / 6.
	l := FromRows([][]float64{{1}, {2}, {3}, {4}}).WithLabels("x", []string{"a", "a", "b", "b"}).Labels()
	if a := l.Agreement([]int{0, 0, 0, 1}, 2); a.Err() != nil || a.AdjustedRand != 0 || !slices.EqualFunc(a.Counts, [][]int{{2, 0}, {1, 1}}, slices.Equal) {
		t.Errorf("%+v", a)
	}
	if err := f.Agreement(s.WithLabels("none", make([]string, 6))).Err(); err == nil || !strings.Contains(err.Error(), "none of the observations has a label") {
		t.Error(err)
	}
}
