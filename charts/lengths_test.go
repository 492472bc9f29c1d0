package charts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/lengths"
	"symmom/symmom"
)

// clusters returns count observations around each mean, a row each.
func clusters(rng *rand.Rand, count int, sigma float64, means ...[]float64) *mat.Dense {
	x := mat.NewDense(count*len(means), len(means[0]), nil)
	x.Apply(func(l, i int, _ float64) float64 { return means[l%len(means)][i] + sigma*rng.NormFloat64() }, x)
	return x
}

// near reports whether two points are within a distance.
func near(a []float64, b [2]float64, within float64) bool {
	return math.Hypot(a[0]-b[0], a[1]-b[1]) <= within
}

// A model of one component does not describe the second cluster, which lies across it;
// the recovered mean is that of the first all the same, on whichever side it lies.
func TestRecoveredMeanIsWhereItsObservationsAre(t *testing.T) {
	first, second := []float64{3, 2, 0, -1}, []float64{.3, -.4, .9, .2} // inner product .1 - ..., nearly 0
	for _, order := range []int{3, 4} {
		for _, sign := range []float64{1, -1} {
			mean := slices.Clone(first)
			scale(sign, mean)
			x := clusters(rand.New(rand.NewPCG(3, 0)), 400, .2, mean, second)
			fit := symmom.FromMatrix(x).Moment(order).With(symmom.Options{Starts: 3}).Decompose(1)
			plane := axes(4, 0, 1)
			got := chartsOf(t, Recovery(fit, nil, RecoveryOptions{Plane: plane}))[0].series("found")[0]
			// the mean of 400 observations is accurate to .2 / 20 in each coordinate; the
			// second cluster turns the component by about (|second| / |first|)^(d-1), 7%
			// of the moment, at most
			if want := plane.at(mean); !near(got, want, .1) {
				t.Errorf("order %d: the recovered mean is at %.3f, want the mean of its cluster, %.3f", order, got, want)
			}
		}
	}
}

// Observations that hardly count do not move a mean, nor the principal plane.
func TestRecoveryWeighsTheObservations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	means := [][]float64{{1, .5, 0, -1}, {0, -1, 1.2, .3}}
	x := clusters(rng, 100, .1, means...)
	var all mat.Dense
	far := mat.DenseCopyOf(x.Slice(0, 50, 0, 4))
	far.Scale(8, far)
	all.Stack(x, far)
	nu := make([]float64, 250)
	for l := range nu {
		if nu[l] = 1; l >= 200 {
			nu[l] = 1e-4
		}
	}
	s := symmom.FromMatrix(&all).WithWeights(nu)
	fit := s.Moment(3).With(symmom.Options{Starts: 3}).Decompose(2)
	plane := axes(4, 0, 2)
	for name, options := range map[string]RecoveryOptions{"the fit's": {Plane: plane}, "given": {Plane: plane, Observations: s}} {
		f := Recovery(fit, nil, options)
		o := chartsOf(t, f)[0]
		for _, m := range means {
			want, found := plane.at(m), false
			for _, got := range o.series("found") {
				found = found || near(got, want, .06) // sigma / 10, and what 50 distant observations of weight 1e-4 do
			}
			if !found {
				t.Errorf("%s observations: recovered means at %v, want one at %.3f", name, o.series("found"), want)
			}
		}
		if notes := strings.Join(f.Notes, " "); !strings.Contains(notes, unweighted) || !strings.Contains(notes, "by their weights") {
			t.Errorf("notes %q", f.Notes)
		}
	}

	// the leading eigenvectors of the weighted covariance matrix
	mean, cov, total := make([]float64, 4), mat.NewSymDense(4, nil), 0.0
	for l := range nu {
		total += nu[l]
		for i := range mean {
			mean[i] += nu[l] * all.At(l, i)
		}
	}
	for l := range nu {
		d := make([]float64, 4)
		for i := range d {
			d[i] = all.At(l, i) - mean[i]/total
		}
		cov.SymRankOne(cov, nu[l], mat.NewVecDense(4, d))
	}
	var eigen mat.EigenSym
	var vectors mat.Dense
	if !eigen.Factorize(cov, true) {
		t.Fatal("eigenvalues")
	}
	eigen.VectorsTo(&vectors)
	shown := FitOptions{}
	if _, err := drawFor(s, &shown); err != nil {
		t.Fatal(err)
	}
	p, err := principalPlane(&all, nu)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range [][]float64{p.X, p.Y, shown.Plane.X, shown.Plane.Y} {
		// the iteration ends as in TestPrincipalPlane
		if c := math.Abs(dot(v, mat.Col(nil, 3-k%2, &vectors))); !(math.Abs(c-1) <= 1e-4) {
			t.Errorf("vector %d has the cosine %g with the eigenvector", k, c)
		}
	}
	if got := shown.Observations.Weights(); len(got) != 250 || !(math.Abs(got[249]/got[0]-1e-4) <= 1e-16) {
		t.Error("the observations that a report draws lost their weights")
	}
}

