package modelfile

import (
	"context"
	"math"
	"slices"

	"symmom/internal/estimate/gmm"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
)

// Version 2 has densities; without them files stay what version 1 reads.
var mixtures = Kind{What: "mixture", Format: "symmom-mixture", Version: 2}

// Mixture is a Gaussian mixture as JSON.
type Mixture struct {
	Head
	N             int         `json:"n"`
	Components    int         `json:"components"`
	Covariance    string      `json:"covariance"`
	Weights       []float64   `json:"weights"`
	Means         [][]float64 `json:"means"`       // components arrays of n
	Covariances   []float64   `json:"covariances"` // r, n x n, r x n or r x n x n, by rows
	Names         []string    `json:"names,omitempty"`
	Coordinates   string      `json:"coordinates,omitempty"`
	Center        []float64   `json:"center,omitempty"`      // subtracted from the variables, which were then divided
	Rest          []float64   `json:"center_rest,omitempty"` // to be subtracted, too: what rounding left of center
	Scale         []float64   `json:"scale,omitempty"`       // by this
	Observations  int         `json:"observations"`
	LogLikelihood *float64    `json:"log_likelihood,omitempty"` // not of a fit that was interrupted before it was known
	Parameters    int         `json:"parameters"`
	Start         string      `json:"start"`
	Converged     bool        `json:"converged"`
	Iterations    int         `json:"iterations"`
	Densities     *Densities  `json:"densities,omitempty"` // of a mixture of which no form was assumed
	Source        string      `json:"source,omitempty"`
	Fingerprint   string      `json:"fingerprint,omitempty"`
}

// Densities are those of variables within components, in gmm.Cells cells.
type Densities struct {
	Low    []float64 `json:"low"`    // n, where the cells of a variable begin
	Width  []float64 `json:"width"`  // n
	Shares []float64 `json:"shares"` // n x cells x components, of the components in the cells
}

// distributions reports whether shares of each of r components sum to 1 in each variable, in cells that numbers tell
// apart.
func (d *Densities) distributions(r int) bool {
	for i, low := range d.Low {
		if high := low + gmm.Cells*d.Width[i]; !linalg.Finite(high) || !(d.Width[i] > 1e-300) {
			return false
		}
		sums := make([]float64, r)
		for shares := range slices.Chunk(d.Shares[i*gmm.Cells*r:(i+1)*gmm.Cells*r], r) {
			linalg.Axpy(1, shares, sums)
		}
		for _, s := range sums {
			if !(math.Abs(s-1) <= 1e-6) {
				return false
			}
		}
	}
	return true
}

// Save writes the mixture. The file is written atomically.
func (m *Mixture) Save(ctx context.Context, path string) error {
	m.Head = mixtures.Head()
	if m.Densities == nil {
		m.Version = 1
	}
	return mixtures.Write(ctx, path, m)
}

// LoadMixture reads a mixture, and checks that its parts belong together. The names of
// the shapes of covariances are in their order; the place of its own is returned.
func LoadMixture(ctx context.Context, path string, shapes []string) (in *Mixture, shape int, err error) {
	in = &Mixture{}
	if err := mixtures.Read(ctx, path, in, &in.Head); err != nil {
		return nil, 0, err
	}
	bad := func(format string, args ...any) (*Mixture, int, error) {
		return nil, 0, mixtures.Bad(path, format, args...)
	}
	shape = slices.Index(shapes, in.Covariance)
	switch {
	case shape < 0:
		return bad("\"covariance\" is %s", words.Quote(in.Covariance))
	case in.N < 1 || in.Components < 1 || len(in.Means) != in.Components || len(in.Weights) != in.Components:
		return bad("\"components\" is %d, with %s and %s", in.Components, words.Plural(len(in.Weights), "weight"), words.Plural(len(in.Means), "mean"))
	case !slices.Contains([]string{"", frame.Centered, frame.Standardized, frame.Whitened}, in.Coordinates):
		return bad("\"coordinates\" is %s", words.Quote(in.Coordinates))
	}
	if err := checkVariables(in.N, in.Names, in.Center, in.Scale); err != nil {
		return bad("%v", err)
	}
	if len(in.Rest) != 0 && len(in.Rest) != len(in.Center) {
		return bad("\"center_rest\" of %d for a center of %d", len(in.Rest), len(in.Center))
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
	if in.Version > 1 && in.Densities == nil {
		return bad("it has no \"densities\", which version %d has", in.Version)
	}
	if d := in.Densities; d != nil {
		if len(d.Low) != in.N || len(d.Width) != in.N || len(d.Shares) != in.N*gmm.Cells*in.Components || !linalg.Finite(slices.Concat(d.Low, d.Width, d.Shares)...) || !(slices.Min(d.Width) > 0) || !(slices.Min(d.Shares) >= 0) || gmm.Shape(shape) != gmm.Diagonal || !d.distributions(in.Components) {
			return bad("\"densities\" do not fit %s and %s", words.Plural(in.N, "variable"), words.Plural(in.Components, "component"))
		}
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
	return in, shape, nil
}
