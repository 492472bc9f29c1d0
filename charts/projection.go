package charts

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/groups"
	"symmom/internal/linalg"
	"symmom/internal/words"
	"symmom/symmom"
)

// projection is the data of one recovery figure, projected.
type projection struct {
	o      RecoveryOptions
	plane  *Plane
	panels []Recovered
	names  []string // of the components or groups of the observations
	means  []string // of the true means
	rest   string   // name of the observations that belong to none

	rows   *mat.Dense // the observations drawn; nil if none
	total  int        // number of observations
	points [][2]float64
	label  []int // component of each, -1: none
	known  bool  // the labels were given
	groups *groups.Groups

	truth     [][]float64 // nil if there is no truth
	found     [][][]float64
	stretched bool // scaled to the length of the data
}

func newProjection(panels []Recovered, truth mat.Matrix, o RecoveryOptions) (*projection, error) {
	if len(panels) == 0 {
		return nil, errors.New("give at least one panel")
	}
	p := &projection{o: o, panels: panels}
	n := 0
	if truth != nil {
		n, _ = truth.Dims()
	}
	for i, panel := range panels {
		if panel.Factors == nil && truth != nil {
			p.found = append(p.found, nil)
			continue
		}
		if panel.Factors == nil {
			return nil, fmt.Errorf("panel %d has no factors, and there is no truth", i+1)
		}
		rows, cols := panel.Factors.Dims()
		if i == 0 && truth == nil {
			n = rows
		}
		if cols < 1 || rows < 2 {
			return nil, fmt.Errorf("panel %d has factors of %d x %d, want a column or more of at least 2 variables", i+1, rows, cols)
		}
		if rows != n {
			if truth != nil {
				return nil, &symmom.ArgumentError{Argument: "truth", Value: "a matrix of " + words.Plural(n, "row"),
					Want: words.Plural(rows, "row") + ", one a variable, and one true mean a column"}
			}
			return nil, fmt.Errorf("panel %d has factors of %s, want %s as the first", i+1, words.Plural(rows, "row"), words.Count(n))
		}
		c := columns(panel.Factors)
		if !linalg.Finite(largest(c...)) {
			return nil, fmt.Errorf("panel %d has factors that are not finite", i+1)
		}
		p.found = append(p.found, c)
	}
	if truth != nil {
		p.truth = columns(truth)
		if !linalg.Finite(largest(p.truth...)) {
			return nil, &symmom.ArgumentError{Argument: "truth", Value: "a matrix that is not finite", Want: "finite numbers"}
		}
	}
	if err := p.draw(n); err != nil {
		return nil, err
	}
	if err := p.choosePlane(n); err != nil {
		return nil, err
	}
	p.arrange()
	p.assign()
	return p, nil
}

// draw selects the observations to show.
func (p *projection) draw(n int) error {
	s := p.o.Observations
	if s == nil {
		return nil
	}
	if s.Err() == nil && s.N() != n {
		return fmt.Errorf("the observations have %s, the factors %d", words.Plural(s.N(), "variable"), n)
	}
	limit := p.o.Points
	if limit <= 0 { // one panel may become two charts
		limit = max(100, 4000/max(2, len(p.panels)))
	}
	rows, index, err := s.Subsample(limit, p.o.Seed)
	if err != nil {
		return err
	}
	p.rows, p.total = rows, s.Observations()
	if given := p.o.Labels; given != nil {
		if len(given) != p.total {
			return fmt.Errorf("got %s for %s", words.Plural(len(given), "label"), words.Plural(p.total, "observation"))
		}
		p.known = true
		for _, l := range index {
			if given[l] < -1 {
				return fmt.Errorf("observation %d has the label %d, want them from 0, or -1 for none", l+1, given[l])
			}
			p.label = append(p.label, given[l])
		}
	} else if p.groups = groups.Of(s, index); p.groups != nil {
		p.label, p.known = p.groups.Of, true
	}
	return nil
}

func (p *projection) choosePlane(n int) (err error) {
	switch {
	case p.o.Plane != nil:
		p.plane = p.o.Plane
		return p.plane.check(n)
	case p.o.Principal && p.rows != nil:
		p.plane, err = PrincipalPlane(p.rows)
	case p.o.Principal:
		err = errors.New("the principal plane is that of observations, and there are none: set Observations")
	default:
		p.plane = RandomPlane(n, p.o.Seed)
	}
	return err
}

