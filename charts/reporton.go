package charts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/again"
	"symmom/charts/internal/groups"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/frame"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// ReportOptions are the options of ReportOn. The zero value is the default.
type ReportOptions struct {
	Title string // default: the name of the data

	// Moment to decompose, with its form and options; default the third moment
	// of the session.
	Moment *symmom.Moment

	// Ranks From..To; 0: from two below to two above the rank that the spectrum
	// suggests, or 1..5 if it suggests none.
	From, To int

	// Rank of the fit that is shown in full, or the nearest there is. 0: the number
	// of true factors if there is a Truth, else the suggested rank, else the last
	// rank that contributed a tenth of the total decrease of the relative error.
	Rank int

	// As in FitOptions.
	Truth                mat.Matrix
	TruthNames           []string
	Labels               []int
	ImageRows, ImageCols int

	// Summary and Sweep, if they were computed before. The sweep need not be
	// scored, and decides the ranks.
	Summary *symmom.Summary
	Sweep   *symmom.Sweep

	Command string // that makes the report again; default: the Go code for the same session and moment
	Version string // of the program; default: what the build recorded
}

// ReportOn makes one page about a table: its summary and spectrum, a sweep over
// ranks, the best fit's convergence, recovered means and factors, all numbers, and
// how to reproduce the page. It costs a summary and a sweep. If the sweep is
// interrupted, the page shows the ranks so far; if there are none, it holds the
// error, see Err.
func ReportOn(s *symmom.Session, options ...ReportOptions) *Report {
	o, err := atMostOne(options)
	r := &Report{Title: o.Title}
	if err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	if s == nil {
		return r.fail(errors.New("charts: report: the session is nil"))
	}
	if err := s.Err(); err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	r.Title = orDefault(o.Title, s.Source())
	if o.Summary == nil {
		o.Summary = s.Summary()
	}
	if err := o.Summary.Err(); err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	if err := o.ranks(); err != nil {
		return r.fail(err)
	}
	// before the search: an interrupt must not cost the pictures
	shown := FitOptions{Truth: o.Truth, TruthNames: o.TruthNames, Labels: o.Labels, ImageRows: o.ImageRows, ImageCols: o.ImageCols}
	drawn, err := drawFor(s, &shown)
	if err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	sweep := o.Sweep
	if sweep == nil {
		sweep = cmp.Or(o.Moment, s.Moment(3)).Sweep(o.From, o.To)
	}
	if err := hasResults(sweep); err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	r.interrupted = sweep.Err()
	if !linalg.IsNil(o.Truth) {
		scored := sweep.Score(o.Truth)
		if err := scored.Err(); err != nil && !errors.Is(err, symmom.ErrInterrupted) {
			return r.fail(fmt.Errorf("charts: report: %w", err))
		}
		sweep = scored
	}
	o.compose(r, s, sweep, shown, drawn)
	return r
}

// fail turns the report into one of an error.
func (r *Report) fail(err error) *Report {
	r.Title = orDefault(r.Title, "Report")
	return r.Add(failed("Report", err))
}

// ranks fills in and checks From and To.
func (o *ReportOptions) ranks() error {
	if o.From == 0 && o.To == 0 {
		o.From, o.To = frame.Around(o.Summary.SuggestedRank)
	}
	if o.From < 1 || o.To < o.From {
		return fmt.Errorf("charts: report: %w", &symmom.ArgumentError{Argument: "From, To", Value: fmt.Sprintf("%d, %d", o.From, o.To), Want: "1 <= From <= To, or both 0"})
	}
	if o.Rank != 0 && (o.Rank < o.From || o.Rank > o.To) && o.Sweep == nil {
		return fmt.Errorf("charts: report: %w", &symmom.ArgumentError{Argument: "Rank", Value: o.Rank, Want: fmt.Sprintf("one of %d..%d, the ranks that are tried", o.From, o.To)})
	}
	return nil
}

