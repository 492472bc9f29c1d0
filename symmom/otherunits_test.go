package symmom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// unitsOf are numbers of a result and the power of the unit in which each is.
type unitsOf struct {
	name  string
	power int
	of    []float64
}

func dense(m mat.RawMatrixer) []float64 { return append([]float64(nil), m.RawMatrix().Data...) }

// A power of two as a unit changes no bit: every number of every result is the same, times a
// power of the unit. What is forgotten to be converted, or is converted twice, shows.
func TestPowersOfTwoChangeNoBits(t *testing.T) {
	const p, n = 400, 5
	rng := rand.New(rand.NewPCG(33, 2))
	x, weights := mat.NewDense(p, n, nil), make([]float64, p)
	for l := range p {
		weights[l] = .5 + rng.Float64()
		for i := range n {
			x.Set(l, i, 1+float64(i)/4+(.4+float64(l%3)/10)*rng.NormFloat64())
		}
		x.Set(l, l%3, x.At(l, l%3)+2+float64(l%3))
	}
	results := func(k int) (all []unitsOf) {
		var y mat.Dense
		y.Scale(math.Ldexp(1, k), x)
		for _, s := range []*Session{FromMatrix(&y), FromMatrix(&y).WithWeights(weights)} {
			add := func(name string, power int, of ...float64) {
				all = append(all, unitsOf{fmt.Sprintf("weighted %v: %s", s.Weighted(), name), power, of})
			}
			mixture := func(name string, f *Mixture) {
				if f.Err() != nil {
					t.Fatal(name, f.Err())
				}
				add(name+" means", 1, dense(f.Means)...)
				add(name+" weights", 0, f.Weights...)
				add(name+" sigma", 1, f.Sigma)
				add(name+" covariances", 2, dense(f.Covariances())...)
				add(name+" counts", 0, float64(f.Iterations), float64(f.DataPasses), float64(len(f.Warnings)))
			}
			for _, shape := range covariances {
				f := s.Mixture(3, MixtureOptions{Covariance: shape, Starts: 2})
				mixture(shape, f)
				e := f.Bootstrap(3, 0)
				if e.Err() != nil {
					t.Fatal(e.Err())
				}
				add(shape+" errors of means", 1, dense(e.Means)...)
				add(shape+" errors of weights", 0, e.Weights...)
				add(shape+" errors of covariances", 2, dense(e.Covariances)...)
				add(shape+" error of sigma", 1, e.Sigma)
				mixture(shape+" of moments", s.Mixture(3, MixtureOptions{Covariance: shape, MomentsOnly: true}))
			}
			fit := mustFit(t, s.Moment(3).Debias(Noise{}).Decompose(3))
			add("debiased sigma", 1, fit.Sigma)
			mixture("of a fit", fit.Mixture(MixtureOptions{Starts: -1, MaxIterations: 3}))
			ica := s.ICA(3)
			if ica.Err() != nil {
				t.Fatal(ica.Err())
			}
			add("kurtosis", 0, append(ica.Kurtosis, float64(ica.Iterations))...)
			add("mixing", 1, dense(ica.Mixing)...)
			add("unmixing", -1, dense(ica.Unmixing)...)
			sources, err := ica.Sources(s)
			if err != nil {
				t.Fatal(err)
			}
			add("sources", 0, dense(sources)...)
			sum := s.Summary()
			add("eigenvalues", 2, sum.Eigenvalues...)
			add("standardized", 0, dense(s.Standardize().Matrix())...)
			add("whitened", 0, dense(s.Whiten(3).Matrix())...)
			add("centered", 1, dense(s.Center().Matrix())...)
		}
		return all
	}
	one := results(0)
	for _, k := range []int{-40, 30} {
		for i, got := range results(k) {
			want := one[i]
			if got.name != want.name || len(got.of) != len(want.of) || len(got.of) == 0 {
				t.Fatalf("%s: %d numbers, %s: %d", got.name, len(got.of), want.name, len(want.of))
			}
			for j, v := range got.of {
				if v != math.Ldexp(want.of[j], k*want.power) {
					t.Errorf("%s, unit 2^%d: number %d is %g, want %g times a power of 2", want.name, k, j, v, want.of[j])
					break
				}
			}
		}
	}
}
