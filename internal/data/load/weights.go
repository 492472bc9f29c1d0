package load

import (
	"context"
	"errors"
	"math"
	"slices"

	"symmom/internal/data/profile"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
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
	if err := checkWeights(s.Source, w); err != nil {
		return nil, err
	}
	nu, err := normalizeWeights(s.Source, w)
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
		return nil, fail(missing.Source, "some weights are missing, want %s", weightProblem(math.NaN()))
	}
	if err != nil {
		return nil, diag.Helped(err) // by no option: they say how to read the data
	}
	if s.P != 1 && s.N != 1 {
		return nil, fail(s.Source, "has %s and %s, want a vector of weights: one column, one number for each observation", words.Plural(s.P, "row"), words.Plural(s.N, "column"))
	}
	return s.Values, checkWeights(s.Source, s.Values)
}

// weightProblem returns the expected weight for an invalid one, "" for a valid one.
func weightProblem(w float64) string {
	switch {
	case w != w:
		return "a positive weight for each row; fill it in, or drop the row"
	case w == 0:
		return "a positive weight; leave the row out instead of giving it no weight"
	case w < 0 || math.IsInf(w, 0):
		return "a positive, finite weight"
	}
	return ""
}

// checkWeights is for weights that are not part of a table.
func checkWeights(source string, w []float64) error {
	for i, v := range w {
		if what := weightProblem(v); what != "" {
			return diag.Fail(source, "weight %d is %s, want %s", i+1, diag.Value(v), what)
		}
	}
	return nil
}

// normalizeWeights divides positive, finite weights by their sum. The result is new, and nil where
// all are equal: these say as much as none.
func normalizeWeights(source string, w []float64) ([]float64, error) {
	largest := slices.Max(w)
	if slices.Min(w) == largest {
		return nil, nil
	}
	sum := 0.0
	for _, v := range w {
		sum += v / largest // the sum of the weights themselves may overflow
	}
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = v / largest / sum
		if out[i] == 0 {
			return nil, diag.Fail(source, "weight %d (%s) vanishes beside the largest (%s); leave the row out", i+1, diag.Value(v), diag.Value(largest))
		}
	}
	return out, Alone(source, sum)
}

// Alone refuses weights that differ if all but the largest, relative to which their sum is,
// vanish in it.
func Alone(source string, sum float64) error {
	if sum-1 < 0x1p-50 {
		return diag.Fail(source, "one weight is all of the sum, so that no other observation counts: leave that row out, or its weight")
	}
	return nil
}
