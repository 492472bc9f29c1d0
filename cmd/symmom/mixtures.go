package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"symmom/charts"
	"symmom/cmd/symmom/internal/objects"
	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// several reports whether mixtures are compared.
func (m *mixtureCommand) several() bool { return len(m.components) > 1 || m.kinds() > 1 }

func (m *mixtureCommand) kinds() int { return strings.Count(m.options.Covariance, ",") + 1 }

// name is the file for one of several mixtures: model-components5.json, or with several
// covariances model-full-components5.json.
func (m *mixtureCommand) name(path, covariance string, r int) string {
	what := fmt.Sprintf("components%d", r)
	if m.kinds() > 1 {
		what = covariance + "-" + what
	}
	return inserted(path, what)
}

// mostFits is more than any comparison gets to.
const mostFits = 10_000

// names returns the function that lists the files of a flag.
func (m *mixtureCommand) names(path *string) func() []string {
	return func() []string {
		if !m.several() {
			return []string{*path}
		}
		var names []string
		for covariance := range strings.SplitSeq(m.options.Covariance, ",") {
			for _, r := range m.components[:min(len(m.components), mostFits)] {
				names = append(names, m.name(*path, covariance, r))
			}
		}
		return names
	}
}

// compare fits several mixtures and compares their BIC.
func (m *mixtureCommand) compare(a *app, ctx context.Context, s *symmom.Session, stop func()) error {
	found := s.MixturesOf(m.components, m.options)
	unfinished := ""
	fits := slices.DeleteFunc(slices.Clone(found.Fits), func(f *symmom.Mixture) bool { return f.N == 0 })
	if len(fits) == 0 {
		stop()
		return inFlags(found.Err())
	}
	var names []string
	saved := a.keepAll(ctx, m.save, &names, func() (err error) {
		for _, f := range fits {
			name := m.name(m.save, f.Covariance, f.Components)
			names, err = append(names, name), all(err, saving(f.Save(name)))
		}
		return err
	})
	var predicted error
	agreed := map[*symmom.Mixture]*symmom.Agreement{}
	while, done := soon(ctx) // for all of them
	defer done()
	for _, f := range fits {
		agreement, err := m.assign(a, ctx, s.WithContext(while), f, m.name(m.predict, f.Covariance, f.Components))
		agreed[f], predicted = agreement, cmp.Or(predicted, err) // what one lacks others do
		if errors.Is(f.Err(), symmom.ErrInterrupted) {
			unfinished = ", the last unfinished"
		}
	}
	stop()
	a.warnFound(found.Warnings, "", &m.dataFlags, 0)
	drawn := a.keep(ctx, m.html, func() error { return m.comparison(s, found, agreed).Save(m.html) })
	header, rows := comparisonTable(found, agreed)
	printed := a.print(m.asked, func() any { return objects.NewMixtures(s, found, agreed, a.warnings) }, func() string {
		about := append([][]string{{"data", dataLine(s)}}, coordinatesPair(s.Coordinates())...)
		return facts(about...) + "\n" + plaintable.Render(header, rows, func(i int) bool { return i == len(header)-1 }) + "\n\n  " + strings.ReplaceAll(found.Conclusion, "; ", "\n  ") + "\n"
	})
	stopped := soFar(found.Err(), fmt.Sprintf("%d of %s%s", len(fits), words.Plural(m.kinds()*len(m.components), "fit"), unfinished))
	return all(stopped, saved, predicted, drawn, printed)
}

// comparisonTable is the table of the fits, with their agreement with known groups.
func comparisonTable(found *symmom.Mixtures, agreed map[*symmom.Mixture]*symmom.Agreement) (header []string, rows [][]string) {
	header, rows = found.Table()
	last := len(header) - 1
	known := false
	for i, f := range found.Fits {
		index := "-"
		if a := agreed[f]; a != nil && a.Err() == nil {
			index, known = fmt.Sprintf("%.5f", a.AdjustedRand), true
		}
		rows[i] = slices.Insert(rows[i], last, index)
	}
	if known {
		return slices.Insert(header, last, "Rand index"), rows
	}
	for i := range rows {
		rows[i] = slices.Delete(rows[i], last, last+1)
	}
	return header, rows
}

// comparison returns the page of --html: all fits, and the best of them in full.
func (m *mixtureCommand) comparison(s *symmom.Session, found *symmom.Mixtures, agreed map[*symmom.Mixture]*symmom.Agreement) *charts.Report {
	r := charts.NewReport("Gaussian mixtures compared")
	r.Subtitle, r.Footer = dataLine(s), footer(m.options.Seed)
	addDoubts(r, found.Err(), "comparison", found.Warnings)
	r.Facts(slices.Concat(coordinatesPair(s.Coordinates())...)...)
	header, rows := comparisonTable(found, agreed)
	if found.Best != nil {
		r.Add(charts.Mixtures(found))
	} else {
		r.Text(found.Conclusion + ".")
	}
	r.Table("Each fit in numbers", header, rows)
	if best := found.Best; best != nil {
		r.Heading("The mixture with the lowest BIC")
		m.describe(r, s, best, agreed[best], nil, found.Err())
	}
	return r
}
