package symmom

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// All documented values are accepted, to the last number of each range, and the next one is
// refused by an error that names the argument.
func TestEdgesOfArguments(t *testing.T) {
	s := drawUniform(4, 1200, 1)
	others := drawUniform(5, 60, 2)
	m := s.Moment(3)
	inf, nan := math.Inf(1), math.NaN()
	quick := Options{Starts: 1, MaxIterations: 3}
	mixture, ica := s.Mixture(2, MixtureOptions{Starts: 1}), s.ICA(2)
	fitOf := func(m *Moment, o Options) error { return m.With(o).Decompose(2).Err() }
	debiased := func(d int, noise Noise) error { return fitOf(s.Moment(d).Debias(noise), quick) }
	tolerance := func(v float64) error {
		return s.Mixture(2, MixtureOptions{Starts: 1, Tolerance: v, MaxIterations: 2}).Err()
	}
	model := func(d int, lambda []float64, factors mat.Matrix) error {
		_, err := NewModel(d, lambda, factors)
		return err
	}
	sample := func(of int) error { drawn, _ := mixture.Sample(of, 1); return drawn.Err() }
	means := func(n, r int) error { return mixture.Score(constant(n, r, 1)).Err() }
	subsample := func(k int) error { _, _, err := s.Subsample(k, 1); return err }
	sources := func(of *Session) error { _, err := ica.Sources(of); return err }
	sweep := func(from, to int) error { return m.With(quick).Sweep(from, to).Err() }
	delimiter := func(d string) error {
		loaded := Load("testdata/none.csv", LoadOptions{Delimiter: d})
		return loaded.Err()
	}
	given, err := NewModel(3, []float64{1, 1}, constant(4, 2, .5))
	if err != nil {
		t.Fatal(err)
	}
	column := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	for _, c := range []struct {
		argument string // that the error names; "" where there is none
		of       string
		err      error
	}{
		{"", "order 1", s.Moment(1).Err()}, {"", "order 100", s.Moment(100).Err()},
		{"order", "order 0", s.Moment(0).Err()}, {"order", "order 101", s.Moment(101).Err()},
		{"", "model of order 100", model(100, []float64{1}, column)}, {"order", "model of order 101", model(101, []float64{1}, column)},
		{"factors", "model without variables", model(3, []float64{1}, &mat.Dense{})}, {"factors", "model of two columns", model(3, []float64{1}, constant(4, 2, 1))},
		{"lambda", "model without weights", model(3, nil, column)}, {"model", "model of an infinite weight", model(3, []float64{inf}, column)},
		{"", "debiased order 2", debiased(2, Noise{Sigma: .1})}, {"", "debiased order 12", debiased(12, Noise{Sigma: .1})},
		{"order", "debiased order 1", debiased(1, Noise{Sigma: .1})}, {"order", "debiased order 13", debiased(13, Noise{Sigma: .1})},
		{"Sigma", "negative sigma", debiased(3, Noise{Sigma: -1})}, {"Sigma", "infinite sigma", debiased(3, Noise{Sigma: inf})}, {"Sigma", "sigma NaN", debiased(3, Noise{Sigma: nan})},
		{"", "variances with a zero", debiased(3, Noise{Variances: []float64{.1, .1, 0, .1}})},
		{"Variances", "a negative variance", debiased(3, Noise{Variances: []float64{.1, .1, -.1, .1}})}, {"Variances", "an infinite variance", debiased(3, Noise{Variances: []float64{.1, inf, .1, .1}})},
		{"Variances", "a variance NaN", debiased(3, Noise{Variances: []float64{.1, nan, .1, .1}})}, {"Variances", "three variances", debiased(3, Noise{Variances: []float64{1, 1, 1}})},
		{"", "noise of as many variables as the rank", m.Debias(Noise{}).With(quick).Decompose(4).Err()}, {"rank", "noise of fewer variables than the rank", m.Debias(Noise{}).With(quick).Decompose(5).Err()},
		{"", "cumulant 3", fitOf(s.Cumulant(3), quick)}, {"", "cumulant 5", fitOf(s.Cumulant(5), quick)}, {"order", "cumulant 2", fitOf(s.Cumulant(2), quick)}, {"order", "cumulant 6", fitOf(s.Cumulant(6), quick)},
		{"", "rank 1", m.With(quick).Decompose(1).Err()}, {"rank", "rank 0", m.With(quick).Decompose(0).Err()},
		{"Tolerance", "tolerance NaN", fitOf(m, Options{Tolerance: nan})}, {"Tolerance", "infinite tolerance", fitOf(m, Options{Tolerance: inf})}, {"RelativeDecrease", "decrease -Inf", fitOf(m, Options{RelativeDecrease: -inf})},
		{"", "negative tolerance", fitOf(m, Options{Starts: 1, MaxIterations: 3, Tolerance: -1})},
		{"", "Gauss-Newton within bounds", fitOf(m, Options{Starts: 1, MaxIterations: 3, Nonnegative: true, Solver: SolverGaussNewton})}, {"", "L-BFGS within bounds", fitOf(m, Options{Starts: 1, MaxIterations: 3, Nonnegative: true, Solver: SolverLBFGS})},
		{"Solver", "a solver for samples", fitOf(m.Sampled(20), Options{Solver: SolverLBFGS})}, {"form", "debiased samples", fitOf(m.Debias(Noise{Sigma: .1}).Sampled(20), quick)}, {"Nonnegative", "samples within bounds", fitOf(m.Sampled(20), Options{Nonnegative: true})},
		{"", "all observations as samples", m.Sampled(1200).Err()}, {"samples", "more samples than observations", m.Sampled(1201).Err()}, {"samples", "negative samples", m.Sampled(-1).Err()},
		{"", "1,000 samples of few", others.Moment(3).Sampled(1000).Err()}, {"samples", "1,001 samples of few", others.Moment(3).Sampled(1001).Err()},
		{"Init", "a gaussian start in a basis", fitOf(m.Compressed(3), Options{Init: InitGaussian})}, {"Init", "a given start in a basis", fitOf(m.Compressed(3), Options{InitialModel: given})},
		{"", "sweep 1..1", sweep(1, 1)}, {"ranks", "sweep 0..1", sweep(0, 1)}, {"ranks", "sweep 2..1", sweep(2, 1)},
		{"", "whiten all", s.Whiten(4).Err()}, {"coordinates", "whiten more", s.Whiten(5).Err()}, {"coordinates", "whiten none", s.Whiten(0).Err()},
		{"components", "more sources than variables", s.ICA(5).Err()}, {"components", "no sources", s.ICA(0).Err()}, {"data", "sources of other variables", sources(others)}, {"", "sources of these", sources(s)},
		{"", "the smallest tolerance", tolerance(math.SmallestNonzeroFloat64)}, {"Tolerance", "negative tolerance of EM", tolerance(-1e-6)}, {"Tolerance", "infinite tolerance of EM", tolerance(inf)}, {"Tolerance", "tolerance NaN of EM", tolerance(nan)},
		{"", "one observation drawn", sample(1)}, {"observations", "none drawn", sample(0)},
		{"", "means", means(4, 2)}, {"truth", "means of other variables", means(5, 2)}, {"truth", "more means", means(4, 3)},
		{"", "subsample of one", subsample(1)}, {"k", "subsample of none", subsample(0)},
		{"fit", "mixture of a plain moment", m.With(quick).Decompose(2).Mixture().Err()}, {"fit", "mixture of order 2", s.Moment(2).Debias(Noise{Sigma: .1}).With(quick).Decompose(2).Mixture().Err()}, {"fit", "mixture of order 5", s.Moment(5).Debias(Noise{Sigma: .1}).With(quick).Decompose(2).Mixture().Err()},
		{"Delimiter", `"`, delimiter(`"`)}, {"Delimiter", "newline", delimiter("\n")}, {"Delimiter", "return", delimiter("\r")}, {"Delimiter", "two", delimiter(";;")}, {"Delimiter", "not UTF-8", delimiter("\xff")},
	} {
		var refused *ArgumentError
		switch {
		case c.argument == "" && c.err != nil:
			t.Errorf("%s: %v", c.of, c.err)
		case c.argument != "" && (!errors.As(c.err, &refused) || !strings.EqualFold(refused.Argument, c.argument)):
			t.Errorf("%s: %v, want an error of %s", c.of, c.err, c.argument)
		}
	}
}