// The components of a cumulant are axes through the mean of the observations.
func TestRecoveryOfACumulantDrawsAxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	mixing := mat.NewDense(4, 4, nil)
	mixing.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, mixing)
	sources := mat.NewDense(1500, 4, nil)
	sources.Apply(func(_, _ int, _ float64) float64 { return 2*rng.Float64() - 1 }, sources)
	var x mat.Dense
	x.Mul(sources, mixing.T())
	for l := range 1500 {
		row := x.RawRowView(l)
		for i := range row {
			row[i] += 20 // far from the origin
		}
	}
	s := symmom.FromMatrix(&x)
	fit := s.Cumulant(4).With(symmom.Options{Starts: 5}).Decompose(4)
	plane := axes(4, 0, 2)
	f := Recovery(fit, mixing, RecoveryOptions{Plane: plane, Observations: s, Points: 1500})
	o := chartsOf(t, f)[0]
	mean := lengths.Mean(&x, nil)
	a := fit.Model.Factors

	// each observation belongs to the component with the largest product
	length, count := make([]float64, 4), make([]float64, 4)
	for l := range 1500 {
		best, at := 0.0, 0
		for j := range 4 {
			product := 0.0
			for i := range 4 {
				product += a.At(i, j) * (x.At(l, i) - mean[i])
			}
			if math.Abs(product) > best {
				best, at = math.Abs(product), j
			}
		}
		length[at], count[at] = length[at]+best, count[at]+1
	}
	m := plane.at(mean)
	found := o.series("found")
	for j := range 4 {
		axis := plane.at(mat.Col(nil, j, a))
		l := length[j] / count[j]
		// coordinates are about 20, with six digits
		for k, sign := range []float64{1, -1} {
			want := [2]float64{m[0] + sign*l*axis[0], m[1] + sign*l*axis[1]}
			if !near(found[2*j+k], want, 1e-3) || !near(o.series(fmt.Sprintf("axis-%d", j))[k], want, 1e-3) {
				t.Errorf("component %d ends at %v, want %.4f", j+1, found[2*j+k], want)
			}
		}
		// a true component is matched to a few per cent by 1500 observations
		truth, close := o.series(fmt.Sprintf("truth-%d", j)), false
		for _, at := range found {
			close = close || near(at, [2]float64{truth[0][0], truth[0][1]}, .35)
		}
		if len(truth) != 2 || !close {
			t.Errorf("true component %d at %v, far from %v", j+1, truth, found)
		}
	}
	if strings.Contains(f.Caption+f.Title+f.String(), "recovered mean") || strings.Contains(f.Title, "means") || !strings.Contains(f.Caption, "axis through the mean") {
		t.Errorf("%q: %q", f, f.Caption)
	}
	grid := RecoveryGrid(s.Cumulant(4).With(symmom.Options{Starts: 2}).Sweep(1, 2), nil, RecoveryOptions{Observations: s})
	if got := chartsOf(t, grid)[1].series("found"); len(got) != 4 || !strings.Contains(grid.Caption, "nearest component") {
		t.Errorf("the grid has %d ends of 2 axes, %q", len(got), grid.Caption)
	}
}

