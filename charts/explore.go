package charts

import (
	"errors"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/explore"
	"symmom/charts/internal/groups"
	"symmom/symmom"
	"symmom/widgets"
)

// Explore shows a fit with controls (package widgets): for the component that
// is shown and, for a fit with its data, for the rank, at which the moment is decomposed
// again with the same form and options (but for an InitialModel, which is of one rank), and
// for the plane to which the observations are projected, which can be turned towards a random one.
func Explore(fit *symmom.Fit) *widgets.Interaction {
	if err := hasModel(fit); err != nil {
		return widgets.Interact(func() *Figure { return failed("Explore", fmt.Errorf("charts: explore: %w", err)) })
	}
	fits := explore.Of(fit)
	controls := fits.Controls()
	if len(controls) == 1 {
		return widgets.Interact(func(component string) *Figure { return explored(fits, component, fit.Rank, "", 0) }, controls...)
	}
	return widgets.Interact(func(component string, rank int, projection string, turn float64) *Figure {
		return explored(fits, component, rank, projection, turn)
	}, controls...)
}

// explored draws the observations in a plane, turned by an angle in degrees, and one
// component or the weights of all.
func explored(fits *explore.Fits, component string, rank int, projection string, turn float64) *Figure {
	fit, err := fits.Rank(rank)
	if err != nil {
		return failed("Explore", fmt.Errorf("charts: explore: rank %d: %w", rank, err))
	}
	f := &Figure{Title: fmt.Sprintf("Rank %d", rank), Caption: fmt.Sprintf("Relative error %.4g.", fit.RelativeError),
		summary: fmt.Sprintf("a fit of rank %d", rank)}
	add := func(g *Figure, caption string) {
		f.err = errors.Join(f.err, g.err)
		f.charts, f.Notes = append(f.charts, g.charts...), append(f.Notes, g.Notes...)
		f.Caption += " " + orDefault(caption, g.Caption)
	}
	if projection != "" {
		p, err := explorePlane(fit, projection, turn)
		if err != nil {
			return failed(f.Title, err)
		}
		add(Recovery(fit, nil, RecoveryOptions{Plane: p, Points: explore.Points, whole: true}), "")
	}
	j, err := strconv.Atoi(component)
	if err == nil && j <= rank {
		column := mat.NewDense(fit.N, 1, mat.Col(nil, j-1, fit.Model.Factors))
		f.Title += ", component " + component
		add(FactorsOf(column, FactorsOptions{Kind: "bars", Names: fit.Model.Names, before: j - 1}),
			fmt.Sprintf("Component %d of %d has λ = %.4g; its entries are drawn as bars.", j, rank, fit.Model.Lambda[j-1]))
		return f
	}
	if err == nil {
		f.Notes = append(f.Notes, fmt.Sprintf("There is no component %d at rank %d; the weights of all are shown.", j, rank))
	}
	add(Lambda(fit), "")
	return f
}

// explorePlane returns the plane of a name, turned towards a random one.
func explorePlane(fit *symmom.Fit, name string, turn float64) (*Plane, error) {
	p, err := &Plane{Name: "the inner products with " + name}, error(nil)
	switch name {
	case explore.Random:
		p = RandomPlane(fit.N, 1)
	case explore.Factors:
		p.X, p.Y, err = explore.FactorPlane(fit)
		p.XName, p.YName = "inner product with component 1", "inner product with component 2"
	default:
		rows, index, bad := fit.Session().Subsample(explore.Points, 1)
		if err = bad; err == nil {
			p, err = principalPlane(rows, groups.Weights(fit.Session(), index))
		}
	}
	if err != nil || turn == 0 {
		return p, err
	}
	to := RandomPlane(fit.N, 2)
	name = fmt.Sprintf("%s, turned by %g° towards a random plane (seed 2)", p.Name, turn)
	return &Plane{X: explore.Turn(p.X, to.X, turn), Y: explore.Turn(p.Y, to.Y, turn), Name: name}, nil
}
