package charts

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/groups"
	"symmom/charts/internal/lengths"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
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
	nu     []float64  // their weights; nil: all equal, or on disk
	mean   []float64  // of them
	total  int        // number of observations
	points [][2]float64
	label  [][]int // of each panel: the component of each observation, -1: none
	colors [][]int // of each panel: numbers of the components' colours
	known  bool    // the labels were given
	groups *groups.Groups

	truth     [][]float64 // nil if there is no truth
	found     [][][]float64
	signed    bool    // the signs of found are known, as those of an odd order are
	weighted  bool    // the observations have weights
	stretched bool    // scaled to the length of the data
	astray    [][]int // of each panel, the found columns that are no means, see place
}

func newProjection(panels []Recovered, truth mat.Matrix, signed bool, o RecoveryOptions) (*projection, error) {
	if len(panels) == 0 {
		return nil, errors.New("give at least one panel")
	}
	p := &projection{o: o, panels: panels, signed: signed}
	n, _ := linalg.Dims(truth)
	for i, panel := range panels {
		if linalg.IsNil(panel.Factors) && !linalg.IsNil(truth) {
			p.found = append(p.found, nil)
			continue
		}
		if linalg.IsNil(panel.Factors) {
			return nil, fmt.Errorf("panel %d has no factors, and there is no truth", i+1)
		}
		rows, cols := panel.Factors.Dims()
		if i == 0 && linalg.IsNil(truth) {
			n = rows
		}
		if cols < 1 || rows < 2 {
			return nil, fmt.Errorf("panel %d has factors of %d x %d, want a column or more of at least 2 variables", i+1, rows, cols)
		}
		if rows != n {
			if !linalg.IsNil(truth) {
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
	if !linalg.IsNil(truth) {
		p.truth = columns(truth)
		if !linalg.Finite(largest(p.truth...)) {
			return nil, &symmom.ArgumentError{Argument: "truth", Value: "a matrix that is not finite", Want: "finite numbers"}
		}
	}
	if err := p.draw(n); err != nil {
		return nil, err
	}
	if p.rows != nil { // lengths and distances are compared by their squares
		if size := largest(p.rows.RawMatrix().Data); size > 0 && (size < 1e-150 || size > 1e150) {
			return nil, fmt.Errorf("the observations, up to %.3g, cannot be squared: multiply or divide the data by a constant", size)
		}
	}
	if err := p.choosePlane(n); err != nil {
		return nil, err
	}
	p.arrange()
	p.color()
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
		limit = max(100, 3000/max(2, len(p.panels)))
	}
	rows, index, err := s.Subsample(limit, p.o.Seed)
	if err != nil {
		return err
	}
	p.rows, p.total, p.nu = rows, s.Observations(), groups.Weights(s, index)
	p.mean, p.weighted = lengths.Mean(rows, p.nu), s.Weighted()
	if given := p.o.Labels; given != nil {
		if len(given) != p.total {
			return fmt.Errorf("got %s for %s", words.Plural(len(given), "label"), words.Plural(p.total, "observation"))
		}
		var label []int
		for _, l := range index {
			if given[l] < -1 || given[l] >= mostLabels {
				return fmt.Errorf("observation %d has the label %d, want them from 0 to %d, or -1 for none", l+1, given[l], mostLabels-1)
			}
			label = append(label, given[l])
		}
		p.known, p.label = true, slices.Repeat([][]int{label}, len(p.panels))
	} else if p.groups = groups.Of(s, index); p.groups != nil {
		p.known, p.label = true, slices.Repeat([][]int{p.groups.Of}, len(p.panels))
	}
	return nil
}

// mostLabels is how many groups LoadOptions.Labels may name.
const mostLabels = 1000

func (p *projection) choosePlane(n int) (err error) {
	switch {
	case p.o.Plane != nil:
		p.plane = p.o.Plane
		return p.plane.check(n)
	case p.o.Principal && p.rows != nil:
		p.plane, err = principalPlane(p.rows, p.nu)
	case p.o.Principal:
		err = errors.New("the principal plane is that of observations, and there are none: set Observations")
	default:
		p.plane = RandomPlane(n, p.o.Seed)
	}
	return err
}

// assign finds the positions of the observations and, if no labels were given, the
// mean nearest to each: of the truth or, without one, of each panel.
func (p *projection) assign() {
	means, noun := slices.Repeat([][][]float64{p.truth}, len(p.panels)), "mean"
	switch {
	case p.truth == nil:
		means, noun = p.found, p.nouns().found
	case p.o.Axes:
		noun = p.nouns().truth
	}
	named := 0
	for k := range means {
		named = max(named, len(means[k]))
		if p.known {
			named = max(named, slices.Max(p.label[k])+1)
		}
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
		p.points = append(p.points, p.plane.at(p.rows.RawRowView(l)))
	}
	for k := 0; k < len(means) && !p.known; k++ {
		label := make([]int, count)
		if k > 0 && p.truth != nil {
			label = p.label[0]
		} else {
			for l := range label {
				label[l] = p.nearest(means[k], p.rows.RawRowView(l))
			}
		}
		p.label = append(p.label, label)
	}
}

// color numbers the colours of each panel's observations. Those of the nearest recovered means
// have one colour for what is alike in several panels.
func (p *projection) color() {
	like := p.found[len(p.found)-1]
	if p.o.like != nil {
		like = columns(p.o.like)
	}
	for _, c := range p.found {
		if p.truth != nil || p.known {
			p.colors = append(p.colors, nil)
			continue
		}
		alike := make([]float64, 0, len(c)*len(like))
		for _, a := range c {
			for _, b := range like {
				norms := math.Sqrt(dot(a, a)) * math.Sqrt(dot(b, b))
				alike = append(alike, math.Abs(dot(a, b))/max(norms, math.SmallestNonzeroFloat64))
			}
		}
		p.colors = append(p.colors, groups.Matched(alike, len(c), len(like)))
	}
}

// nearest returns which mean, or which axis, is the nearest to v.
func (p *projection) nearest(means [][]float64, v []float64) int {
	if p.o.Axes {
		v = slices.Clone(v)
		floats.Sub(v, p.mean)
	}
	best, at := math.Inf(1), -1
	for j, m := range means {
		along := 1.0
		if squares := dot(m, m); p.o.Axes && squares > 0 {
			along = dot(m, v) / squares
		}
		d := 0.0
		for i := range m {
			d += (v[i] - along*m[i]) * (v[i] - along*m[i])
		}
		if d < best {
			best, at = d, j
		}
	}
	return at
}

func unitNorm(columns [][]float64) bool {
	return !slices.ContainsFunc(columns, func(c []float64) bool { return math.Abs(math.Sqrt(dot(c, c))-1) > 1e-6 })
}

func scale(a float64, v []float64) {
	for i := range v {
		v[i] *= a
	}
}
