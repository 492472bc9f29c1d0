package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/numbers"
	"symmom/internal/estimate/topics"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// FitOptions are the options of Report.AddFit. The zero value is
// the default.
type FitOptions struct {
	Truth      mat.Matrix // true factors, n x r'
	TruthNames []string

	// Observations to draw, their Labels and the Plane they are projected to,
	// as in RecoveryOptions; default those of the fit's session, in their
	// principal plane.
	Observations *symmom.Session
	Labels       []int
	Plane        *Plane

	// ImageRows x ImageCols = n pixels, in row order, say that factors are
	// pictures, to be drawn in place of bars. 0: they are not.
	ImageRows, ImageCols int
}

// AddFit adds everything about a fit: its numbers and warnings, its components, how it
// converged, the observations with the recovered means, the cosines with a truth, and
// the factors. A fit that failed shows its error.
func (r *Report) AddFit(fit *symmom.Fit, options ...FitOptions) *Report {
	o, err := atMostOne(options)
	if err == nil {
		err = hasModel(fit)
	}
	if err != nil {
		return r.Add(failed("Fit", fmt.Errorf("charts: fit: %w", err)))
	}
	var score *symmom.Score
	if !linalg.IsNil(o.Truth) {
		if score = fit.Score(o.Truth); score.Err() != nil {
			return r.Add(failed("Score", fmt.Errorf("charts: %w", score.Err())))
		}
	}
	r.Facts(numbers.Facts(fit, score)...)
	if errors.Is(fit.Err(), symmom.ErrInterrupted) {
		r.Text("The search was interrupted: this is the best fit so far.")
	}
	r.warn(fit)
	r.judge(fit, score)
	if o.ImageRows > 0 {
		images := ImageOptions{Truth: o.Truth, TruthNames: o.TruthNames}
		if !linalg.IsNil(o.Truth) {
			images.Title = "Components beside the true ones"
		}
		r.Add(Images(fit.Model.Factors, o.ImageRows, o.ImageCols, images))
	}
	r.componentTable(fit, score, o.TruthNames)
	if traced(fit) {
		r.Add(Convergence(fit))
	}
	if s := o.Observations; fit.N >= 2 && (s != nil || fit.Session().Err() == nil) {
		recovery := RecoveryOptions{Observations: s, Labels: o.Labels, Plane: o.Plane, Principal: o.Plane == nil, Names: o.TruthNames}
		if linalg.IsNil(o.Truth) {
			recovery.Title = "Observations and components"
		}
		r.Add(Recovery(fit, o.Truth, recovery))
	}
	if score != nil {
		r.Add(ScoreMatrix(score, ScoreMatrixOptions{TruthNames: o.TruthNames}))
	}
	if o.ImageRows == 0 {
		r.Add(Factors(fit))
	}
	return r.Add(Lambda(fit))
}

// AddTopics adds everything about topics: their numbers and warnings, a map of three or more, their
// words as bars, and a table. Topics that failed show their error.
func (r *Report) AddTopics(t *symmom.Topics, options ...TopicsOptions) *Report {
	o, err := atMostOne(options)
	if err = cmp.Or(err, hasTopics(t)); err != nil {
		return r.Add(failed("Topics", fmt.Errorf("charts: topics: %w", err)))
	}
	o.Words = cmp.Or(max(o.Words, 0), mapWords)
	e := cmp.Or(o.Errors, &symmom.TopicsErrors{})
	facts := []string{"topics", words.Count(t.Components), "concentration", topics.Concentration(t.Concentration, e.Concentration)}
	if o.Perplexity > 0 {
		facts = append(facts, "perplexity, held out", fmt.Sprintf("%.5g", o.Perplexity))
	}
	if o.Score != nil {
		facts = append(facts, "error", fmt.Sprintf("%.3f", o.Score.Distance))
	}
	r.Facts(append(facts, "iterations", words.Count(t.Iterations), "time", words.Duration(t.Elapsed))...)
	if errors.Is(t.Err(), symmom.ErrInterrupted) {
		r.Text("The search was interrupted: this is the best set of topics so far.")
	}
	for _, w := range t.Warnings {
		r.Text("Warning: " + w.Text)
	}
	if t.Components > 2 {
		r.Add(TopicMap(t))
	}
	return r.Add(Topics(t, o)).Table("Coherence", topics.Header, topics.Rows(t.Weights, e.Weights, o.Coherence, t.Top(o.Words)))
}

