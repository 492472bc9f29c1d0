package main

import (
	"errors"
	"slices"

	"symmom/charts"
	"symmom/symmom"
)

// page returns the page of --html.
func (m *mixtureCommand) page(s *symmom.Session, f *symmom.Mixture, e *symmom.Score, a *symmom.Agreement, spread *symmom.MixtureErrors) *charts.Report {
	title := "Gaussian mixture"
	if f.Nonparametric {
		title = "Nonparametric mixture"
	}
	r := charts.NewReport(title)
	r.Subtitle, r.Footer = dataLine(s), footer(m.options.Seed)
	numbers := append(mixturePair(f), slices.Concat(f.Facts()...)...)
	if e != nil {
		numbers = append(numbers, meansPair(e)...)
	}
	r.Facts(numbers...)
	addDoubts(r, f.Err(), "mixture", f.Warnings)
	return m.describe(r, s, f, a, spread, f.Err())
}

// describe adds the components of a mixture that a command, which was stopped by an error or
// nil, has found, and draws it.
func (m *mixtureCommand) describe(r *charts.Report, s *symmom.Session, f *symmom.Mixture, a *symmom.Agreement, spread *symmom.MixtureErrors, stopped error) *charts.Report {
	r.Matrix("Means", meansOf(f, spread))
	if f.Covariance != symmom.CovarianceSpherical {
		r.Matrix("Standard deviations", f.Deviations())
	}
	o := charts.MixtureOptions{Observations: m.shown(s), Seed: m.options.Seed}
	// Of an interrupted run only observations in memory are drawn.
	far := m.load.Spark != "" && s.Weighted() // no weighted sample stands for them
	drawn := f.N > 1 && !far && !(m.stays() && errors.Is(stopped, symmom.ErrInterrupted))
	switch {
	case drawn:
		r.Add(charts.Mixture(f, o))
	case far:
		r.Text("The observations are on the cluster, and have weights: they are not drawn.")
	}
	if f.Nonparametric {
		r.Add(charts.Densities(f))
	}
	if a == nil || a.Err() != nil {
		return r
	}
	r.Heading("Agreement with groups").Verbatim(a.String())
	if o.Title, o.Labels = "Groups and the mixture", true; drawn {
		r.Add(charts.Mixture(f, o))
	}
	return r
}

// addDoubts adds what a person should know before using a result.
func addDoubts(r *charts.Report, err error, what string, warnings []symmom.Warning) {
	if errors.Is(err, symmom.ErrInterrupted) {
		r.Text("The search was interrupted: this is the best " + what + " so far.")
	}
	for _, w := range warnings {
		r.Text("Warning: " + w.Text)
	}
}