// arrange sets the signs and lengths of the columns.
func (p *projection) arrange() {
	p.stretched = p.rows != nil && !p.fitsAsGiven()
	if p.stretched && p.truth != nil && unitNorm(p.truth) {
		stretch(p.truth, p.rows)
	}
	for k, c := range p.found {
		switch {
		case p.stretched:
			stretch(c, p.rows)
		case p.rows != nil && p.truth == nil:
			for j, l := range lengths(c, p.rows) {
				if l < 0 {
					scale(-1, c[j])
				}
			}
		}
		if p.truth != nil && c != nil {
			p.turn(k, c)
		}
	}
}

// fitsAsGiven reports whether means of unit norm match the length of the data: each
// is between .8 and 1.25 times as long.
func (p *projection) fitsAsGiven() bool {
	reference := p.truth
	if reference == nil {
		reference = p.found[0]
	}
	for _, l := range lengths(reference, p.rows) {
		if l = math.Abs(l); l < .8 || l > 1.25 {
			return false
		}
	}
	return true
}

// turn gives each recovered column of panel k the sign of the true mean that it
// matches, since even orders leave signs undetermined.
func (p *projection) turn(k int, found [][]float64) {
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
	}
}

// stretch scales each column to the length and sign at which it is closest to the
// observations in its direction.
func stretch(columns [][]float64, rows *mat.Dense) {
	for j, l := range lengths(columns, rows) {
		if norm := math.Sqrt(dot(columns[j], columns[j])); norm > 0 {
			scale(l/norm, columns[j])
		}
	}
}

// lengths returns, for each column, the mean inner product of its unit vector with
// the observations for which that product is the largest in absolute value of all
// columns: the length at which the column is closest to them. A column without
// observations gets the mean length of the others.
func lengths(columns [][]float64, rows *mat.Dense) []float64 {
	norms := make([]float64, len(columns))
	for j, c := range columns {
		if norms[j] = math.Sqrt(dot(c, c)); norms[j] == 0 {
			norms[j] = 1
		}
	}
	sum, count := make([]float64, len(columns)), make([]float64, len(columns))
	p, _ := rows.Dims()
	for l := range p {
		v, best, at := rows.RawRowView(l), 0.0, -1
		for j, c := range columns {
			if x := dot(c, v) / norms[j]; math.Abs(x) > math.Abs(best) {
				best, at = x, j
			}
		}
		if at >= 0 {
			sum[at] += best
			count[at]++
		}
	}
	mean, with := 0.0, 0.0
	for j := range sum {
		if count[j] > 0 {
			sum[j] /= count[j]
			mean += math.Abs(sum[j])
			with++
		}
	}
	for j := range sum {
		if count[j] == 0 && with > 0 {
			sum[j] = mean / with
		}
	}
	return sum
}

// assign finds the positions of the observations and, if no labels were given, the
// mean nearest to each.
func (p *projection) assign() {
	means := p.truth
	noun := "mean"
	if means == nil {
		means, noun = p.found[0], "recovered mean"
	}
	named := len(means)
	for _, l := range p.label {
		named = max(named, l+1)
	}
	p.names, p.rest = namesOf(p.o.Names, named, noun), "no component"
	p.means = p.names
	if p.groups != nil {
		p.names, p.rest = p.groups.Names, p.groups.Rest
	}
	if p.rows == nil {
		return
	}
	count, _ := p.rows.Dims()
	for l := range count {
		v := p.rows.RawRowView(l)
		p.points = append(p.points, p.plane.at(v))
		if p.known {
			continue
		}
		best, at := math.Inf(1), -1
		for j, m := range means {
			d := 0.0
			for i := range m {
				d += (v[i] - m[i]) * (v[i] - m[i])
			}
			if d < best {
				best, at = d, j
			}
		}
		p.label = append(p.label, at)
	}
}

func unitNorm(columns [][]float64) bool {
	for _, c := range columns {
		if math.Abs(math.Sqrt(dot(c, c))-1) > 1e-6 {
			return false
		}
	}
	return true
}

func scale(a float64, v []float64) {
	for i := range v {
		v[i] *= a
	}
}
