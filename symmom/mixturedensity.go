package symmom

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/gmm"
	"symmom/internal/text/words"
)

// Density returns the density of a variable, counted from 0, within each component: a matrix of
// 256 rows whose first column holds values of the variable and the others, one a component, the
// densities there. Those of a nonparametric mixture are smoothed estimates, in cells between the
// least and the largest observation, at most 8 standard deviations from the mean; those of a
// Gaussian one are normal.
func (f *Mixture) Density(variable int) (*NamedMatrix, error) {
	err := error(nil)
	switch {
	case f.gmm == nil:
		err = f.empty()
	case variable < 0 || variable >= f.gmm.N:
		err = &ArgumentError{Argument: "variable", Value: variable, Want: fmt.Sprintf("0 to %d, as the mixture has %s", f.gmm.N-1, words.Plural(f.gmm.N, "variable"))}
	}
	if err != nil {
		return noMatrix(err), err
	}
	g := f.gmm
	low, width := math.Inf(1), 0.
	if d := f.densities; d != nil {
		low, width = d.Low[variable], d.Width[variable]
	} else {
		high := math.Inf(-1)
		for j := range g.R {
			mu, s := g.Means[j*g.N+variable], math.Sqrt(g.Variance(j, variable))
			low, high = math.Min(low, mu-4*s), math.Max(high, mu+4*s)
		}
		width = (high - low) / gmm.Cells
	}
	out := mat.NewDense(gmm.Cells, 1+g.R, nil)
	for c := range gmm.Cells {
		out.Set(c, 0, low+(float64(c)+.5)*width)
	}
	for j := range g.R {
		if d := f.densities; d != nil {
			for c, v := range d.Density(j, variable) {
				out.Set(c, 1+j, v)
			}
			continue
		}
		mu, s := g.Means[j*g.N+variable], math.Sqrt(g.Variance(j, variable))
		for c := range gmm.Cells {
			z := (out.At(c, 0) - mu) / s
			out.Set(c, 1+j, math.Exp(-z*z/2)/(s*math.Sqrt(2*math.Pi)))
		}
	}
	m := numbered(out, "component")
	name := fmt.Sprintf("variable %d", variable+1)
	if f.Names != nil {
		name = f.Names[variable]
	}
	m.ColumnNames = append([]string{name}, m.ColumnNames[:g.R]...)
	return m, nil
}

// Expectation returns what a function of a variable is expected to be within each component, for
// each variable, n x r: its averages over the observations of s, weighted with the probabilities of
// the components, such as fourth powers or an indicator. Variables and coordinates are matched as in
// Predict. One pass, p n calls of the function.
func (f *Mixture) Expectation(s *Session, function func(float64) float64) (*NamedMatrix, error) {
	order, x, err := f.fits(s)
	if err == nil && function == nil {
		err = &ArgumentError{Argument: "function", Value: "nil", Want: "a function of a number"}
	}
	if err == nil && s.far() {
		err = fmt.Errorf("expectation: %s: the function cannot go where these observations are: load or stream a part of them", s.data.Source)
	}
	if err != nil {
		return noMatrix(err), err
	}
	n, r := f.gmm.N, f.gmm.R
	sums, err := gmm.Expectations(s.context(), f.classifier(), x, order, r, function)
	if err != nil {
		err = interrupted("expectation", err)
		return noMatrix(err), err
	}
	m := components(mat.DenseCopyOf(mat.NewDense(r, n, sums).T()), f.Names)
	m.byRow = true
	return m, nil
}
