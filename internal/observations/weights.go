package observations

import (
	"context"
	"errors"
	"math"

	"symmom/internal/notice"
	"symmom/internal/profile"
	"symmom/internal/weights"
	"symmom/internal/words"
)

// WithWeights returns the observations with weights proportional to w, which is
// copied: one positive, finite number for each observation. Where rows were
// dropped for missing values, w may also have one for each row of the source.
// The new Set shares Values with s.
func (s *Set) WithWeights(w []float64) (*Set, error) {
	if len(w) == s.P+s.Dropped && s.Dropped > 0 && len(s.kept) == s.P {
		left := make([]float64, s.P)
		for i, row := range s.kept {
			left[i] = w[row]
		}
		w = left
	}
	if len(w) != s.P {
		return nil, fail(s.Source, "%s for %s; want one for each", words.Plural(len(w), "weight"), words.Plural(s.P, "observation"))
	}
	if err := weights.Check(s.Source, w); err != nil {
		return nil, err
	}
	nu, err := weights.Normalize(s.Source, w)
	if err != nil {
		return nil, err
	}
	c := *s
	c.Weights = nu
	if nu != nil {
		c.Warnings = profile.Weighted(s.Warnings)
	}
	return &c, nil
}

// LoadWeights reads a vector of weights, not yet normalized: an array of shape
// (p,), (p,1) or (1,p), or a text file of one column or one row.
func LoadWeights(ctx context.Context, path string) ([]float64, error) {
	s, err := Load(ctx, path, Options{})
	if missing := new(MissingError); errors.As(err, &missing) {
		return nil, fail(missing.Source, "some weights are missing, want %s", weights.Problem(math.NaN()))
	}
	if err != nil {
		return nil, notice.Helped(err) // by no option: they say how to read the data
	}
	if s.P != 1 && s.N != 1 {
		return nil, fail(s.Source, "has %s and %s, want a vector of weights: one column, one number for each observation", words.Plural(s.P, "row"), words.Plural(s.N, "column"))
	}
	return s.Values, weights.Check(s.Source, s.Values)
}