// drawFor selects the observations of the pictures, so that all show the same ones,
// and projects them to their principal plane.
func drawFor(s *symmom.Session, o *FitOptions) (drawn int, err error) {
	const points = 2000
	if o.Observations == nil {
		o.Observations = s
	}
	if s.N() < 2 {
		return 0, nil
	}
	rows, index, err := o.Observations.Subsample(points, 0)
	if errors.Is(err, symmom.ErrInterrupted) { // of a stream; there may be a sweep to show
		o.Observations = nil
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if o.Labels != nil {
		if len(o.Labels) != o.Observations.Observations() {
			return 0, fmt.Errorf("got %s for %s", words.Plural(len(o.Labels), "label"), words.Plural(o.Observations.Observations(), "observation"))
		}
		labels := make([]int, len(index))
		for i, l := range index {
			labels[i] = o.Labels[l]
		}
		o.Labels = labels
	}
	if o.Plane == nil {
		if o.Plane, err = principalPlane(rows, groups.Weights(o.Observations, index)); err != nil {
			o.Plane = RandomPlane(s.N(), 0) // for example, of a single observation
		}
	}
	o.Observations = groups.Picked(o.Observations, rows, index)
	return len(index), nil
}

// compose adds the sections to the report.
func (o ReportOptions) compose(r *Report, s *symmom.Session, sweep *symmom.Sweep, shown FitOptions, drawn int) {
	best, why := o.choose(sweep)
	why = strings.TrimSpace(why + " " + unconverged(best, sweep))
	ranks := fmt.Sprintf("rank %d", sweep.Fits[0].Rank)
	if last := sweep.Fits[len(sweep.Fits)-1].Rank; last != sweep.Fits[0].Rank {
		ranks = "ranks " + cmp.Or(ranksOf(sweep), fmt.Sprintf("%d to %d", sweep.Fits[0].Rank, last))
	}
	r.Subtitle = fmt.Sprintf("%s: %s of %s, %s, %s",
		s.Source(), words.Plural(s.Observations(), "observation"), words.Plural(s.N(), "variable"), best.Model.Kind.Describe(sweep.Order), ranks)
	if r.interrupted != nil {
		r.Text("The sweep was interrupted; this page shows what was found until then.")
	}
	r.Heading("Data").AddSummary(o.Summary)
	r.Heading("Ranks").AddSweep(sweep)
	var texts []string
	ranksOfText := map[string][]string{}
	for _, x := range sweep.Fits {
		for _, w := range x.Warnings {
			// The best is shown in full, and what is of the data stands above.
			if x == best || slices.ContainsFunc(s.Warnings(), func(d symmom.Warning) bool { return d.Text == w.Text }) {
				continue
			}
			if ranksOfText[w.Text] == nil {
				texts = append(texts, w.Text)
			}
			ranksOfText[w.Text] = append(ranksOfText[w.Text], fmt.Sprint(x.Rank))
		}
	}
	for _, text := range texts { // each once
		r.Text(fmt.Sprintf("Warning of rank %s: %s", strings.Join(ranksOfText[text], ", "), text))
	}
	if len(sweep.Fits) > 1 && s.N() >= 2 {
		title := "Recovered means at each rank"
		switch {
		case linalg.IsNil(o.Truth):
			title = "Observations and components at each rank"
		case best.Cumulant:
			title = "Recovered components at each rank"
		}
		r.Add(RecoveryGrid(sweep, o.Truth, RecoveryOptions{Title: title,
			Observations: shown.Observations, Labels: shown.Labels, Plane: shown.Plane, Names: o.TruthNames, Points: 1 << 30, like: best.Model.Factors}))
	}
	r.Heading(fmt.Sprintf("The fit of rank %d", best.Rank)).Text(why).AddFit(best, shown)
	if drawn > 0 && drawn < s.Observations() {
		r.Text(fmt.Sprintf("The pictures show %s of the %s, chosen at random evenly over the table.", words.Count(drawn), words.Plural(s.Observations(), "observation")))
	}
	r.Heading("How to make it again")
	r.Verbatim(orDefault(o.Command, o.goCode(s, sweep, best)))
	r.Verbatim(again.List(s.Source(), o.Summary, best, o.Version))
}

// choose returns the fit that is shown in full, and why where it is not of the rank that one
// would expect.
func (o ReportOptions) choose(sweep *symmom.Sweep) (fit *symmom.Fit, why string) {
	results := sweep.Fits
	best := results[0]
	if want := cmp.Or(o.Rank, sweep.TrueRank); want > 0 {
		for _, x := range results { // ascending
			if x.Rank <= want {
				best = x
			}
		}
		if best.Rank != want {
			why = fmt.Sprintf("Rank %d was not tried; this is the nearest.", want)
		}
		return best, why
	}
	suggested := o.Summary.SuggestedRank
	for _, x := range results {
		if x.Rank == suggested {
			return x, ""
		}
	}
	if suggested > 0 {
		why = fmt.Sprintf("The spectrum suggests rank %d, which was not tried. ", suggested)
	}
	if len(results) > 1 {
		why += "This is the last rank that lowers the relative error by a tenth of what all of them do."
	}
	whole := results[0].RelativeError - results[len(results)-1].RelativeError
	for i := 1; i < len(results); i++ {
		if results[i-1].RelativeError-results[i].RelativeError >= whole/10 {
			best = results[i]
		}
	}
	return best, why
}

// unconverged says that the fit that is shown in full did not converge where others did, with
// their ranks; "" otherwise.
func unconverged(best *symmom.Fit, sweep *symmom.Sweep) string {
	done := func(f *symmom.Fit) bool {
		return f.Status == symmom.StatusConverged || f.Status == symmom.StatusStalled
	}
	if done(best) {
		return ""
	}
	var ranks []string
	for _, f := range sweep.Fits {
		if done(f) {
			ranks = append(ranks, fmt.Sprint(f.Rank))
		}
	}
	if len(ranks) == 0 {
		return ""
	}
	return fmt.Sprintf("This fit did not converge (%s) and may still move; among the others that of rank %s did.", words.Spaced(best.Status), strings.Join(ranks, ", "))
}

// ranksOf lists the ranks of a sweep with gaps: "1, 2, 4". It is "" without any.
func ranksOf(sweep *symmom.Sweep) string {
	var ranks []string
	for _, f := range sweep.Fits {
		ranks = append(ranks, fmt.Sprint(f.Rank))
	}
	if last := len(ranks) - 1; sweep.Fits[last].Rank-sweep.Fits[0].Rank == last {
		return ""
	}
	return strings.Join(ranks, ", ")
}

// goCode returns the Go code that makes the page of the session, and the moment where one was
// given. How these came to be is not known: it says what they are.
func (o ReportOptions) goCode(s *symmom.Session, sweep *symmom.Sweep, best *symmom.Fit) string {
	about, _, _ := strings.Cut(s.String(), "\n")
	code := "// s: " + about + ", of the fingerprint below\n"
	var fields []string
	field := func(set bool, format string, args ...any) {
		if set {
			fields = append(fields, fmt.Sprintf(format, args...))
		}
	}
	field(o.Title != "", "Title: %q", o.Title)
	if o.Moment != nil || o.Sweep != nil {
		code += fmt.Sprintf("// m: %s, held and searched as below\n", best.Model.Kind.Describe(sweep.Order))
		field(true, "Moment: m")
	}
	ranks := ranksOf(sweep)
	field(len(ranks) == 0, "From: %d, To: %d", sweep.Fits[0].Rank, sweep.Fits[len(sweep.Fits)-1].Rank)
	field(len(ranks) > 0, "Sweep: m.SweepRanks(%s)", ranks) // which was given, and so m, too
	field(o.Rank != 0, "Rank: %d", o.Rank)
	field(!linalg.IsNil(o.Truth), "Truth: truth")
	field(o.TruthNames != nil, "TruthNames: %#v", o.TruthNames)
	field(o.Labels != nil, "Labels: labels")
	field(o.ImageRows != 0 || o.ImageCols != 0, "ImageRows: %d, ImageCols: %d", o.ImageRows, o.ImageCols)
	return code + fmt.Sprintf("charts.ReportOn(s, charts.ReportOptions{%s})", strings.Join(fields, ", "))
}

// WriteReport saves the page of ReportOn to path, whose name must end in .html or .htm.
// The path is checked before the work begins. The page of an interrupted sweep is
// written, and the error returned.
func WriteReport(s *symmom.Session, path string, options ...ReportOptions) error {
	if err := pageName(path); err != nil {
		return err
	}
	if err := files.Check(context.Background(), path); err != nil {
		return fmt.Errorf("charts: cannot save %s: %w", files.Name(path), err)
	}
	r := ReportOn(s, options...)
	err := r.Err()
	if err != nil && (r.interrupted == nil || !errors.Is(err, symmom.ErrInterrupted)) {
		return err
	}
	if saved := r.Save(path); saved != nil {
		return saved
	}
	return err
}
