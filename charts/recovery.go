package charts

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// RecoveryOptions are the options of Recovery. The zero value is the default.
type RecoveryOptions struct {
	Title   string // default "Recovered means"
	Caption string // default: what the chart shows

	// Plane to project to; default RandomPlane(n, Seed), as in the paper. Several
	// charts may share one. Principal selects the leading principal plane of the
	// observations instead.
	Plane     *Plane
	Principal bool
	Seed      uint64 // of the random plane and of what is drawn; default 1

	// Observations to draw; default those of the fit's session. Labels give the
	// component of each, 0 to 999, or -1; default: the groups that the labels of
	// Observations name (LoadOptions.Labels), or else the nearest true mean or, without
	// a truth, the nearest recovered one of each panel.
	Observations *symmom.Session
	Labels       []int

	Names []string // of the true means; default "mean 1", ...

	// Points is the number of observations to draw, chosen at random, evenly over
	// the table; default 1500, or 3000 in all for three or more panels.
	Points int

	// Axes says that the columns are directions in which the observations spread, to
	// both sides of their mean, and are drawn as axes through it; so are, in any case,
	// the components of fits of cumulants.
	Axes bool

	whole bool       // without the chart of the part near the means
	like  mat.Matrix // factors whose colours those of all panels take; nil: the last panel's
}

// Recovered is the content of one panel of RecoveryOf: factors, n x r, one recovered
// mean per column.
type Recovered struct {
	Name    string     // above the panel: "rank 3"
	Factors mat.Matrix // nil: the observations and the truth alone
}

// Recovery draws the paper's recovery figure (gmm-picture, gmm-solns): the
// observations projected to two dimensions and coloured by component, the true
// means as crosses and the recovered ones as circles, with all observations and, where
// that is much smaller, once more near the means. truth is n x r', one mean per column,
// or nil.
//
// The factors of a fit have unit norm, as the paper's means do. If the truth's
// columns are not on the scale of the data, both are drawn with the lengths that
// bring them closest to the observations that point their way, by their weights, and a
// note says so. The components of a cumulant are no means: they are drawn as axes.
func Recovery(fit *symmom.Fit, truth mat.Matrix, options ...RecoveryOptions) *Figure {
	return recoveryOfFits([]*symmom.Fit{fit}, truth, options)
}

// RecoveryGrid is Recovery of the fits of a sweep, with a panel for each rank,
// all in the same plane and near the means.
func RecoveryGrid(sweep *symmom.Sweep, truth mat.Matrix, options ...RecoveryOptions) *Figure {
	const title = "Recovered means"
	if err := hasResults(sweep); err != nil {
		return failed(title, fmt.Errorf("charts: recovery: %w", err))
	}
	return recoveryOfFits(sweep.Fits, truth, options)
}

// RecoveryOf draws Recovery from plain matrices; the observations, if any, come
// from the options. The figure is made of go-echarts Scatter charts: for one panel
// all observations and, if that is much smaller, the part near the means; otherwise
// one chart per panel, near the means. Their series are "data-j" for the
// observations of component j, "truth-j" for its true mean and "found"; a point is
// [x, y]. Of an axis both ends are drawn, and a line "axis-j" between them.
func RecoveryOf(panels []Recovered, truth mat.Matrix, options ...RecoveryOptions) *Figure {
	o, err := atMostOne(options)
	if err != nil {
		return failed(orDefault(o.Title, "Recovered means"), fmt.Errorf("charts: recovery: %w", err))
	}
	return recovery(panels, truth, false, o)
}

// recovery draws the panels; signed says that the signs of their factors are known.
func recovery(panels []Recovered, truth mat.Matrix, signed bool, o RecoveryOptions) *Figure {
	title := "Recovered means"
	if o.Axes {
		title = "Recovered components"
	}
	title = orDefault(o.Title, title)
	p, err := newProjection(panels, truth, signed, o)
	if err != nil {
		return failed(title, fmt.Errorf("charts: recovery: %w", err))
	}
	f := p.figure()
	f.Title = title
	if o.Caption != "" {
		f.Caption = o.Caption
	}
	return f
}

func recoveryOfFits(fits []*symmom.Fit, truth mat.Matrix, options []RecoveryOptions) *Figure {
	o, err := atMostOne(options)
	title := orDefault(o.Title, "Recovered means")
	panels := make([]Recovered, 0, len(fits))
	signed := true // an odd order has positive weights, and a sign
	for i, f := range fits {
		if e := hasModel(f); e != nil && err == nil {
			err = fmt.Errorf("fit %d: %w", i+1, e)
		}
		if _, named := truth.(*symmom.NamedMatrix); named && err == nil { // which knows its coordinates
			err = f.Score(truth).Err()
		}
		if err != nil {
			break
		}
		panels = append(panels, Recovered{fmt.Sprintf("rank %d", f.Rank), f.Model.Factors})
		o.Axes = o.Axes || f.Cumulant
		signed = signed && f.Order%2 == 1 && slices.Min(f.Model.Lambda) > 0
		if o.Observations == nil && f.Session().Err() == nil {
			o.Observations = f.Session()
		}
	}
	if err != nil {
		return failed(title, fmt.Errorf("charts: recovery: %w", err))
	}
	return recovery(panels, truth, signed, o)
}

// hasModel returns an error if the fit has nothing to draw.
func hasModel(f *symmom.Fit) error {
	switch {
	case f == nil:
		return errors.New("the fit is nil")
	case f.Model != nil && f.Model.Rank() > 0:
		return nil
	}
	return cmp.Or(f.Err(), errors.New("the fit is empty"))
}

// hasResults returns an error if the sweep has nothing to draw.
func hasResults(s *symmom.Sweep) error {
	switch {
	case s == nil:
		return errors.New("the sweep is nil")
	case len(s.Fits) > 0:
		return nil
	}
	return cmp.Or(s.Err(), errors.New("the sweep has no results"))
}
