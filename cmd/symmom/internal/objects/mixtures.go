package objects

import (
	"errors"
	"math"
	"slices"

	"symmom/symmom"
)

// Mixtures is the output of mixture for several. Status is present if they were interrupted.
type Mixtures struct {
	Schema       string          `json:"schema"`
	N            int             `json:"n"`
	Observations int             `json:"observations"`
	Coordinates  string          `json:"coordinates,omitempty"` // with --center or --standardize
	Results      []mixtureResult `json:"results"`
	Best         *int            `json:"best"` // of results, from 0; null: none can be compared
	Conclusion   string          `json:"conclusion"`
	Status       string          `json:"status,omitempty"`
	Warnings     []string        `json:"warnings"`
}

// mixtureResult is one of several mixtures. One that failed has the error, and null for
// numbers.
type mixtureResult struct {
	Components     int    `json:"components"`
	CovarianceType string `json:"covariance_type"`
	Parameters     *int   `json:"parameters"`
	LogLikelihood  Number `json:"log_likelihood"`
	BIC            Number `json:"bic"`
	ICL            Number `json:"icl"`
	grouped
	Start        string   `json:"start"`
	StartsAtBest int      `json:"starts_at_best"`
	Starts       int      `json:"starts"`
	Converged    bool     `json:"converged"`
	Iterations   int      `json:"iterations"`
	DataPasses   int      `json:"data_passes"`
	Seconds      Number   `json:"seconds"`
	Doubts       []string `json:"doubts"`          // codes of warnings
	Error        string   `json:"error,omitempty"` // why it failed
}

// NewMixtures is NewFit for several mixtures, with their agreement with known groups, if any.
func NewMixtures(s *symmom.Session, found *symmom.Mixtures, agreed map[*symmom.Mixture]*symmom.Agreement, warnings []string) Mixtures {
	out := Mixtures{Schema: "mixtures/1", N: s.N(), Observations: s.Observations(), Coordinates: s.Coordinates(), Results: []mixtureResult{}, Conclusion: found.Conclusion, Warnings: warnings}
	if errors.Is(found.Err(), symmom.ErrInterrupted) {
		out.Status = "interrupted"
	}
	for i, f := range found.Fits {
		x := mixtureResult{Components: f.Components, CovarianceType: f.Covariance, Parameters: orNull(f.Parameters), LogLikelihood: Number(f.LogLikelihood), BIC: Number(f.BIC), ICL: Number(f.ICL), grouped: groupedOf(agreed[f]),
			Start: f.Start, StartsAtBest: f.AtBest, Starts: f.Starts, Converged: f.Converged, Iterations: f.Iterations, DataPasses: f.DataPasses, Seconds: Number(f.Elapsed.Seconds()), Doubts: []string{}}
		if f.N == 0 {
			x.LogLikelihood, x.Error = Number(math.NaN()), f.Err().Error()
		}
		for _, w := range f.Warnings {
			if !slices.ContainsFunc(s.Warnings(), func(d symmom.Warning) bool { return d.Text == w.Text }) {
				x.Doubts = append(x.Doubts, string(w.Code))
			}
		}
		if f == found.Best {
			out.Best = &i
		}
		out.Results = append(out.Results, x)
	}
	return out
}
