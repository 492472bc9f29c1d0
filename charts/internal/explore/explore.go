// Package explore holds the fits and planes that charts.Explore chooses from.
package explore

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
	"symmom/widgets"
)

// The planes.
const (
	Principal = "principal"
	Random    = "random"
	Factors   = "components 1 and 2"
)

// Points is how many observations are drawn: few enough to follow a hand.
const Points = 400

// Fits are the fits of one moment that were made, by rank.
type Fits struct {
	first  *symmom.Fit
	moment *symmom.Moment
	made   map[int]*symmom.Fit
}

// Of returns the fits of the moment of a fit. A model that the fit was to start from is of its
// own rank: the other ranks start without.
func Of(fit *symmom.Fit) *Fits {
	m := fit.Moment()
	o := m.Options()
	if o.InitialModel != nil {
		o.InitialModel = nil
		m = m.With(o)
	}
	return &Fits{fit, m, map[int]*symmom.Fit{fit.Rank: fit}}
}

// Controls returns the controls for component, rank, plane and its turn; the first alone
// if there are no data, or of one variable.
func (f *Fits) Controls() []any {
	fit := f.first
	data := fit.Session().Err() == nil && fit.N > 1
	most := fit.Rank
	if data {
		most = max(2*fit.Rank, 8)
	}
	components := []any{"all"}
	for j := range most {
		components = append(components, strconv.Itoa(j+1))
	}
	component := widgets.Select("component", components...)
	if !data {
		return []any{component}
	}
	planes := []any{Principal, Random}
	if fit.Rank > 1 {
		planes = append(planes, Factors)
	}
	return []any{component, widgets.Slider("rank", 1, float64(most), 1).At(fit.Rank),
		widgets.Select("projection", planes...), widgets.Play("turn", 0, 90, 5)}
}

// Rank returns the fit of the given rank. It keeps fits, except those that failed or were
// interrupted.
func (f *Fits) Rank(rank int) (*symmom.Fit, error) {
	if fit := f.made[rank]; fit != nil {
		return fit, nil
	}
	fit := f.moment.Decompose(rank)
	if err := fit.Err(); err != nil {
		return nil, err
	}
	f.made[rank] = fit
	return fit, nil
}

// FactorPlane returns the vectors of the plane Factors.
func FactorPlane(fit *symmom.Fit) (x, y []float64, err error) {
	if fit.Rank < 2 {
		return nil, nil, fmt.Errorf("charts: explore: rank %d has no components 1 and 2: want another projection", fit.Rank)
	}
	return mat.Col(nil, 0, fit.Model.Factors), mat.Col(nil, 1, fit.Model.Factors), nil
}

// Turn turns a by degrees towards b, as long as a.
func Turn(a, b []float64, degrees float64) []float64 {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	var aa, bb float64
	for i := range a {
		aa, bb = aa+a[i]*a[i], bb+b[i]*b[i]
	}
	length := math.Sqrt(aa / bb)
	out := make([]float64, len(a))
	for i := range a {
		out[i] = cos*a[i] + sin*length*b[i]
	}
	return out
}
