package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"symmom/charts"
	"symmom/charts/internal/again"
	"symmom/charts/internal/numbers"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// result is a fit that the page shows, with its report, which is made when it is asked
// for.
type result struct {
	version int
	job     *Job
	fit     *symmom.Fit
	groups  func() (*symmom.Score, string) // see scoredGroups
	report  func() *charts.Report
	page    func() string
}

func newResult(version int, job *Job, fit *symmom.Fit) *result {
	r := &result{version: version, job: job, fit: fit}
	r.groups = sync.OnceValues(r.scoredGroups)
	r.report = sync.OnceValue(r.compose)
	r.page = sync.OnceValue(func() string { return r.report().Page() })
	return r
}

// compose makes the report: the data, the fit, and how to make it again.
func (r *result) compose() *charts.Report {
	job, fit := r.job, r.fit
	p := charts.NewReport(cmp.Or(job.Title, job.Shown.Source()))
	p.Subtitle = fmt.Sprintf("%s: %s of %s, %s, rank %d", job.Shown.Source(), words.Plural(fit.Observations, "observation"),
		words.Plural(fit.N, "variable"), fit.Model.Kind.Describe(fit.Order), fit.Rank)
	p.Heading("Data").AddSummary(job.Summary)
	p.Heading(fmt.Sprintf("The fit of rank %d to %s", fit.Rank, fit.Model.Kind.Describe(fit.Order))).AddFit(fit, job.Drawn)
	for _, n := range job.Notes {
		p.Text(n)
	}
	if score, label := r.groups(); score != nil {
		p.Heading("Agreement with groups").Verbatim(fmt.Sprintf("Against the means of %s\n%s", label, score))
	}
	p.Heading("How to make it again").Verbatim(job.Command)
	return p.Verbatim(again.List(job.Shown.Source(), job.Summary, fit, job.Version))
}

// interrupted reports whether the fit was stopped before its end.
func (r *result) interrupted() bool { return errors.Is(r.fit.Err(), symmom.ErrInterrupted) }

// name describes the fit.
func (r *result) name() string {
	if r.interrupted() {
		return r.job.Name + " (interrupted)"
	}
	return r.job.Name
}

// line describes the result in a line.
func (r *result) line() string { return r.job.Name + ", " + r.facts() }

// facts says how good the fit is.
func (r *result) facts() string {
	f := r.fit
	text := fmt.Sprintf("relative error %.6g", f.RelativeError)
	if !f.NormSquared.Exact() {
		text = fmt.Sprintf("relative error about %.6g", f.RelativeError)
	}
	if len(f.Starts) > 0 {
		text += ", starts at the best: " + numbers.AtBest(f)
	}
	if score, label := r.groups(); score != nil {
		text += fmt.Sprintf(", score %.5f against the means of %s", score.Value, label)
	}
	if r.job.Drawn.Truth != nil {
		if score := f.Score(r.job.Drawn.Truth); score.Err() == nil {
			text += fmt.Sprintf(", score %.5f", score.Value)
		}
	}
	return text + ", " + words.Duration(f.Elapsed)
}

// scoredGroups compares the fit with the means of the groups that labels name, unless there is a
// truth to compare it with, or a pass over the data would take long; nil if it does not.
func (r *result) scoredGroups() (score *symmom.Score, label string) {
	s := r.fit.Session().WithContext(context.Background()) // a stopped fit, too
	if !r.job.InMemory || r.job.Drawn.Truth != nil || s.Err() != nil || s.Labels().Err() != nil {
		return nil, ""
	}
	if r.fit.Cumulant && s.Coordinates() == "" { // it is about the mean
		s = s.Center()
	}
	if score = r.fit.Score(s.GroupMeans()); score.Err() != nil {
		return nil, ""
	}
	return score, s.Labels().Name
}

// resultView is a result as sent to the page.
type resultView struct {
	Version     int      `json:"version"`
	Name        string   `json:"name"`
	Line        string   `json:"line"`
	Interrupted bool     `json:"interrupted"`
	Warnings    []string `json:"warnings"`
}

func (r *result) view() *resultView {
	v := &resultView{Version: r.version, Name: r.job.Name, Line: r.facts(), Interrupted: r.interrupted(), Warnings: append([]string{}, r.job.Notes...)}
	if r.job.TruthNote != "" {
		v.Warnings = append(v.Warnings, r.job.TruthNote)
	}
	for _, w := range r.fit.Warnings {
		v.Warnings = append(v.Warnings, w.Text)
	}
	return v
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9]+`)

// file returns a name for a file of the result.
func (r *result) file(ext string) string {
	base := filepath.Base(r.job.Shown.Source())
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return strings.Trim(notInNames.ReplaceAllString(base+"-"+r.name(), "-"), "-") + ext
}
