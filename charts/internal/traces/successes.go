package traces

import (
	"errors"
	"fmt"
	"math"

	"symmom/internal/moment/frame"
	"symmom/symmom"
)

// NearBest is the paper's notion of a start that found the best fit: within
// .01 of it in f / ||X||^2 (figure init-compare).
const NearBest = .01

// Successes counts for each fit the starts that came near the best start of all the fits,
// which must be of the same moment.
func Successes(fits []*symmom.Fit) ([]int, error) {
	if len(fits) == 0 {
		return nil, errors.New("give at least one fit")
	}
	best := math.Inf(1)
	for i, f := range fits {
		if f == nil {
			return nil, fmt.Errorf("fit %d is nil", i+1)
		}
		if len(f.Starts) == 0 {
			err := f.Err()
			if err == nil {
				err = errors.New("it has no starts")
			}
			return nil, fmt.Errorf("fit %d: %w", i+1, err)
		}
		if v := f.NormSquared.Value; !(v > 0 && v <= math.MaxFloat64) {
			return nil, fmt.Errorf("fit %d: its starts cannot be compared, as ‖X‖² is %.3g", i+1, v)
		}
		if why := differ(fits[0], f); why != "" {
			return nil, fmt.Errorf("fit %d is of another moment than the first: %s", i+1, why)
		}
		for _, s := range f.Starts {
			best = math.Min(best, s.ObjectiveShifted)
		}
	}
	n := make([]int, len(fits))
	for i, f := range fits {
		for _, s := range f.Starts {
			if s.ObjectiveShifted-best <= NearBest*f.NormSquared.Value {
				n[i]++
			}
		}
	}
	return n, nil
}

// differ says how the moments of two fits differ, "" if they do not: the same kind of moment
// of data that are the same numbers or, where these are kept in another way, have the same
// ||X||^2.
func differ(a, b *symmom.Fit) string {
	if a.Order != b.Order || a.N != b.N || a.Observations != b.Observations {
		size := func(f *symmom.Fit) string {
			return fmt.Sprintf("order %d of %d x %d numbers", f.Order, f.Observations, f.N)
		}
		return size(b) + ", not " + size(a)
	}
	if a.Model == nil || b.Model == nil { // nothing is known of them
		return ""
	}
	if k, l := a.Model.Kind, b.Model.Kind; k != nil && l != nil {
		other := frame.Compare((*frame.Kind)(l), (*frame.Kind)(k), a.Order, false) != nil
		if other || k.Noise != nil && !frame.SameNoise(k.Noise, l.Noise) {
			return l.Describe(a.Order) + ", not " + k.Describe(a.Order)
		}
	}
	if p := a.Model.Origin.Fingerprint; p != "" && p == b.Model.Origin.Fingerprint {
		return ""
	}
	// float32 rounds by 6e-8, which counts 2 d times; estimates are off by five standard
	// errors once in two million times
	const rounding, errors = 1e-5, 5
	x, y := a.NormSquared, b.NormSquared
	if math.Abs(x.Value-y.Value) > rounding*x.Value+errors*math.Hypot(x.StdErr, y.StdErr) {
		return fmt.Sprintf("its ‖X‖² is %.6g, not %.6g", y.Value, x.Value)
	}
	return ""
}
