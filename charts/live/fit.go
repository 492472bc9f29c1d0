package live

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"symmom/charts"
	"symmom/charts/internal/again"
	"symmom/charts/internal/numbers"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Fits are found from the choices of a Desk.
var Fits = Kind{Name: "fit", Heading: "The fit: ", Verb: "Fit", Doing: "Fitting", Search: true, Models: slices.Concat([]string{".json"}, modelfile.Extensions())}

// FitJob is a fit that was chosen.
type FitJob struct {
	Name   string // "order 3, rank 5"
	Choice string // the same without the rank
	Moment *symmom.Moment
	Rank   int
	Drawn  charts.FitOptions // what its report shows besides
	Shown  *symmom.Session   // the table
	Notes  []string          // what the choice means, for a line each

	InMemory bool // the table is

	Ranks    []int                 // of a sweep
	Suggest  func() *symmom.Moment // is that of which a rank is suggested
	Commands map[string]string     // of the tasks, which make them again

	TruthNote string // of a score in other coordinates, in words that are better than the report's, or ""

	Summary                 *symmom.Summary // of the table
	Title, Command, Version string          // of the report; the command makes it again
}

func (j *FitJob) String() string { return j.Name }
func (j *FitJob) Again() string  { return j.Command }

// learn tells ‖X‖² before the search, which has it from there; of a file that would be a pass
// more, if it cannot be kept.
func (j *FitJob) learn(know func(norm float64)) {
	if j.InMemory {
		if norm, err := j.Moment.NormSquared(); err == nil {
			know(norm.Value)
		}
	}
}

// Find fits.
func (j *FitJob) Find(know func(norm float64)) Found {
	j.learn(know)
	f := &foundFit{Fit: j.Moment.Decompose(j.Rank), job: j}
	know(f.NormSquared.Value)
	f.groups = sync.OnceValues(f.scoredGroups)
	return f
}

// foundFit is what a FitJob came to.
type foundFit struct {
	*symmom.Fit
	job    *FitJob
	groups func() (*symmom.Score, string) // see scoredGroups
}

func (f *foundFit) None() bool     { return f.Model.Rank() == 0 }
func (f *foundFit) Source() string { return f.job.Shown.Source() }

// Report has the data, the fit, and how to make it again.
func (f *foundFit) Report() *charts.Report {
	job := f.job
	p := charts.NewReport(cmp.Or(job.Title, f.Source()))
	p.Subtitle = fmt.Sprintf("%s: %s of %s, %s, rank %d", f.Source(), words.Plural(f.Observations, "observation"),
		words.Plural(f.N, "variable"), f.Model.Kind.Describe(f.Order), f.Rank)
	p.Heading("Data").AddSummary(job.Summary)
	p.Heading(fmt.Sprintf("The fit of rank %d to %s", f.Rank, f.Model.Kind.Describe(f.Order))).AddFit(f.Fit, job.Drawn)
	for _, n := range job.Notes {
		p.Text(n)
	}
	if score, label := f.groups(); score != nil {
		p.Heading("Agreement with groups").Verbatim(fmt.Sprintf("Against the means of %s\n%s", label, score))
	}
	p.Heading("How to make it again").Verbatim(job.Command)
	return p.Verbatim(again.List(f.Source(), job.Summary, f.Fit, job.Version))
}

// Facts says how good the fit is.
func (f *foundFit) Facts() string {
	text := fmt.Sprintf("relative error %.6g", f.RelativeError)
	if !f.NormSquared.Exact() {
		text = fmt.Sprintf("relative error about %.6g", f.RelativeError)
	}
	if len(f.Starts) > 0 {
		text += ", starts at the best: " + numbers.AtBest(f.Fit)
	}
	if score, label := f.groups(); score != nil {
		text += fmt.Sprintf(", score %.5f against the means of %s", score.Value, label)
	}
	if f.job.Drawn.Truth != nil {
		if score := f.Score(f.job.Drawn.Truth); score.Err() == nil {
			text += fmt.Sprintf(", score %.5f", score.Value)
		}
	}
	return text + ", " + words.Duration(f.Elapsed)
}

// scoredGroups compares the fit with the means of the groups that labels name, unless there is a
// truth to compare it with, or a pass over the data would take long; nil if it does not.
func (f *foundFit) scoredGroups() (score *symmom.Score, label string) {
	s := f.Session().WithContext(context.Background()) // a stopped fit, too
	if !f.job.InMemory || f.job.Drawn.Truth != nil || s.Err() != nil || s.Labels().Err() != nil {
		return nil, ""
	}
	if f.Cumulant && s.Coordinates() == "" { // it is about the mean
		s = s.Center()
	}
	if score = f.Score(s.GroupMeans()); score.Err() != nil {
		return nil, ""
	}
	return score, s.Labels().Name
}

// Notes has those of the choice and the warnings of the fit.
func (f *foundFit) Notes() []string {
	all := slices.Clone(f.job.Notes)
	if f.job.TruthNote != "" {
		all = append(all, f.job.TruthNote)
	}
	return append(all, texts(f.Warnings)...)
}

func texts(warnings []symmom.Warning) (all []string) {
	for _, w := range warnings {
		all = append(all, w.Text)
	}
	return all
}
