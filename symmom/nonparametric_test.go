package symmom

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// exponentials draws two components of independent exponential variables, one turned round.
func exponentials(p int) (*Session, []int) {
	const n = 5
	rng := rand.New(rand.NewPCG(1, 55))
	v, of := mat.NewDense(p, n, nil), make([]int, p)
	for l := range of {
		of[l] = rng.IntN(2)
		for i := range n {
			if x := rng.ExpFloat64(); of[l] == 0 {
				v.Set(l, i, x)
			} else {
				v.Set(l, i, 1.5+float64(i)/2-x)
			}
		}
	}
	return FromMatrix(v), of
}

func TestNonparametricMixture(t *testing.T) {
	s, of := exponentials(6000)
	f := s.Mixture(2, MixtureOptions{Nonparametric: true})
	if f.Err() != nil || !f.Nonparametric || f.Covariance != CovarianceDiagonal || !math.IsNaN(f.BIC) || f.Parameters != 0 {
		t.Fatalf("%v, nonparametric %v, %s, BIC %v of %d parameters", f.Err(), f.Nonparametric, f.Covariance, f.BIC, f.Parameters)
	}
	if text := f.String(); !strings.HasPrefix(text, "Nonparametric mixture of 2 components") || strings.Contains(text, "BIC") {
		t.Errorf("it says\n%s", text)
	}
	components, err := f.Predict(s)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for l, j := range components {
		if j == of[l] {
			same++
		}
	}
	if wrong := min(same, len(of)-same); wrong > 300 {
		t.Errorf("%d of %d components are wrong", wrong, len(of))
	}
	if v, err := f.LogLikelihoodOf(s); err != nil || v != f.LogLikelihood {
		t.Errorf("log-likelihood %v, %v; the fit has %v", v, err, f.LogLikelihood)
	}

	// A density integrates to 1, and its mean is that of the component, as Expectation has it.
	mean, err := f.Expectation(s, func(x float64) float64 { return x })
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.Density(2)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := d.Dims()
	width := d.At(1, 0) - d.At(0, 0)
	for j := range 2 {
		var sum, first float64
		for c := range rows {
			sum += d.At(c, 1+j) * width
			first += d.At(c, 1+j) * width * d.At(c, 0)
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(first-f.Means.At(2, j)) > .1 || math.Abs(mean.At(2, j)-f.Means.At(2, j)) > 1e-3 {
			t.Errorf("component %d: the density sums to %v and has the mean %.4f, the mixture %.4f, Expectation %.4f", j+1, sum, first, f.Means.At(2, j), mean.At(2, j))
		}
	}

	drawn, labels := f.Sample(20000, 3)
	var average float64
	for l, j := range labels {
		if j == 0 {
			average += drawn.Matrix().At(l, 0) / (20000 * f.Weights[0])
		}
	}
	if math.Abs(average-f.Means.At(0, 0)) > .1 {
		t.Errorf("what Sample draws from component 1 has the mean %.3f, the mixture %.3f", average, f.Means.At(0, 0))
	}

	path := filepath.Join(t.TempDir(), "mixture.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	g, err := LoadMixture(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.Predict(s)
	if v, _ := g.LogLikelihoodOf(s); err != nil || !g.Nonparametric || v != f.LogLikelihood || !slices.Equal(again, components) {
		t.Errorf("from a file: %v, nonparametric %v, log-likelihood %v, want %v", err, g.Nonparametric, v, f.LogLikelihood)
	}
}

// Rows on disk give what those in memory give.
func TestNonparametricStream(t *testing.T) {
	s, _ := exponentials(3000)
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	a, b := s.Mixture(2, MixtureOptions{Nonparametric: true, Starts: 1}), Stream(path).Mixture(2, MixtureOptions{Nonparametric: true, Converge: true})
	if a.Err() != nil || b.Err() != nil || math.Abs(a.LogLikelihood-b.LogLikelihood) > 1e-6*math.Abs(a.LogLikelihood) || a.Iterations != b.Iterations {
		t.Errorf("in memory %v, %v in %d steps, on disk %v, %v in %d", a.Err(), a.LogLikelihood, a.Iterations, b.Err(), b.LogLikelihood, b.Iterations)
	}
}

func TestNonparametricRefused(t *testing.T) {
	s, _ := exponentials(300)
	normal := s.Mixture(2)
	for what, err := range map[string]error{
		"Covariance":             s.Mixture(2, MixtureOptions{Nonparametric: true, Covariance: CovarianceFull}).Err(),
		"RegCovar and Tolerance": s.Mixture(2, MixtureOptions{Nonparametric: true, RegCovar: 1}).Err(),
		"Nonparametric":          s.Mixtures(1, 2, MixtureOptions{Nonparametric: true}).Err(),
		"components":             s.Mixture(9, MixtureOptions{Nonparametric: true}).Err(),
		"mixture":                s.Mixture(2, MixtureOptions{Nonparametric: true}).Bootstrap(3, 1).Err(),
		"variable":               func() error { _, err := normal.Density(5); return err }(),
	} {
		var e *ArgumentError
		if !errors.As(err, &e) || e.Argument != what {
			t.Errorf("%s: %v", what, err)
		}
	}
	d, err := normal.Density(0)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := d.Dims()
	var sum float64
	for c := range rows {
		sum += d.At(c, 2) * (d.At(1, 0) - d.At(0, 0))
	}
	if math.Abs(sum-1) > 1e-3 {
		t.Errorf("a normal density sums to %v", sum)
	}
}
