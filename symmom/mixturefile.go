package symmom

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"symmom/internal/savedfile"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/gmm"
	"symmom/internal/linalg"
	"symmom/internal/words"
)

var mixtureFiles = savedfile.Kind{What: "mixture", Writer: "MixtureFit.Save", Format: "symmom-mixture", Version: 1}

type mixtureFile struct {
	savedfile.Head
	N             int         `json:"n"`
	Components    int         `json:"components"`
	Covariance    string      `json:"covariance"`
	Weights       []float64   `json:"weights"`
	Means         [][]float64 `json:"means"`       // components arrays of n
	Covariances   []float64   `json:"covariances"` // r, n x n, r x n or r x n x n, by rows
	Names         []string    `json:"names,omitempty"`
	Coordinates   string      `json:"coordinates,omitempty"`
	Observations  int         `json:"observations"`
	LogLikelihood *float64    `json:"log_likelihood,omitempty"` // not of a fit that was interrupted before it was known
	Parameters    int         `json:"parameters"`
	Start         string      `json:"start"`
	Converged     bool        `json:"converged"`
	Iterations    int         `json:"iterations"`
	Source        string      `json:"source,omitempty"`
	Fingerprint   string      `json:"fingerprint,omitempty"`
}

// Save writes the mixture to path as JSON; a name with the ending of another format is
// an error. The file appears whole or not at all.
func (f *MixtureFit) Save(path string) error {
	if f.gmm == nil {
		return cmp.Or(f.err, error(&SaveError{path, errors.New("the mixture is empty")}))
	}
	out := mixtureFile{Head: mixtureFiles.Head(), N: f.N, Components: f.Components, Covariance: f.Covariance,
		Weights: f.gmm.Weights, Covariances: f.gmm.Cov, Names: f.Names, Coordinates: f.Coordinates, Observations: f.Observations, LogLikelihood: known(f.LogLikelihood),
		Parameters: f.Parameters, Start: f.Start, Converged: f.Converged, Iterations: f.Iterations}
	for j := range f.Components {
		out.Means = append(out.Means, mat.Col(nil, j, f.Means))
	}
	if f.session != nil {
		out.Source, out.Fingerprint = f.session.Source(), f.session.Fingerprint()
	}
	return saved(path, mixtureFiles.Write(path, out))
}

// known returns a number for a file, nil if it is not known.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// LoadMixture reads a mixture that MixtureFit.Save wrote.
func LoadMixture(path string) (*MixtureFit, error) { return noEnvironment.LoadMixture(path) }

// LoadMixture is like the function LoadMixture of this package, in this environment.
func (e *Environment) LoadMixture(path string) (*MixtureFit, error) {
	ctx := e.context()
	f, err := loadMixture(ctx, path)
	if err != nil {
		return &MixtureFit{Means: &mat.Dense{}, err: err}, loading(ctx, err)
	}
	return f, nil
}

func loadMixture(ctx context.Context, path string) (*MixtureFit, error) {
	var in mixtureFile
	if err := mixtureFiles.Read(ctx, path, &in, &in.Head); err != nil {
		return nil, err
	}
	bad := func(format string, args ...any) (*MixtureFit, error) {
		return nil, mixtureFiles.Bad(path, format, args...)
	}
	shape := slices.Index(covariances, in.Covariance)
	switch {
	case shape < 0:
		return bad("\"covariance\" is %q", in.Covariance)
	case in.N < 1 || in.Components < 1 || len(in.Means) != in.Components || len(in.Weights) != in.Components:
		return bad("\"components\" is %d, with %s and %s", in.Components, words.Plural(len(in.Weights), "weight"), words.Plural(len(in.Means), "mean"))
	case in.Coordinates != "" && in.Coordinates != centered && in.Coordinates != standardized && in.Coordinates != whitened:
		return bad("\"coordinates\" is %q", in.Coordinates)
	case len(in.Names) != 0 && len(in.Names) != in.N:
		return bad("%s for %s", words.Plural(len(in.Names), "name"), words.Plural(in.N, "variable"))
	}
	// Checked before anything of size n x r is made: a file may lie about n.
	for j, a := range in.Means {
		if len(a) != in.N || !linalg.Finite(a...) {
			return bad("mean %d has %d entries that are numbers, \"n\" is %d", j+1, len(a), in.N)
		}
	}
	size := gmm.CovSize(in.N, in.Components, gmm.Shape(shape))
	if float64(len(in.Covariances)) != size || !linalg.Finite(in.Covariances...) || in.LogLikelihood != nil && !linalg.Finite(*in.LogLikelihood) {
		return bad("%s of covariances that are finite, want %g", words.Plural(len(in.Covariances), "number"), size)
	}
	var sum float64
	for _, w := range in.Weights {
		if !(w >= 0) {
			return bad("a weight is %g", w)
		}
		sum += w
	}
	if math.Abs(sum-1) > 1e-6 {
		return bad("the weights sum to %g, not to 1", sum)
	}
	g := &gmm.Mixture{N: in.N, R: in.Components, Shape: gmm.Shape(shape), Weights: in.Weights, Cov: in.Covariances}
	for _, a := range in.Means {
		g.Means = append(g.Means, a...)
	}
	f := &MixtureFit{Observations: in.Observations, Start: in.Start, Converged: in.Converged, Iterations: in.Iterations, Names: in.Names, Coordinates: in.Coordinates}
	f.describe(g)
	f.Parameters, f.LogLikelihood = in.Parameters, math.NaN()
	if in.LogLikelihood != nil {
		f.LogLikelihood = *in.LogLikelihood
	}
	f.BIC = -2*f.LogLikelihood + float64(f.Parameters)*math.Log(float64(f.Observations))
	return f, nil
}
