package charts

import (
	"errors"
	"fmt"

	"symmom/internal/words"
	"symmom/symmom"
)

// ReportOnFit makes the page of ReportOn about one fit to the moment of s: the summary
// of the data, the fit in full, and how to make it again. Of the options From, To, Rank,
// Moment and Sweep do not count. It costs a summary, unless the options have one. Of an
// interrupted fit it shows the best so far, and Err says so.
func ReportOnFit(s *symmom.Session, fit *symmom.Fit, options ...ReportOptions) *Report {
	o, err := atMostOne(options)
	r := &Report{Title: o.Title}
	if err == nil {
		err = hasModel(fit)
	}
	if err == nil && s == nil {
		err = errors.New("the session is nil")
	}
	if err == nil {
		err = s.Err()
	}
	if err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	r.Title = orDefault(o.Title, s.Source())
	if o.Summary == nil {
		o.Summary = s.Summary()
	}
	if err := o.Summary.Err(); err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	shown := o.fitOptions()
	drawn, err := drawFor(s, &shown)
	if err != nil {
		return r.fail(fmt.Errorf("charts: report: %w", err))
	}
	if err := fit.Err(); errors.Is(err, symmom.ErrInterrupted) {
		r.interrupted = err
	}
	kind := "moment"
	if fit.Cumulant {
		kind = "cumulant"
	}
	r.Subtitle = fmt.Sprintf("%s: %s of %s, %s of order %d, rank %d", s.Source(), words.Plural(s.Observations(), "observation"),
		words.Plural(s.N(), "variable"), kind, fit.Order, fit.Rank)
	r.Heading("Data").AddSummary(o.Summary)
	r.Heading(fmt.Sprintf("The fit of rank %d", fit.Rank)).AddFit(fit, shown)
	r.drawnOf(drawn, s)
	r.Heading("How to make it again")
	r.Verbatim(orDefault(o.Command, fmt.Sprintf("symmom.Load(%q).Moment(%d).Decompose(%d)", s.Source(), fit.Order, fit.Rank)))
	return r.Verbatim(o.origin(s, fit))
}

// drawnOf says how many of the observations the pictures show, unless all.
func (r *Report) drawnOf(drawn int, s *symmom.Session) {
	if drawn > 0 && drawn < s.Observations() {
		r.Text(fmt.Sprintf("The pictures show %s of the %s, chosen at random evenly over the table.", words.Count(drawn), words.Plural(s.Observations(), "observation")))
	}
}

// Figures returns the figures of the report, in their order.
func (r *Report) Figures() []*Figure {
	var all []*Figure
	for _, b := range r.blocks {
		if b.Figure != nil {
			all = append(all, b.Figure)
		}
	}
	return all
}
