package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/symmom"
)

// threeClusters returns three clusters in four dimensions: two points each, at c +-
// e.
func threeClusters() (s *symmom.Session, truth *mat.Dense, labels []int) {
	truth = mat.NewDense(4, 3, []float64{
		1, 0, 0,
		0, 1, 0,
		0, 0, 1,
		0, 0, 0})
	var rows [][]float64
	for j := range 3 {
		for _, e := range []float64{-.1, .1} {
			v := mat.Col(nil, j, truth)
			v[3] = e
			rows, labels = append(rows, v), append(labels, j)
		}
	}
	return symmom.FromRows(rows), truth, labels
}

// axes returns the plane of the variables a and b of n.
func axes(n, a, b int) *Plane {
	p := &Plane{X: make([]float64, n), Y: make([]float64, n), Name: "two variables"}
	p.X[a], p.Y[b] = 1, 1
	return p
}

func TestRecoveryPlacesMarksWhereTheyBelong(t *testing.T) {
	s, truth, labels := threeClusters()
	found := mat.NewDense(4, 2, []float64{
		0, 1,
		-1, 0, // of an even order: the sign is undetermined
		0, 0,
		0, 0})
	f := RecoveryOf([]Recovered{{"rank 2", found}}, truth, RecoveryOptions{
		Observations: s, Labels: labels, Plane: axes(4, 0, 3), Names: []string{"a", hostile},
	})
	o := chartsOf(t, f)
	if len(o) != 1 {
		t.Fatalf("%d charts; all observations are near the means, so want one", len(o))
	}
	for j := range 3 {
		x := 0.
		if j == 0 {
			x = 1
		}
		if got := o[0].series(fmt.Sprintf("data-%d", j)); len(got) != 2 || !slices.Equal(got[0], []float64{x, -.1}) || !slices.Equal(got[1], []float64{x, .1}) {
			t.Errorf("observations of component %d at %v, want (%g, -.1) and (%g, .1)", j, got, x, x)
		}
		if got := o[0].series(fmt.Sprintf("truth-%d", j)); len(got) != 1 || !slices.Equal(got[0], []float64{x, 0}) {
			t.Errorf("true mean %d at %v, want (%g, 0)", j, got, x)
		}
	}
	if got := o[0].series("found"); len(got) != 2 || got[0][0] != 0 || !slices.Equal(got[1], []float64{1, 0}) {
		t.Errorf("recovered means at %v, want (0, 0) and (1, 0)", got)
	}
	if want := []string{"true mean", "recovered mean", "a", hostile, "mean 3"}; !slices.Equal(o[0].Legend.Data, want) {
		t.Errorf("legend %q, want %q", o[0].Legend.Data, want)
	}
	if !strings.Contains(f.Caption, "two variables") || !strings.Contains(f.Caption, "components that the observations are of") {
		t.Errorf("caption %q", f.Caption)
	}
	for i, v := range []any{o[0].XAxis[0].Min, o[0].XAxis[0].Max, o[0].YAxis[0].Min, o[0].YAxis[0].Max} {
		if x := v.(float64); i == 0 && x > 0 || i == 1 && x < 1 || i == 2 && x > -.1 || i == 3 && x < .1 {
			t.Errorf("axis end %d is %g", i, x)
		}
	}

	// the sign of the second variable's mean, in its own plane
	side := chartsOf(t, RecoveryOf([]Recovered{{"rank 2", found}}, truth, RecoveryOptions{Plane: axes(4, 1, 3)}))
	if got := side[0].series("found"); got[0][0] != 1 {
		t.Errorf("the recovered mean with the other sign is at %v, want it turned to 1", got[0])
	}
}

func (p *Plane) matrix() *mat.Dense { return mat.NewDense(len(p.X), 1, p.X) }

