package symmom

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Score measures how well the columns of a factor matrix match the true ones: the
// mean absolute cosine over the best one-to-one matching (equation Score of
// the paper). 1 is perfect; signs and lengths do not matter.
//
// The means of a mixture are matched by their distance instead.
type Score struct {
	Result // Err, String and HTML

	Value   float64
	Pairs   []Pair       // min(rank, true rank) of them, by true column
	Cosines *NamedMatrix // absolute cosines, true columns x found columns

	// Distance, of the means of a mixture, is the root of the sum of squared distances between
	// matched means, divided by that of the squared norms of the true ones; NaN of a model.
	Distance float64
}

// Pair is one match of a Score; the indices count from 0.
type Pair struct {
	Truth, Found int
	Cosine       float64 // absolute, or signed: see Model.Score
}

// Score compares the model's factors with the columns of truth, n x r' for
// any r'. Of an odd order, signs count beside the means of groups (GroupMeans): a component that
// points away from all of them has a negative cosine. O(n r r' + max(r, r')^3).
func (m *Model) Score(truth mat.Matrix) *Score {
	if m.Rank() == 0 {
		return made(&Score{Result: Result{err: fmt.Errorf("score: the model is empty")}})
	}
	if err := errorOf(truth); err != nil {
		return made(&Score{Result: Result{err: err}})
	}
	if err := m.comparable(truth); err != nil {
		return made(&Score{Result: Result{err: err}})
	}
	t := ktensor.Of(m.Order, nil, truth)
	rows, cols := t.N, t.R
	if rows != m.N() || cols < 1 {
		hint := ""
		if cols == m.N() {
			hint = "; it looks transposed"
		}
		return made(&Score{Result: Result{err: &ArgumentError{Argument: "truth", Value: fmt.Sprintf("a %d x %d matrix", rows, cols),
			Want: fmt.Sprintf("%s, one a variable of the model, and one true factor a column%s", words.Plural(m.N(), "row"), hint)}}})
	}
	for j := range cols {
		if !linalg.Finite(t.Column(j)...) {
			return made(&Score{Result: Result{err: &ArgumentError{Argument: "truth", Value: fmt.Sprintf("column %d that is not finite", j+1), Want: "finite numbers"}}})
		}
	}
	k := m.kruskal()
	if !linalg.Finite(k.A...) {
		return made(&Score{Result: Result{err: &ArgumentError{Argument: "model", Value: "factors that are not finite", Want: "finite numbers"}}})
	}
	cos := ktensor.AbsoluteCosines(t, k)
	if m.Order%2 == 1 && meansOf(truth) != nil { // which end of a component they are at counts
		for i := range cos {
			j, l := i/m.Rank(), i%m.Rank()
			if m.Lambda[l]*linalg.Dot(t.Column(j), k.Column(l)) < 0 {
				cos[i] = -cos[i]
			}
		}
	}
	_, pairs := ktensor.Match(cos, cols, m.Rank())
	return scoreOf(math.NaN(), pairs, cos, truth, m.Rank())
}

// scoreOf is the score of matched pairs, with the absolute cosines of all.
func scoreOf(distance float64, pairs [][2]int, cosines []float64, truth mat.Matrix, found int) *Score {
	s := made(&Score{Cosines: &NamedMatrix{Dense: mat.NewDense(len(cosines)/found, found, cosines), over: "component"}, Distance: distance})
	if named, ok := truth.(*NamedMatrix); ok {
		s.Cosines.RowNames = named.ColumnNames
	}
	for _, p := range pairs {
		s.Pairs = append(s.Pairs, Pair{Truth: p[0], Found: p[1], Cosine: s.Cosines.At(p[0], p[1])})
		s.Value += s.Cosines.At(p[0], p[1])
	}
	s.Value /= max(1, float64(len(pairs)))
	return s
}

// listing has a row for each matched pair.
func (s *Score) shown() shown {
	if s.err != nil {
		return &htmltext.Listing{Title: errorLine("score", s.err)}
	}
	title := fmt.Sprintf("Score %.5f", s.Value)
	if all, _ := s.Cosines.Dims(); len(s.Pairs) < all {
		title += fmt.Sprintf(", of %d of %d", len(s.Pairs), all)
	}
	l := &htmltext.Listing{Title: title, Head: []string{"truth", "found", "cosine"}}
	missed := map[int]bool{}
	for j := range s.Cosines.rows() {
		missed[j] = true
	}
	for _, p := range s.Pairs {
		delete(missed, p.Truth)
		l.Rows = append(l.Rows, []string{nameOf(s.Cosines.RowNames, p.Truth), fmt.Sprint(p.Found + 1), fmt.Sprintf("%.5f", p.Cosine)})
	}
	for _, j := range slices.Sorted(maps.Keys(missed)) {
		l.Rows = append(l.Rows, []string{nameOf(s.Cosines.RowNames, j), "-", "not found"})
	}
	return l
}

// meansOf is what is known of a matrix that GroupMeans returned, else nil.
func meansOf(m mat.Matrix) *groupMeans {
	if named, ok := m.(*NamedMatrix); ok {
		return named.means
	}
	return nil
}

// comparable refuses means of groups in other coordinates than those of the model.
func (m *Model) comparable(truth mat.Matrix) error {
	if m.Kind == nil {
		return nil
	}
	own := m.Kind.Coordinates
	if own == "" && m.Kind.Cumulant { // it is about the mean
		own = centered
	}
	return inCoordinates(own, truth)
}

func inCoordinates(own string, truth mat.Matrix) error {
	of := meansOf(truth)
	if of == nil || of.coordinates == own {
		return nil
	}
	call := map[string]string{"": "the table as it was loaded", centered: "Center()", standardized: "Standardize()", whitened: "Whiten"}[own]
	return &ArgumentError{Argument: "truth", Value: "means of groups, " + cmp.Or(of.coordinates, "as loaded"), Want: fmt.Sprintf("them %s, as what they are compared with: GroupMeans of the session after %s", cmp.Or(own, "as loaded"), call)}
}
