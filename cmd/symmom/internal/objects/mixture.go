package objects

import (
	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// Mixture is what mixture prints. covariance is r numbers for spherical, r arrays of n for diag, n of n for
// tied, and r of n arrays of n for full.
type Mixture struct {
	Schema         string     `json:"schema"`
	N              int        `json:"n"`
	Observations   int        `json:"observations"`
	Components     int        `json:"components"`
	CovarianceType string     `json:"covariance_type"`
	Means          [][]Number `json:"means"`                 // components arrays of n
	Coordinates    string     `json:"coordinates,omitempty"` // with --center or --standardize
	Weights        []Number   `json:"weights"`
	Covariance     any        `json:"covariance"`
	Sigma          Number     `json:"sigma"`
	LogLikelihood  Number     `json:"log_likelihood"`
	BIC            Number     `json:"bic"`
	Parameters     int        `json:"parameters"`
	MeanError      *Number    `json:"mean_error,omitempty"`    // with --truth
	AdjustedRand   *Number    `json:"adjusted_rand,omitempty"` // with --labels, and so the next two
	Labels         []string   `json:"labels,omitempty"`
	LabelCounts    [][]int    `json:"label_counts,omitempty"` // an array of components for each label
	Start          string     `json:"start"`
	Converged      bool       `json:"converged"`
	Iterations     int        `json:"iterations"`
	DataPasses     int        `json:"data_passes"`
	Seconds        Number     `json:"seconds"`
	Warnings       []string   `json:"warnings"`

	StandardErrors *mixtureErrors `json:"standard_errors,omitempty"` // with --bootstrap
}

// mixtureErrors holds standard errors, in the shapes of the estimates.
type mixtureErrors struct {
	Draws      int        `json:"draws"`
	Means      [][]Number `json:"means"`
	Weights    []Number   `json:"weights"`
	Covariance any        `json:"covariance"`
	Sigma      Number     `json:"sigma"`
	Seconds    Number     `json:"seconds"`
}

// NewMixture is NewFit for a mixture, with the error of its means, its agreement with known
// groups, and its standard errors, unless they are nil.
func NewMixture(f *symmom.MixtureFit, e *symmom.MeansError, a *symmom.Agreement, spread *symmom.MixtureErrors, said []string) Mixture {
	out := Mixture{Schema: "mixture/3", Warnings: append([]string{}, said...), N: f.N, Observations: f.Observations, Components: f.Components, CovarianceType: f.Covariance, Coordinates: f.Coordinates,
		Weights: Numbers(f.Weights), Sigma: Number(f.Sigma), LogLikelihood: Number(f.LogLikelihood), BIC: Number(f.BIC),
		Parameters: f.Parameters, Start: f.Start, Converged: f.Converged, Iterations: f.Iterations, DataPasses: f.DataPasses, Seconds: Number(f.Elapsed.Seconds())}
	for j := range f.Components {
		out.Means = append(out.Means, Numbers(mat.Col(nil, j, f.Means)))
	}
	out.Covariance = covariance(f, f.Covariances())
	if e != nil {
		x := Number(e.Relative)
		out.MeanError = &x
	}
	if a != nil && a.Err() == nil {
		x := Number(a.AdjustedRand)
		out.AdjustedRand, out.Labels, out.LabelCounts = &x, a.Groups, a.Counts
	}
	if spread != nil && spread.Draws > 0 {
		s := &mixtureErrors{Draws: spread.Draws, Weights: Numbers(spread.Weights), Covariance: covariance(f, spread.Covariances), Sigma: Number(spread.Sigma), Seconds: Number(spread.Elapsed.Seconds())}
		for j := range f.Components {
			s.Means = append(s.Means, Numbers(mat.Col(nil, j, spread.Means)))
		}
		out.StandardErrors = s
	}
	return out
}

// covariance nests numbers that are arranged like a mixture's covariances.
func covariance(f *symmom.MixtureFit, c *mat.Dense) any {
	rows := rowsOf(c)
	switch f.Covariance {
	case symmom.CovarianceSpherical:
		return Numbers(mat.Col(nil, 0, c))
	case symmom.CovarianceFull:
		var blocks [][][]Number
		for j := range f.Components {
			blocks = append(blocks, rows[j*f.N:(j+1)*f.N])
		}
		return blocks
	}
	return rows
}

func rowsOf(m *mat.Dense) (rows [][]Number) {
	r, _ := m.Dims()
	for i := range r {
		rows = append(rows, Numbers(m.RawRowView(i)))
	}
	return rows
}

// ICA is what ica prints.
type ICA struct {
	Schema       string     `json:"schema"`
	N            int        `json:"n"`
	Observations int        `json:"observations"`
	Components   int        `json:"components"`
	Unmixing     [][]Number `json:"unmixing"` // K x n
	Mixing       [][]Number `json:"mixing"`   // n x K
	Kurtosis     []Number   `json:"kurtosis"`
	Mean         []Number   `json:"mean"`
	Converged    bool       `json:"converged"`
	Iterations   int        `json:"iterations"`
	Seconds      Number     `json:"seconds"`
	Warnings     []string   `json:"warnings"`
}

// NewICA is NewFit for a separation.
func NewICA(f *symmom.ICA, said []string) ICA {
	return ICA{Schema: "ica/2", Warnings: append([]string{}, said...), N: f.N, Observations: f.Observations, Components: f.Components,
		Unmixing: rowsOf(f.Unmixing), Mixing: rowsOf(f.Mixing), Kurtosis: Numbers(f.Kurtosis), Mean: Numbers(f.Mean),
		Converged: f.Converged, Iterations: f.Iterations, Seconds: Number(f.Elapsed.Seconds())}
}
