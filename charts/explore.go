package charts

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/words"
	"symmom/symmom"
	"symmom/widgets"
)

// Planes of Explore.
const (
	principalPlane = "principal"
	randomPlane    = "random"
	factorPlane    = "components 1 and 2"
)

// explorePoints is how many observations Explore draws: few enough to follow a hand.
const explorePoints = 400

// Explore looks at a fit by hand, with controls: for the rank, at which the moment is
// decomposed again with the same seed, for the component that is shown, and for the
// plane to which the observations are projected, which can be turned towards a random
// one. A notebook shows the controls; see package widgets for other places.
//
// For a fit without its data, such as one that was read from a file, there is no rank
// to choose and no projection.
func Explore(fit *symmom.Fit) *widgets.Interaction {
	const title = "Explore"
	if fit == nil {
		return widgets.Interact(func() *Figure { return failed(title, errors.New("charts: explore: the fit is nil")) })
	}
	if err := hasModel(fit); err != nil {
		return widgets.Interact(func() *Figure { return failed(title, fmt.Errorf("charts: explore: %w", err)) })
	}
	e := &explorer{fits: map[int]*symmom.Fit{fit.Rank: fit}, first: fit}
	most := fit.Rank
	data := fit.Session().Err() == nil
	if data {
		most = max(2*fit.Rank, 8)
	}
	components := []any{"all"}
	for j := range most {
		components = append(components, strconv.Itoa(j+1))
	}
	component := widgets.Select("component", components...)
	if !data {
		return widgets.Interact(func(component string) *Figure { return e.figure(fit.Rank, component, "", 0) }, component)
	}
	planes := []any{principalPlane, randomPlane}
	if fit.N < 2 {
		planes = nil
	} else if fit.Rank > 1 {
		planes = append(planes, factorPlane)
	}
	rank := widgets.Slider("rank", 1, float64(most), 1).At(fit.Rank)
	if planes == nil {
		return widgets.Interact(func(rank int, component string) *Figure { return e.figure(rank, component, "", 0) }, rank, component)
	}
	return widgets.Interact(e.figure, rank, component, widgets.Select("projection", planes...), widgets.Play("turn", 0, 90, 5))
}

// explorer keeps the fits that were made.
type explorer struct {
	first *symmom.Fit
	fits  map[int]*symmom.Fit
}

// figure draws the observations in a plane, turned by an angle in degrees, and one
// component or the weights of all.
func (e *explorer) figure(rank int, component, projection string, turn float64) *Figure {
	const title = "Explore"
	fit, err := e.fit(rank)
	if err != nil {
		return failed(title, fmt.Errorf("charts: explore: rank %d: %w", rank, err))
	}
	f := &Figure{Title: fmt.Sprintf("Rank %d", rank), summary: fmt.Sprintf("a fit of rank %d, relative error %.4g", rank, fit.RelativeError)}
	f.Caption = fmt.Sprintf("Relative error %.4g.", fit.RelativeError)
	if projection != "" {
		p, err := e.plane(fit, projection, turn)
		if err != nil {
			return failed(title, err)
		}
		r := Recovery(fit, nil, RecoveryOptions{Plane: p, Points: explorePoints})
		if r.err != nil {
			return r
		}
		f.charts = append(f.charts, r.charts[0])
		f.Caption += " " + r.Caption
		f.Notes = append(f.Notes, r.Notes...)
	}
	j, err := strconv.Atoi(component)
	if err == nil && j > rank {
		f.Notes = append(f.Notes, fmt.Sprintf("There is no component %d at rank %d; the weights of all are shown.", j, rank))
	}
	detail := Lambda(fit)
	if err == nil && j <= rank {
		n, _ := fit.Model.Factors.Dims()
		column := mat.NewDense(n, 1, nil)
		column.SetCol(0, mat.Col(nil, j-1, fit.Model.Factors))
		detail = FactorsOf(column, FactorsOptions{Kind: "bars", Names: fit.Model.Names})
		f.Title += ", component " + component
		f.Caption += fmt.Sprintf(" Component %d of %s has λ = %.4g; its entries are beside it.", j, words.Count(rank), fit.Lambda()[j-1])
	} else {
		f.Caption += " " + detail.Caption
	}
	if detail.err != nil {
		return detail
	}
	f.charts = append(f.charts, detail.charts...)
	f.Notes = append(f.Notes, detail.Notes...)
	return f
}

// fit returns the fit of a rank. One that was interrupted is not kept.
func (e *explorer) fit(rank int) (*symmom.Fit, error) {
	if f := e.fits[rank]; f != nil {
		return f, nil
	}
	m := e.first.Session().Moment(e.first.Order)
	switch e.first.Form {
	case symmom.FormImplicit:
		m = m.Implicit()
	case symmom.FormExplicit:
		m = m.Explicit()
	}
	f := m.With(symmom.Options{Seed: e.first.Seed}).Decompose(rank)
	if err := f.Err(); err != nil {
		return nil, err
	}
	e.fits[rank] = f
	return f, nil
}

// plane returns the plane of a name, turned towards a random one.
func (e *explorer) plane(fit *symmom.Fit, name string, turn float64) (p *Plane, err error) {
	switch name {
	case randomPlane:
		p = RandomPlane(fit.N, 1)
	case factorPlane:
		if fit.Rank < 2 {
			return nil, fmt.Errorf("charts: explore: rank %d has no components 1 and 2: want another projection", fit.Rank)
		}
		p = &Plane{X: mat.Col(nil, 0, fit.Model.Factors), Y: mat.Col(nil, 1, fit.Model.Factors), Name: "the inner products with components 1 and 2"}
	default:
		rows, _, err := fit.Session().Subsample(explorePoints, 1)
		if err != nil {
			return nil, err
		}
		if p, err = PrincipalPlane(rows); err != nil {
			return nil, err
		}
	}
	if turn == 0 {
		return p, nil
	}
	to := RandomPlane(fit.N, 2)
	sin, cos := math.Sincos(turn * math.Pi / 180)
	mix := func(a, b []float64) []float64 {
		length := math.Sqrt(dot(a, a) / dot(b, b)) // as long as the vector that it turns from
		out := make([]float64, len(a))
		for i := range a {
			out[i] = cos*a[i] + sin*length*b[i]
		}
		return out
	}
	return &Plane{X: mix(p.X, to.X), Y: mix(p.Y, to.Y), Name: fmt.Sprintf("%s, turned by %g° towards a random plane (seed 2)", p.Name, turn)}, nil
}
