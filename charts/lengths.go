package charts

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// side says on which side of the origin the observations of a column lie.
type side int

const (
	ahead  side = iota // where it points
	either             // where there are more of them: the column has no sign
	both               // on both: the column is an axis
)

// arrange sets the signs and lengths of the columns.
func (p *projection) arrange() {
	p.stretched = p.rows != nil && (p.o.Axes || !p.fitsAsGiven())
	if p.stretched && p.truth != nil && (p.o.Axes || unitNorm(p.truth)) {
		p.place(p.truth, p.sides(len(p.truth)))
	}
	for k, c := range p.found {
		sides := p.sides(len(c))
		if p.truth != nil && c != nil && !p.signed && !p.o.Axes {
			p.turn(k, c, sides)
		}
		if p.rows != nil {
			p.astray = append(p.astray, p.place(c, sides))
		}
	}
}

// sides returns what is known of the sides of r columns without looking at the data.
func (p *projection) sides(r int) []side {
	s := either
	switch {
	case p.o.Axes:
		s = both
	case p.signed:
		s = ahead
	}
	return slices.Repeat([]side{s}, r)
}

// fitsAsGiven reports whether means of unit norm match the length of the data: each
// is between .8 and 1.25 times as long.
func (p *projection) fitsAsGiven() bool {
	reference := p.truth
	if reference == nil {
		reference = p.found[0]
	}
	lengths, _ := p.lengths(reference, p.sides(len(reference)))
	for _, l := range lengths {
		if l = math.Abs(l); l < .8 || l > 1.25 {
			return false
		}
	}
	return true
}

// turn gives each recovered column of panel k the sign of the true mean that it
// matches, since even orders leave signs undetermined.
func (p *projection) turn(k int, found [][]float64, sides []side) {
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
		sides[pair.Found] = ahead
	}
}

// place turns the columns to the sides of their observations and, if the columns are
// stretched, gives them their lengths. It returns the numbers of those, counted from 1,
// that are no mean: the mean of the observations that point their way lies elsewhere.
func (p *projection) place(columns [][]float64, sides []side) (astray []int) {
	const alike = .9 // cosine
	lengths, cosines := p.lengths(columns, sides)
	for j, l := range lengths {
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

// lengths returns, for each column, the weighted mean inner product of its unit vector
// with the observations that point its way: its own are those for which that product is
// the largest in absolute value of all columns, on the sides where they may lie. The
// length is negative if they lie on the other side. Those of a mean are nearer to it
// than to the origin, so that observations which no column describes do not shorten it.
// A column without observations gets the mean length of the others. The cosine is that
// of the column and the mean of these observations, 0 if there are none.
func (p *projection) lengths(columns [][]float64, sides []side) (length, cosine []float64) {
	own := make([][2]products, len(columns)) // on the one side and the other
	norms := make([]float64, len(columns))
	for j, c := range columns {
		if norms[j] = math.Sqrt(dot(c, c)); norms[j] == 0 {
			norms[j] = 1
		}
	}
	count, _ := p.rows.Dims()
	for l := range count {
		v, best, at := p.rows.RawRowView(l), 0.0, -1
		for j, c := range columns {
			x := dot(c, v)
			if sides[j] == both {
				x -= dot(c, p.mean)
			}
			if x /= norms[j]; math.Abs(x) > math.Abs(best) && (x > 0 || sides[j] != ahead) {
				best, at = x, j
			}
		}
		w := 1.0
		if p.nu != nil {
			w = p.nu[l]
		}
		if at >= 0 && w > 0 {
			k := 0
			if best < 0 {
				k = 1
			}
			own[at][k] = append(own[at][k], product{math.Abs(best), w, l})
		}
	}
	length, cosine = make([]float64, len(columns)), make([]float64, len(columns))
	mean, with := 0.0, 0.0
	for j, q := range own {
		switch {
		case sides[j] == both:
			length[j] = append(q[0], q[1]...).above(0)
		case sides[j] == either && q[1].sum() > q[0].sum():
			length[j] = -q[1].centre()
			cosine[j] = q[1].cosine(-length[j], p.rows)
		default:
			length[j] = q[0].centre()
			cosine[j] = q[0].cosine(length[j], p.rows)
		}
		if length[j] != 0 {
			mean += math.Abs(length[j])
			with++
		}
	}
	for j := range length {
		if length[j] == 0 && with > 0 {
			length[j] = mean / with
		}
	}
	return length, cosine
}

// product is the inner product of an observation with a unit vector, where positive.
type product struct {
	x, weight float64
	row       int
}

type products []product

func (q products) sum() (s float64) {
	for _, o := range q {
		s += o.weight * o.x
	}
	return s
}

// above returns the weighted mean of the products above a limit, 0 if there are none.
func (q products) above(limit float64) float64 {
	s, n := 0.0, 0.0
	for _, o := range q {
		if o.x > limit {
			s, n = s+o.weight*o.x, n+o.weight
		}
	}
	if n == 0 {
		return 0
	}
	return s / n
}

// centre returns the mean of the products that are nearer to it than to 0.
func (q products) centre() float64 {
	squares := 0.0
	for _, o := range q {
		squares += o.weight * o.x * o.x
	}
	at := 0.0
	if squares > 0 {
		at = squares / q.sum() // the small ones count little
	}
	const steps = 50 // it settles in a few
	for range steps {
		next := q.above(at / 2)
		if next == at {
			break
		}
		at = next
	}
	return at
}

// cosine returns the cosine of the unit vector and the mean of the observations that
// are nearer to the centre than to 0.
func (q products) cosine(centre float64, rows *mat.Dense) float64 {
	_, n := rows.Dims()
	mean, total := make([]float64, n), 0.0
	for _, o := range q {
		if o.x > centre/2 {
			floats.AddScaled(mean, o.weight, rows.RawRowView(o.row))
			total += o.weight
		}
	}
	if total == 0 {
		return 0
	}
	return centre * total / math.Sqrt(dot(mean, mean))
}

// meanOf returns the weighted mean of rows.
func meanOf(rows *mat.Dense, nu []float64) []float64 {
	count, n := rows.Dims()
	mean, total := make([]float64, n), 0.0
	for l := range count {
		w := 1.0
		if nu != nil {
			w = nu[l]
		}
		total += w
		for i, x := range rows.RawRowView(l) {
			mean[i] += w * x
		}
	}
	scale(1/total, mean)
	return mean
}