// Three means of sum 0 span two directions, in which an odd order has a model of other
// components: the page must not pass them for means.
func TestRecoveryNamesComponentsThatAreNoMeans(t *testing.T) {
	x := clusters(rand.New(rand.NewPCG(9, 0)), 100, .05, []float64{4, 0, 0}, []float64{0, 2, 0}, []float64{1, 1, 1})
	s := symmom.FromMatrix(x)
	for _, c := range []struct {
		s       *symmom.Session
		rank    int
		strayed bool
	}{{s, 3, false}, {s.Center(), 3, true}} {
		fit := c.s.Moment(3).With(symmom.Options{Starts: 5, Seed: 2}).Decompose(c.rank)
		f := Recovery(fit, nil)
		if f.Err() != nil || strings.Contains(strings.Join(f.Notes, " "), "Directions rather than means") != c.strayed {
			t.Errorf("%v: %v, notes %q", c.s, f.Err(), f.Notes)
		}
	}
}

// The chart near the means shows what lies around them even if they lie in a line or
// in one point, in any unit, and says what it leaves out.
func TestTheChartNearTheMeansShowsTheObservations(t *testing.T) {
	for _, unit := range []float64{1e-3, 1, 1e5} {
		x := clusters(rand.New(rand.NewPCG(11, 0)), 300, .2*unit, []float64{-3 * unit, unit / 2, 0}, []float64{3 * unit, unit / 2, 0})
		x.SetRow(0, []float64{40 * unit, -30 * unit, 0})
		for _, found := range []*mat.Dense{mat.NewDense(3, 2, []float64{-3 * unit, 3 * unit, unit / 2, unit / 2, 0, 0}), mat.NewDense(3, 1, []float64{3 * unit, unit / 2, 0})} {
			f := RecoveryOf([]Recovered{{"", found}, {"", found}}, nil, RecoveryOptions{Observations: symmom.FromMatrix(x), Plane: axes(3, 0, 1)})
			o := chartsOf(t, f)[0]
			drawn := 0
			for _, s := range o.Series {
				if strings.HasPrefix(s.ID, "data-") {
					drawn += o.within(o.series(s.ID))
				}
			}
			height := o.YAxis[0].Max.(float64) - o.YAxis[0].Min.(float64)
			_, r := found.Dims()
			// 600 observations spread by .2 reach to about .65 on either side; the distant
			// one raises their root mean square distance by 2
			if least := 297 * r; drawn < least || drawn == 600 || height < 1.2*unit || height > 20*unit {
				t.Errorf("unit %g, %d means: %d of 600 observations in a box %g high", unit, r, drawn, height)
			}
			if want := fmt.Sprintf("Outside these panels, which show the part near the means: up to %d of the 600 observations drawn.", 600-drawn); !slices.Contains(f.Notes, want) {
				t.Errorf("notes %q, want %q", f.Notes, want)
			}
		}
	}
}

// An odd order knows the sign of a component: it points to the few distant observations
// and not to the many near ones behind the origin, whose products have the larger sum.
func TestRecoveredMeanOfAnOddOrderKeepsItsSign(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	var x mat.Dense
	x.Stack(clusters(rng, 40, .1, []float64{3, 0, 0}), clusters(rng, 360, .1, []float64{-.6, 0, 0}))
	fit := symmom.FromMatrix(&x).Moment(3).With(symmom.Options{Starts: 3}).Decompose(1)
	got := chartsOf(t, Recovery(fit, nil, RecoveryOptions{Plane: axes(3, 0, 1)}))[0].series("found")[0]
	if !near(got, [2]float64{3, 0}, .05) { // three times .1 / sqrt(40)
		t.Errorf("the recovered mean is at %v, want (3, 0)", got)
	}
}
