package charts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/lengths"
	"symmom/symmom"
)

// arrange sets the signs and lengths of the columns. Those that are not of unit norm have
// lengths of their own.
func (p *projection) arrange() {
	free := func(c [][]float64) bool { return c != nil && (p.o.Axes || unitNorm(c)) }
	p.stretched = p.rows != nil && (free(p.truth) || slices.ContainsFunc(p.found, free)) && (p.o.Axes || !p.fitsAsGiven())
	if p.stretched && free(p.truth) {
		p.place(p.truth, p.sides(len(p.truth)))
	}
	for k, c := range p.found {
		sides := p.sides(len(c))
		if p.truth != nil && c != nil && !p.signed && !p.o.Axes {
			p.turn(k, c, sides)
		}
		var astray []int
		if p.rows != nil && free(c) {
			astray = p.place(c, sides)
		}
		p.astray = append(p.astray, astray)
	}
}

// sides returns what is known of the sides of r columns without looking at the data.
func (p *projection) sides(r int) []lengths.Side {
	s := lengths.Either
	switch {
	case p.o.Axes:
		s = lengths.Both
	case p.signed:
		s = lengths.Ahead
	}
	return slices.Repeat([]lengths.Side{s}, r)
}

// fitsAsGiven reports whether means of unit norm match the length of the data: each
// is between .8 and 1.25 times as long.
func (p *projection) fitsAsGiven() bool {
	reference := p.truth
	if reference == nil {
		reference = p.found[0]
	}
	all, _ := lengths.Of(reference, p.sides(len(reference)), p.rows, p.nu)
	for _, l := range all {
		if l = math.Abs(l); l < .8 || l > 1.25 {
			return false
		}
	}
	return true
}

// turn gives each recovered column of panel k the sign of the true mean that it
// matches, since even orders leave signs undetermined.
func (p *projection) turn(k int, found [][]float64, sides []lengths.Side) {
	ones := make([]float64, len(found))
	for j := range ones {
		ones[j] = 1
	}
	model, err := symmom.NewModel(1, ones, p.panels[k].Factors)
	if err != nil {
		return // a column of zeros has no sign
	}
	truth := mat.NewDense(len(p.truth[0]), len(p.truth), nil)
	for j, c := range p.truth {
		truth.SetCol(j, c)
	}
	for _, pair := range model.Score(truth).Pairs {
		if c := found[pair.Found]; dot(c, p.truth[pair.Truth]) < 0 {
			scale(-1, c)
		}
		sides[pair.Found] = lengths.Ahead
	}
}

// place turns the columns to the sides of their observations and, if the columns are
// stretched, gives them their lengths. It returns the numbers of those, counted from 1,
// that are no mean: the mean of the observations that point their way lies elsewhere.
func (p *projection) place(columns [][]float64, sides []lengths.Side) (astray []int) {
	const alike = .9 // cosine
	all, cosines := lengths.Of(columns, sides, p.rows, p.nu)
	for j, l := range all {
		if cosines[j] < alike && !p.o.Axes {
			astray = append(astray, j+1)
		}
		norm := math.Sqrt(dot(columns[j], columns[j]))
		switch {
		case p.stretched && norm > 0 && l != 0:
			scale(l/norm, columns[j])
		case l < 0:
			scale(-1, columns[j])
		}
	}
	return astray
}
