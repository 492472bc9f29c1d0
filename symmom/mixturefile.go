package symmom

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"symmom/internal/estimate/gmm"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/moment/frame"
)

// Save writes the mixture to path as JSON; a name with the ending of another format is
// an error. The file is written atomically.
func (f *Mixture) Save(path string) error {
	if f.gmm == nil {
		return cmp.Or(f.err, error(&SaveError{path, errors.New("the mixture is empty")}))
	}
	g := f.gmm
	out := &modelfile.Mixture{N: g.N, Components: g.R, Covariance: covariances[g.Shape],
		Weights: g.Weights, Covariances: g.Cov, Names: f.Names, Coordinates: f.Coordinates, Center: f.Center, Rest: f.moved.Kept(), Scale: f.Scale, Observations: f.Observations, LogLikelihood: known(f.LogLikelihood),
		Parameters: f.Parameters, Start: f.Start, Converged: f.Converged, Iterations: f.Iterations, Source: f.source, Fingerprint: f.fingerprint}
	for means := range slices.Chunk(g.Means, g.N) {
		out.Means = append(out.Means, means)
	}
	if d := f.densities; d != nil {
		out.Densities = &modelfile.Densities{Low: d.Low, Width: d.Width, Shares: d.Shares()}
	}
	if f.session != nil {
		out.Source, out.Fingerprint = f.session.Source(), f.session.Fingerprint()
	}
	return saved(path, interrupted("save", out.Save(f.Session().saving(), path)))
}

// known returns a number for a file, nil if it is not known.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// LoadMixture reads a mixture that Mixture.Save wrote. Of the options only Context is used.
func LoadMixture(path string, options ...LoadOptions) (*Mixture, error) {
	ctx, err := contextOf(options)
	var f *Mixture
	if err == nil {
		f, err = loadMixture(ctx, path)
	}
	if err != nil {
		return made(&Mixture{Means: noMatrix(nil), Result: Result{err: err}}), loading(ctx, err)
	}
	return f, nil
}

func loadMixture(ctx context.Context, path string) (*Mixture, error) {
	in, shape, err := modelfile.LoadMixture(ctx, path, covariances)
	if err != nil {
		return nil, err
	}
	g := &gmm.Mixture{N: in.N, R: in.Components, Shape: gmm.Shape(shape), Weights: in.Weights, Cov: in.Covariances}
	for _, a := range in.Means {
		g.Means = append(g.Means, a...)
	}
	f := made(&Mixture{Observations: in.Observations, Start: in.Start, Converged: in.Converged, Iterations: in.Iterations, Names: in.Names, Coordinates: in.Coordinates, Center: in.Center, Scale: in.Scale, moved: frame.Move{Rest: in.Rest}, source: in.Source, fingerprint: in.Fingerprint})
	f.describe(g)
	if d := in.Densities; d != nil {
		f.setDensities(gmm.DensitiesOf(g.Weights, d.Low, d.Width, d.Shares))
	}
	f.Parameters = in.Parameters
	unknown := math.NaN()
	f.scored(*cmp.Or(in.LogLikelihood, &unknown), unknown)
	return f, nil
}