// The data alone, before any fit: the paper's figure gmm-picture.
func TestRecoveryWithoutAFit(t *testing.T) {
	s, truth, labels := threeClusters()
	f := RecoveryOf([]Recovered{{}}, truth, RecoveryOptions{Observations: s, Labels: labels, Plane: axes(4, 0, 3)})
	o := chartsOf(t, f)
	if o[0].series("found") != nil || len(o[0].series("truth-2")) != 1 || len(o[0].series("data-2")) != 2 || slices.Contains(o[0].Legend.Data, "recovered mean") {
		t.Errorf("%+v", o[0].Legend)
	}
	if !strings.HasPrefix(f.Caption, "Observations and true means, ") || strings.Contains(f.Caption, "circle") {
		t.Errorf("caption %q", f.Caption)
	}
}

func TestRecoveryAssignsTheNearestMean(t *testing.T) {
	s, truth, _ := threeClusters()
	fit := s.Moment(3).With(symmom.Options{Starts: 2}).Decompose(3)
	if fit.Err() != nil {
		t.Fatal(fit.Err())
	}
	f := Recovery(fit, truth)
	o := chartsOf(t, f)
	plane := RandomPlane(4, 1)
	v := s.Matrix()
	for j := range 3 { // the observations are in the order of the components
		got := o[0].series(fmt.Sprintf("data-%d", j))
		if len(got) != 2 {
			t.Fatalf("component %d has %d observations, want 2", j, len(got))
		}
		for i, p := range got {
			row := v.RawRowView(2*j + i)
			x, y := 0., 0.
			for k := range row {
				x, y = x+plane.X[k]*row[k], y+plane.Y[k]*row[k]
			}
			// coordinates have six digits
			if !(math.Abs(p[0]-x) <= 1e-5*math.Abs(x)) || !(math.Abs(p[1]-y) <= 1e-5*math.Abs(y)) {
				t.Errorf("observation %d of component %d at %v, want (%g, %g)", i, j, p, x, y)
			}
		}
	}
	if !strings.Contains(f.Caption, "random plane (seed 1)") || !strings.Contains(f.Caption, "nearest true mean") {
		t.Errorf("caption %q", f.Caption)
	}
	alone := Recovery(fit, nil)
	if alone.Err() != nil || !strings.Contains(alone.Caption, "nearest recovered mean") || chartsOf(t, alone)[0].series("truth-0") != nil {
		t.Errorf("without a truth: %v, %q", alone.Err(), alone.Caption)
	}
	if far := chartsOf(t, Recovery(fit, truth, RecoveryOptions{Seed: 2})); slices.Equal(far[0].series("found")[0], o[0].series("found")[0]) {
		t.Error("another seed gives the same plane")
	}
}

// Data in a different unit: means of unit norm are drawn at the length of the data.
func TestRecoveryInTheUnitOfTheData(t *testing.T) {
	s, truth, _ := threeClusters()
	big := s.Matrix()
	big.Dense.Scale(40, big.Dense)
	f := RecoveryOf([]Recovered{{"r", truth}}, truth, RecoveryOptions{Observations: symmom.FromMatrix(big), Plane: axes(4, 0, 1)})
	o := chartsOf(t, f)
	for _, id := range []string{"truth-0", "found"} {
		if got := o[0].series(id)[0]; !slices.Equal(got, []float64{40, 0}) {
			t.Errorf("%s at %v, want (40, 0), the centre of the observations", id, got)
		}
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "unit norm") {
		t.Errorf("notes %q", f.Notes)
	}
	// a truth in the unit of the data is not scaled
	real := mat.NewDense(4, 3, nil)
	real.Scale(39, truth)
	o = chartsOf(t, RecoveryOf([]Recovered{{"r", truth}}, real, RecoveryOptions{Observations: symmom.FromMatrix(big), Plane: axes(4, 0, 1)}))
	if a, b := o[0].series("truth-0")[0][0], o[0].series("found")[0][0]; a != 39 || b != 40 {
		t.Errorf("true mean at %g, found at %g, want 39 and 40", a, b)
	}
}

