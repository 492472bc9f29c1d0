package charts

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/box"
	"symmom/charts/internal/chartjson"
	"symmom/charts/internal/principal"
	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Plane projects n variables to the two dimensions of a page. Give the same plane
// to several charts, and a point is at the same place in all of them.
type Plane struct {
	X, Y []float64 // a vector of length n each; the coordinates of v are X'v and Y'v
	Name string    // for captions: "a random plane (seed 1)"

	XName, YName string // of the axes; default "first coordinate" and "second coordinate"

	apart bool // the axes have units of their own
}

// RandomPlane is the paper's projection (figure gmm-picture): two vectors of
// independent standard normal numbers. Seed 0 stands for 1.
func RandomPlane(n int, seed uint64) *Plane {
	if seed == 0 {
		seed = symmom.DefaultSeed
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	p := &Plane{Name: fmt.Sprintf("a random plane (seed %d)", seed)}
	for range n {
		p.X = append(p.X, rng.NormFloat64())
		p.Y = append(p.Y, rng.NormFloat64())
	}
	return p
}

// PrincipalPlane is the plane of the two leading principal components of the
// observations, the rows of a p x n matrix, around their mean, the one in which
// they spread most; its axes are named with their shares of the variance. X and Y have unit norm, and their largest entries are positive.
// O(p n) per step of orthogonal iteration, at most 100 steps.
func PrincipalPlane(observations mat.Matrix) (*Plane, error) {
	if linalg.IsNil(observations) {
		return nil, errors.New("charts: plane: the observations are nil")
	}
	return principalPlane(observations, nil)
}

// principalPlane is PrincipalPlane of observations with weights; nil: all equal.
func principalPlane(observations mat.Matrix, nu []float64) (*Plane, error) {
	if p, n := observations.Dims(); p < 2 || n < 2 {
		return nil, fmt.Errorf("charts: plane: got %d x %d observations, want at least 2 of 2 variables", p, n)
	}
	x, y, shares, err := principal.Plane(observations, nu, symmom.DefaultSeed)
	if err != nil {
		return nil, fmt.Errorf("charts: plane: %w", err)
	}
	p := &Plane{X: x, Y: y, Name: "the plane of the two leading principal components"}
	p.XName, p.YName = fmt.Sprintf("PC1 (%s)", words.Percent(shares[0])), fmt.Sprintf("PC2 (%s)", words.Percent(shares[1]))
	return p, nil
}

// VariablePlane is the plane of two of n variables, counted from 0. The names are
// for axes and captions.
func VariablePlane(n, x, y int, names ...string) (*Plane, error) {
	if x < 0 || x >= n || y < 0 || y >= n || x == y {
		return nil, fmt.Errorf("charts: plane: variables %d and %d, want two different ones of 0 to %d", x, y, n-1)
	}
	p := &Plane{X: make([]float64, n), Y: make([]float64, n), Name: fmt.Sprintf("variables %d and %d", x+1, y+1)}
	p.X[x], p.Y[y] = 1, 1
	p.XName, p.YName = fmt.Sprintf("variable %d", x+1), fmt.Sprintf("variable %d", y+1)
	if len(names) == 2 {
		p.XName, p.YName = names[0], names[1]
		p.Name = "the plane of " + names[0] + " and " + names[1]
	}
	return p, nil
}

// check returns an error unless the plane is one of n variables.
func (p *Plane) check(n int) error {
	if len(p.X) != n || len(p.Y) != n {
		return fmt.Errorf("the plane has vectors of %d and %d variables, want %d", len(p.X), len(p.Y), n)
	}
	return nil
}

// at returns the coordinates of v in the plane.
func (p *Plane) at(v []float64) [2]float64 { return [2]float64{dot(p.X, v), dot(p.Y, v)} }

// axes returns the axes of a chart of the plane, which end with b. They have a common unit
// unless one would then be a thin strip.
func (p *Plane) axes(b box.Box) (x opts.XAxis, y opts.YAxis, plane scaling.Plane) {
	plane = scaling.OfBox(b.Lo, b.Hi)
	same := !p.apart && b.Spans() <= mostSpans
	if same {
		plane = plane.Alike()
	}
	x = plane[0].X(xNamed(orDefault(p.XName, "first coordinate"), "value", scripts.ShortNumber))
	y = plane[1].Y(yNamed(orDefault(p.YName, "second coordinate"), "value", scripts.ShortNumber))
	lo, hi := plane.At(b.Lo), plane.At(b.Hi)
	x.Min, x.Max, x.Scale = lo[0], hi[0], opts.Bool(true)
	y.Min, y.Max = lo[1], hi[1]
	for _, l := range []*opts.AxisLabel{x.AxisLabel, y.AxisLabel} {
		inner(l)
		if same {
			l.Formatter = opts.FuncOpts(scripts.SameUnit(chartjson.Source(l.Formatter)))
		}
	}
	return x, y, plane
}

// mostSpans is how much longer one axis of a plane may be than the other in a common unit.
const mostSpans = 8

// heightOf returns the height of a chart alone that shows b with a common unit.
func heightOf(b box.Box) int {
	const width, around, least, most = 810, 90, 360, 600
	return int(max(least, min(most, around+width*(b.Hi[1]-b.Lo[1])/(b.Hi[0]-b.Lo[0]))))
}

// unitNote says that the axes have no common unit.
func unitNote(b box.Box) []string {
	if b.Spans() <= mostSpans {
		return nil
	}
	return []string{fmt.Sprintf("The axes have units of different length: one coordinate spans %s times as much as the other.", words.Count(int(math.Round(b.Spans()))))}
}
