package objects

import (
	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// Mixture is the output of mixture. covariance is r numbers for spherical, r arrays of n for
// diag, n of n for tied, and r of n arrays of n for full.
type Mixture struct {
	Schema         string     `json:"schema"`
	N              int        `json:"n"`
	Observations   int        `json:"observations"`
	Components     int        `json:"components"`
	CovarianceType string     `json:"covariance_type"`
	Nonparametric  bool       `json:"nonparametric,omitempty"` // with --nonparametric
	Means          [][]Number `json:"means"`                   // components arrays of n
	Coordinates    string     `json:"coordinates,omitempty"`   // with --center or --standardize
	Weights        []Number   `json:"weights"`
	Covariance     any        `json:"covariance"`
	Sigma          Number     `json:"sigma"`
	LogLikelihood  Number     `json:"log_likelihood"`
	BIC            Number     `json:"bic"`
	ICL            Number     `json:"icl"`
	Parameters     int        `json:"parameters"`
	known
	Start      string   `json:"start"`
	Converged  bool     `json:"converged"`
	Iterations int      `json:"iterations"`
	DataPasses int      `json:"data_passes"`
	Seconds    Number   `json:"seconds"`
	Warnings   []string `json:"warnings"`

	StandardErrors *mixtureErrors `json:"standard_errors,omitempty"` // with --bootstrap
}

// known is the comparison with known means and groups.
type known struct {
	MeanError *Number `json:"mean_error,omitempty"` // with --truth
	grouped
}

// grouped is the comparison with known groups.
type grouped struct {
	AdjustedRand *Number  `json:"adjusted_rand,omitempty"` // with --labels, and so the next two
	Labels       []string `json:"labels,omitempty"`
	LabelCounts  [][]int  `json:"label_counts,omitempty"` // an array of components for each label
}

func knownOf(e *symmom.Score, a *symmom.Agreement) (k known) {
	if e != nil {
		x := Number(e.Distance)
		k.MeanError = &x
	}
	k.grouped = groupedOf(a)
	return k
}

func groupedOf(a *symmom.Agreement) (g grouped) {
	if a != nil && a.Err() == nil {
		x := Number(a.AdjustedRand)
		g.AdjustedRand, g.Labels, g.LabelCounts = &x, a.Groups, a.Counts
	}
	return g
}

// MixtureEvaluation is the output of evaluate for a mixture.
type MixtureEvaluation struct {
	Schema          string `json:"schema"`
	N               int    `json:"n"`
	Observations    int    `json:"observations"`
	Components      int    `json:"components"`
	CovarianceType  string `json:"covariance_type"`
	Nonparametric   bool   `json:"nonparametric,omitempty"`
	LogLikelihood   Number `json:"log_likelihood"`
	PerObservation  Number `json:"log_likelihood_per_observation"`
	WhereFitted     Number `json:"fitted_log_likelihood_per_observation"`
	ComponentCounts []int  `json:"component_counts"` // null with --spark
	known
	Warnings []string `json:"warnings"`
}

// NewMixtureEvaluation is NewMixture for a mixture that was evaluated on so many observations,
// of which each component has its count.
func NewMixtureEvaluation(f *symmom.Mixture, observations int, likelihood float64, counts []int, e *symmom.Score, a *symmom.Agreement, warnings []string) MixtureEvaluation {
	return MixtureEvaluation{Schema: "evaluate_mixture/1", N: f.N, Observations: observations, Components: f.Components, CovarianceType: f.Covariance, Nonparametric: f.Nonparametric,
		LogLikelihood: Number(likelihood), PerObservation: Number(likelihood / float64(observations)),
		WhereFitted: Number(f.LogLikelihood / float64(f.Observations)), ComponentCounts: counts, known: knownOf(e, a), Warnings: warnings}
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
func NewMixture(f *symmom.Mixture, e *symmom.Score, a *symmom.Agreement, spread *symmom.MixtureErrors, warnings []string) Mixture {
	out := Mixture{Schema: "mixture/4", Warnings: warnings, N: f.N, Observations: f.Observations, Components: f.Components, CovarianceType: f.Covariance, Nonparametric: f.Nonparametric, Coordinates: f.Coordinates,
		Weights: Numbers(f.Weights), Sigma: Number(f.Sigma), LogLikelihood: Number(f.LogLikelihood), BIC: Number(f.BIC), ICL: Number(f.ICL),
		Parameters: f.Parameters, Start: f.Start, Converged: f.Converged, Iterations: f.Iterations, DataPasses: f.DataPasses, Seconds: Number(f.Elapsed.Seconds())}
	for j := range f.Components {
		out.Means = append(out.Means, Numbers(mat.Col(nil, j, f.Means)))
	}
	out.Covariance = covariance(f, f.Covariances())
	out.known = knownOf(e, a)
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
func covariance(f *symmom.Mixture, c *mat.Dense) any {
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

// ICA is the output of ica.
type ICA struct {
	Schema       string     `json:"schema"`
	N            int        `json:"n"`
	Observations int        `json:"observations"`
	Components   int        `json:"components"`
	Coordinates  string     `json:"coordinates,omitempty"` // with --center or --standardize
	Unmixing     [][]Number `json:"unmixing"`              // K x n
	Mixing       [][]Number `json:"mixing"`                // n x K
	Kurtosis     []Number   `json:"kurtosis"`
	Mean         []Number   `json:"mean"`
	Converged    bool       `json:"converged"`
	Iterations   int        `json:"iterations"`
	Seconds      Number     `json:"seconds"`
	Warnings     []string   `json:"warnings"`
}

// NewICA is NewFit for a separation of data in coordinates, "" for their own.
func NewICA(f *symmom.ICA, coordinates string, warnings []string) ICA {
	return ICA{Schema: "ica/2", Warnings: warnings, N: f.N, Observations: f.Observations, Components: f.Components, Coordinates: coordinates,
		Unmixing: rowsOf(f.Unmixing), Mixing: rowsOf(f.Mixing.Dense), Kurtosis: Numbers(f.Kurtosis), Mean: Numbers(f.Mean),
		Converged: f.Converged, Iterations: f.Iterations, Seconds: Number(f.Elapsed.Seconds())}
}