func TestRecoveryGridSharesTheView(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 30, Components: 3, PerComponent: 2000, Sigma: .1, Congruence: .3})
	f := RecoveryGrid(m.Session.Moment(3).With(symmom.Options{Starts: 2}).Sweep(2, 4), m.Means, RecoveryOptions{Labels: m.Labels, Points: 900})
	o := chartsOf(t, f)
	if len(o) != 3 {
		t.Fatalf("%d panels", len(o))
	}
	for k := range o {
		if o[k].Title.Text != fmt.Sprintf("rank %d", k+2) || len(o[k].series("found")) != k+2 {
			t.Errorf("panel %d: %q with %d means", k, o[k].Title.Text, len(o[k].series("found")))
		}
		if o[k].XAxis[0].Min != o[0].XAxis[0].Min || o[k].YAxis[0].Max != o[0].YAxis[0].Max || !slices.Equal(o[k].series("truth-1")[0], o[0].series("truth-1")[0]) {
			t.Errorf("panel %d shows another part of the plane", k)
		}
		if want := []string{"true mean", "recovered mean"}; !slices.Equal(o[k].Legend.Data, want) {
			t.Errorf("legend %q", o[k].Legend.Data)
		}
		n := 0
		for j := range 3 {
			n += o[k].within(o[k].series(fmt.Sprintf("data-%d", j)))
		}
		if n == 0 || n > 900 {
			t.Errorf("panel %d has %d observations, want some of 900", k, n)
		}
	}
	n := 0
	for j := range 3 {
		n += o[0].within(o[0].series(fmt.Sprintf("data-%d", j)))
	}
	for i, want := range []string{"900 of the 6,000 observations are drawn, chosen at random evenly over the table.",
		fmt.Sprintf("Outside these panels, which show the part near the means: up to %d of the 900 observations drawn.", 900-n),
		"Directions rather than means, as the observations that point their way have their mean elsewhere: component 4 of rank 4."} {
		if len(f.Notes) != 3 || f.Notes[i] != want {
			t.Errorf("notes %q, want %q", f.Notes, want)
		}
	}
}

func TestRecoveryErrors(t *testing.T) {
	s, truth, labels := threeClusters()
	fit := s.Moment(3).With(symmom.Options{Starts: 1}).Decompose(2)
	wantError(t, Recovery(nil, truth), "fit 1", "nil")
	wantError(t, Recovery(symmom.Load("no such file").Moment(3).Decompose(2), truth), "no such file")
	wantError(t, RecoveryGrid(nil, truth), "the sweep is nil")
	wantError(t, RecoveryGrid(&symmom.Sweep{}, truth), "no results")
	wantError(t, RecoveryGrid(symmom.Load("no such file").Moment(3).Sweep(1, 2), truth), "no such file")
	wantError(t, RecoveryOf([]Recovered{{"", truth}, {"", axes(3, 0, 1).matrix()}}, nil, RecoveryOptions{}), "panel 2", "want 4")
	wantError(t, Recovery(fit, truth, RecoveryOptions{}, RecoveryOptions{}), "at most one")
	wantError(t, Recovery(fit, truth.T()), "truth", "want 4 rows")
	wantError(t, Recovery(fit, truth, RecoveryOptions{Labels: labels[1:]}), "5 labels for 6 observations")
	wantError(t, Recovery(fit, truth, RecoveryOptions{Labels: []int{0, 0, -2, 1, 1, 1}}), "observation 3", "-2")
	wantError(t, Recovery(fit, truth, RecoveryOptions{Labels: []int{0, 0, 2_000_000_000, 1, 1, 1}}), "observation 3", "2000000000", "0 to 999") // names for as many would end the process
	wantError(t, Recovery(fit, truth, RecoveryOptions{Plane: axes(3, 0, 1)}), "3 and 3 variables, want 4")
	wantError(t, Recovery(fit, truth, RecoveryOptions{Observations: datasets.Uniform(3, 9, 1)}), "3 variables", "4")
	wantError(t, RecoveryOf([]Recovered{{"", fit.Model.Factors}}, truth, RecoveryOptions{Principal: true}), "set Observations")
	wantError(t, RecoveryOf(nil, truth, RecoveryOptions{}), "at least one panel")
	wantError(t, RecoveryOf([]Recovered{{"", nil}}, nil, RecoveryOptions{}), "panel 1")
	wantError(t, RecoveryOf([]Recovered{{"", mat.NewDense(1, 1, nil)}}, nil, RecoveryOptions{}), "at least 2 variables")
	bad := mat.DenseCopyOf(truth)
	bad.Set(0, 0, math.NaN())
	wantError(t, RecoveryOf([]Recovered{{"", bad}}, nil, RecoveryOptions{}), "not finite")
	wantError(t, Recovery(fit, bad), "truth", "finite")
}