// warn adds what a person should know before using a fit; what the page says of the data
// it says once.
func (r *Report) warn(fit *symmom.Fit) {
	ofData := fit.Session().Warnings()
	for _, w := range fit.Warnings {
		if !slices.ContainsFunc(r.blocks, func(b block) bool { return b.Paragraph == "Warning: "+w.Text }) ||
			!slices.ContainsFunc(ofData, func(d symmom.Warning) bool { return d.Text == w.Text }) {
			r.Text("Warning: " + w.Text)
		}
	}
}

// judge adds what a score, if there is one, does not say.
func (r *Report) judge(fit *symmom.Fit, score *symmom.Score) {
	if score == nil {
		return
	}
	// a cumulant is about the mean, and its components do not move with it
	if k := fit.Model.Kind; k != nil && k.Coordinates != "" && !(k.Cumulant && k.Coordinates == "centered") {
		r.Text(fmt.Sprintf("Warning: the truth is compared with what was found in %s data, and does not record its own coordinates.", k.Coordinates))
	}
	if truth, _ := score.Cosines.Dims(); truth > fit.Rank {
		r.Text(fmt.Sprintf("The score is that of %s: %d of the %d true ones have no match, and do not count.", words.Plural(fit.Rank, "component"), truth-fit.Rank, truth))
	}
}

// AddSweep adds the ranks of a sweep as a picture and as a table.
func (r *Report) AddSweep(sweep *symmom.Sweep) *Report {
	f := Sweep(sweep)
	r.Add(f)
	if f.Err() != nil {
		return r
	}
	header, rows := sweep.Table()
	return r.Table("Each rank in numbers", header, rows)
}

// mostVariables is how many variables AddSummary lists.
const mostVariables = 12

// AddSummary adds a first look at the data: size, warnings, variables, and the
// spectrum of the second moment.
func (r *Report) AddSummary(s *symmom.Summary) *Report {
	if s == nil || s.Err() != nil {
		err := errors.New("the summary is nil")
		if s != nil {
			err = s.Err()
		}
		return r.Add(failed("Data", fmt.Errorf("charts: summary: %w", err)))
	}
	weights := "all equal"
	if s.Weighted {
		weights = "given"
	}
	r.Facts("observations", words.Count(s.Observations), "variables", words.Count(s.N), "weights", weights)
	for _, w := range s.Warnings {
		r.Text("Warning: " + w.Text)
	}
	var rows [][]string
	for i, v := range s.Variables {
		if i == mostVariables {
			break
		}
		row := []string{orDefault(v.Name, fmt.Sprintf("variable %d", i+1))}
		for _, x := range []float64{v.Mean, v.Std, v.Min, v.Max} {
			row = append(row, words.Value(numbers.Zeroed(x, max(math.Abs(v.Min), math.Abs(v.Max)))))
		}
		rows = append(rows, row)
	}
	caption := "Variables"
	if s.N > mostVariables {
		caption = fmt.Sprintf("The first %d of %s", mostVariables, words.Plural(s.N, "variable"))
	}
	if s.Coordinates != "" {
		caption += ", " + s.Coordinates
	}
	r.Table(caption, []string{"variable", "mean", "standard deviation", "least", "greatest"}, rows)
	if len(s.Eigenvalues) > 1 {
		r.Add(scree(s.Eigenvalues, s.Stand, s.SuggestedRank))
	}
	return r
}

// componentTable lists the components with the true components that they match, if these are
// known, and the factors.
func (r *Report) componentTable(f *symmom.Fit, score *symmom.Score, truthNames []string) {
	header := []string{"component", "λ", "share"}
	matched := map[int]symmom.Pair{}
	if score != nil {
		header = append(header, "true component", "cosine")
		for _, p := range score.Pairs {
			matched[p.Found] = p
		}
	}
	var rows [][]string
	shares := f.Model.Diagnostics().Shares
	for j, l := range f.Model.Lambda {
		row := []string{strconv.Itoa(j + 1), numbers.Five(l), numbers.Share(shares[j])}
		if p, ok := matched[j]; ok {
			row = append(row, namesOf(truthNames, p.Truth+1, "truth")[p.Truth], numbers.Fixed(p.Cosine, 5))
		} else if score != nil {
			row = append(row, "–", "–")
		}
		rows = append(rows, row)
	}
	r.Table("Components", header, rows)
	r.Matrix("Factors", f.Model.Factors)
}

// traced reports whether any start has a trace to draw.
func traced(f *symmom.Fit) bool {
	return slices.ContainsFunc(f.Starts, func(s symmom.Start) bool { return len(s.Trace) > 0 })
}
