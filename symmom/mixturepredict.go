package symmom

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/gmm"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/moment/frame"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// fits refuses data that are not of the mixture's variables and coordinates, and returns what
// Session.placesIn does.
func (f *Mixture) fits(s *Session) ([]int, block.Source, error) {
	switch {
	case f.gmm == nil:
		return nil, nil, f.empty()
	case s.Err() != nil:
		return nil, nil, s.Err()
	case s.data.N != f.gmm.N:
		return nil, nil, &ArgumentError{Argument: "data", Value: words.Plural(s.data.N, "variable"), Want: fmt.Sprintf("%s, as the mixture", words.Plural(f.gmm.N, "variable"))}
	}
	frame := &frame.Frame{Coordinates: f.Coordinates, Variables: f.Names, Move: f.moved}
	frame.Center, frame.Scale = f.Center, f.Scale
	if f.session != nil {
		frame.Whitening = f.session.frame(nil).Whitening
	}
	return s.placesIn("mixture", frame)
}

// empty is the error of a mixture without components.
func (f *Mixture) empty() error {
	return cmp.Or(f.err, error(&ArgumentError{Argument: "mixture", Value: "an empty one", Want: "one that Mixture fitted or LoadMixture read"}))
}

// Predict returns the most likely component of each observation of s, counted from
// 0. s may be the data that the mixture was fitted to or other data with the same
// variables, in any order: as in Moment.Evaluate they are matched by name, without names by
// the number of the column, or by place if these differ. Data as they were loaded are centered
// or standardized like those that the mixture was fitted to, if these were. One pass.
func (f *Mixture) Predict(s *Session) ([]int, error) {
	order, x, err := f.fits(s)
	if err != nil {
		return nil, err
	}
	of, err := gmm.MostLikely(s.context(), f.classifier(), x, order)
	return of, interrupted("predict", err)
}

// PredictRows is like Predict, for given observations of s, such as those that
// Subsample returned: the rows of a matrix, with the variables of s and in its coordinates.
func (f *Mixture) PredictRows(s *Session, rows mat.Matrix) ([]int, error) {
	order, x, err := f.fits(s)
	if err != nil {
		return nil, err
	}
	if p, n := linalg.Dims(rows); n != f.gmm.N {
		return nil, &ArgumentError{Argument: "rows", Value: fmt.Sprintf("a %d x %d matrix", p, n), Want: words.Plural(f.gmm.N, "column") + ", as the mixture has variables"}
	}
	d := FromMatrix(rows)
	if d.Err() != nil {
		return nil, d.Err()
	}
	of := block.Source(d.data.Storage)
	if c, moved := x.(block.Changed); moved {
		of = block.Changed{Source: of, Change: c.Change}
	}
	components, err := gmm.MostLikely(s.context(), f.classifier(), of, order)
	return components, interrupted("predict", err)
}

// Responsibilities returns the probability that each observation of s belongs to
// each component, p x r, with rows of sum 1. Variables and coordinates are matched as in
// Predict. One pass.
func (f *Mixture) Responsibilities(s *Session) (*NamedMatrix, error) {
	order, x, err := f.fits(s)
	if err != nil {
		return noMatrix(err), err
	}
	if err := memory.Check("responsibilities", 8*float64(s.data.P)*float64(f.gmm.R), 0, "take Predict, which keeps a label for each"); err != nil {
		return noMatrix(err), err
	}
	out := mat.NewDense(s.data.P, f.gmm.R, nil)
	err = f.classifier().Responsibilities(s.context(), x, order, func(l int, z []float64) { out.SetRow(l, z) })
	return numbered(out, "component"), interrupted("predict", err)
}

// LogLikelihoodOf returns the log-likelihood of the observations of s, where
// weights count as repetitions with mean 1. Variables and coordinates are matched as in Predict.
// One pass.
func (f *Mixture) LogLikelihoodOf(s *Session) (float64, error) {
	order, x, err := f.fits(s)
	if err != nil {
		return math.NaN(), err
	}
	v, err := f.classifier().LogLikelihood(s.context(), x, order)
	return v, interrupted("log-likelihood", err)
}

// Sample draws observations from the mixture, each from a random component, and
// returns these components too. The same seed (0: 1) gives the same observations.
func (f *Mixture) Sample(observations int, seed uint64) (*Session, []int) {
	failed := func(err error) (*Session, []int) { return &Session{err: err}, nil }
	if f.gmm == nil {
		return failed(f.empty())
	}
	if observations < 1 {
		return failed(&ArgumentError{Argument: "observations", Value: observations, Want: "at least 1"})
	}
	if err := draw.CheckMemory(float64(observations), f.gmm.N); err != nil {
		return failed(err)
	}
	host := f.Session().host
	var v *mat.Dense
	var labels []int
	if d := f.densities; d != nil {
		rng := draw.Source(seed)
		v, labels = mat.NewDense(observations, d.N, nil), draw.Labels(observations, d.R, f.gmm.Weights, rng)
		for l, j := range labels {
			d.Draw(rng, v.RawRowView(l), j)
		}
	} else {
		var err error
		if v, labels, err = draw.Gaussians(host.Now(), observations, f.gmm.Weights, f.means(), f.CovarianceOf, seed); err != nil {
			return failed(interrupted("sample", err))
		}
	}
	s := FromMatrix(v)
	s.host = host
	return s, labels
}

// Score compares the means with the true ones, the columns of an n x r matrix with as many as
// the mixture has, matched one to one so that the sum of squared distances is least.
func (f *Mixture) Score(truth mat.Matrix) *Score {
	if f.gmm == nil {
		return made(&Score{Result: Result{err: f.empty()}})
	}
	if err := errorOf(truth); err != nil {
		return made(&Score{Result: Result{err: err}})
	}
	if err := inCoordinates(f.Coordinates, truth); err != nil {
		return made(&Score{Result: Result{err: err}})
	}
	n, r := f.gmm.N, f.gmm.R
	if rows, cols := linalg.Dims(truth); rows != n || cols != r {
		return made(&Score{Result: Result{err: &ArgumentError{Argument: "truth", Value: fmt.Sprintf("a %d x %d matrix", rows, cols), Want: fmt.Sprintf("%d x %d, one mean a column", n, r)}}})
	}
	if !linalg.Finite(mat.DenseCopyOf(truth).RawMatrix().Data...) {
		return made(&Score{Result: Result{err: &ArgumentError{Argument: "truth", Value: "a number that is not finite", Want: "finite numbers"}}})
	}
	distance, pairs := ktensor.MatchMeans(truth, f.means())
	t := ktensor.Of(1, nil, truth)
	return scoreOf(distance, pairs, ktensor.AbsoluteCosines(t, ktensor.Of(1, nil, f.means())), truth, r)
}