// The principal plane is spanned by the leading eigenvectors of the covariance
// matrix.
func TestPrincipalPlane(t *testing.T) {
	x := datasets.GaussianMixture(datasets.MixtureOptions{N: 12, Components: 3, PerComponent: 40, Sigma: .2, Congruence: .2}).Session.Matrix()
	p, err := PrincipalPlane(x)
	if err != nil {
		t.Fatal(err)
	}
	rows, n := x.Dims()
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			si, sj, sij := 0., 0., 0.
			for l := range rows {
				si, sj, sij = si+x.At(l, i), sj+x.At(l, j), sij+x.At(l, i)*x.At(l, j)
			}
			cov.SetSym(i, j, sij/float64(rows)-si*sj/float64(rows*rows))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		t.Fatal("eigenvalues")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k, v := range [][]float64{p.X, p.Y} {
		want := mat.Col(nil, n-1-k, &vectors)
		// the iteration ends when singular values settle to 1e-9; vectors are then
		// accurate to the square root of that
		if c := math.Abs(dot(v, want)); !(math.Abs(c-1) <= 1e-4) || !(math.Abs(dot(v, v)-1) <= 1e-12) {
			t.Errorf("component %d: cosine %g with the eigenvector, norm^2 %g", k, c, dot(v, v))
		}
		if at := slices.MaxFunc(v, func(a, b float64) int { return int(math.Copysign(1, math.Abs(a)-math.Abs(b))) }); at < 0 {
			t.Errorf("component %d has its largest entry negative", k)
		}
	}
	if again, _ := PrincipalPlane(x); !slices.Equal(again.X, p.X) {
		t.Error("another plane the second time")
	}
	for _, m := range []mat.Matrix{nil, mat.NewDense(1, 3, nil), mat.NewDense(3, 1, nil), mat.NewDense(3, 3, []float64{1, 2, 3, 1, 2, 3, 1, 2, 3}), mat.NewDense(2, 2, []float64{1, math.NaN(), 2, 3})} {
		if p, err := PrincipalPlane(m); err == nil {
			t.Errorf("a plane of %v: %v", m, p)
		}
	}
}

// Without a truth the colours of each panel are those of its own means.
func TestRecoveryColoursOfEachPanel(t *testing.T) {
	rows := [][]float64{{1, 0, 0, 0}, {.9, .1, 0, 0}, {0, 1, 0, 0}, {0, 0, .9, .1}}
	two := mat.NewDense(4, 2, []float64{0, 1, 1, 0, 0, .1, 0, 0})              // e2, about e1; the last row is nearer to the latter
	three := mat.NewDense(4, 3, []float64{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0}) // e3, e1, e2
	f := RecoveryOf([]Recovered{{"two", two}, {"three", three}}, nil, RecoveryOptions{Observations: symmom.FromRows(rows), Plane: axes(4, 0, 2)})
	want := [][]int{{1, 3}, {1, 2, 1}} // observations of each component
	for k, o := range chartsOf(t, f) {
		for j, n := range want[k] {
			if got := len(o.series(fmt.Sprintf("data-%d", j))); got != n {
				t.Errorf("panel %d colours %d observations as of component %d, want %d", k+1, got, j+1, n)
			}
		}
	}
	if !strings.Contains(f.Caption, "that of the nearest recovered mean of the panel.") {
		t.Errorf("caption %q", f.Caption)
	}
}
