package symmom

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/fit"
	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Sweep is a fit for each rank of a range, as the paper's figures of relative
// error, score and time against rank.
type Sweep struct {
	Result // Err, String and HTML

	Order    int
	Kind     *MomentKind // which moment it is of, besides its order; noise estimated at each rank has the sigma NaN
	Fits     []*Fit      // one a rank, ascending
	Scores   []float64   // of the fits; NaN before Sweep.Score
	TrueRank int         // number of the true factors; 0 before Score, and of groups
	Sought   int         // number of the true factors or of the groups; 0 before Score
	Warnings []Warning   // of the fits, each with its ranks
}

// Sweep decomposes the moment at each rank from..to, both included. All ranks share
// ||X||^2 and the options, and for data on disk or on a cluster the basis of the
// compressed form and the moment in it, made once, for the highest rank: 2 to + 10
// vectors unless given, for which lower ranks alone would take fewer. If it is
// interrupted, the ranks that were begun are kept and Err wraps ErrInterrupted.
func (m *Moment) Sweep(from, to int) *Sweep {
	if from < 1 || to < from {
		return made(&Sweep{Order: m.fit.Order, Result: Result{err: cmp.Or(m.Err(), error(&ArgumentError{Argument: "ranks", Value: fmt.Sprintf("%d..%d", from, to), Want: "from..to with 1 <= from <= to"}))}})
	}
	return m.sweep(fmt.Sprintf("%d..%d", from, to), from, to, func(int) bool { return true })
}

// SweepRanks is Sweep for some ranks, in any order.
func (m *Moment) SweepRanks(ranks ...int) *Sweep {
	if len(ranks) == 0 || slices.Min(ranks) < 1 {
		return made(&Sweep{Order: m.fit.Order, Result: Result{err: cmp.Or(m.Err(), error(&ArgumentError{Argument: "ranks", Value: ranks, Want: "one or several, each at least 1"}))}})
	}
	chosen := map[int]bool{}
	for _, r := range ranks {
		chosen[r] = true
	}
	from, to := slices.Min(ranks), slices.Max(ranks)
	text := fmt.Sprint(ranks)
	if to-from+1 == len(chosen) {
		text = fmt.Sprintf("%d..%d", from, to)
	}
	return m.sweep(text, from, to, func(r int) bool { return chosen[r] })
}

func (m *Moment) sweep(ranks string, from, to int, take func(rank int) bool) *Sweep {
	s := made(&Sweep{Order: m.fit.Order, Result: Result{err: m.Err()}})
	o, err := m.options.withDefaults()
	switch {
	case s.err != nil:
		return s
	case m.options.InitialModel != nil && from < to:
		err = &ArgumentError{Argument: "InitialModel", Value: "a model, which has one rank", Want: "none for several ranks"}
	case err == nil:
		err = m.estimable("ranks", ranks, to, 0)
	}
	if err == nil {
		err = m.fit.CheckRoom(to, o.engine(nil))
	}
	if s.err, s.Kind = err, m.expected(); err != nil {
		return s
	}
	all, lowest := *m, fit.Lowest{}
	all.fit.Upto = to
	for r := from; r <= to; r++ {
		if !take(r) {
			continue
		}
		f := all.Decompose(r)
		if f.Model.Rank() > 0 {
			f.Warnings = append(f.Warnings, warned(lowest.Next(r, f.ObjectiveShifted, f.NormSquared.Value, f.Sigma)...)...)
			s.Fits, s.Scores = append(s.Fits, f), append(s.Scores, math.NaN())
		}
		if f.err != nil {
			s.err = f.err
			break
		}
	}
	var of []diag.OfFit
	for _, f := range s.Fits {
		of = append(of, diag.OfFit{Name: fmt.Sprint(f.Rank), Warnings: coded(f.Warnings)})
	}
	s.Warnings = warned(diag.OfFits(of, diag.Ranks)...)
	return s
}

// Score returns a copy of the sweep with the score of each rank's fit against
// the true factors, the columns of an n x r matrix, or the means of groups (GroupMeans).
func (s *Sweep) Score(truth mat.Matrix) *Sweep {
	c := made(&Sweep{Result: s.Result, Order: s.Order, Kind: s.Kind, Fits: s.Fits, Warnings: s.Warnings})
	c.Scores = slices.Clone(s.Scores)
	_, c.Sought = linalg.Dims(truth)
	if meansOf(truth) == nil { // groups are no true components
		c.TrueRank = c.Sought
	}
	for i, f := range s.Fits {
		score := f.Score(truth)
		if score.err != nil {
			c.err = score.err
			break
		}
		c.Scores[i] = score.Value
	}
	return c
}

func (s *Sweep) shown() shown {
	if len(s.Fits) == 0 {
		return &htmltext.Listing{Title: errorLine("sweep", s.err)}
	}
	l := &htmltext.Listing{Title: fmt.Sprintf("Sweep of the %s (order %d)", s.Kind.frame().Title(s.Order), s.Order)}
	l.Head, l.Rows = s.Table()
	l.Numbers()
	if slices.ContainsFunc(s.Fits, func(f *Fit) bool { return !f.NormSquared.Exact() }) {
		l.Notes = append(l.Notes, "±: ||X||^2 is an estimate")
	}
	for _, w := range s.Warnings {
		l.Notes = append(l.Notes, "warning: "+w.Text)
	}
	if s.err != nil {
		l.Notes = append(l.Notes, "error: "+s.err.Error())
	}
	return l
}

// Table returns the rows of String, and the names of the columns: the score is one of them if
// any fit has one.
func (s *Sweep) Table() (header []string, rows [][]string) {
	header = []string{"rank", "relative error", "score", "time", "evaluations", "starts at best", "status"}
	scored := false
	for i, f := range s.Fits {
		score := "-"
		if i < len(s.Scores) && linalg.Finite(s.Scores[i]) {
			if score, scored = fmt.Sprintf("%.5f", s.Scores[i]), true; f.Rank < s.Sought { // of those that are found
				score += fmt.Sprintf(" (%d of %d)", f.Rank, s.Sought)
			}
		}
		rows = append(rows, []string{fmt.Sprint(f.Rank), f.NormSquared.relative(f.RelativeError, f.ObjectiveShifted, ""), score,
			words.Duration(f.Elapsed), words.Count(f.Evaluations), f.atBest(), words.Spaced(f.Status)})
	}
	if scored {
		return header, rows
	}
	for i := range rows {
		rows[i] = slices.Delete(rows[i], 2, 3)
	}
	return slices.Delete(header, 2, 3), rows
}
