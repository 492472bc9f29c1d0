package paper

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// number is a float64 that is null in JSON if it is NaN or infinite.
type number float64

// MarshalJSON writes null for values that JSON cannot represent.
func (x number) MarshalJSON() ([]byte, error) {
	if !linalg.Finite(float64(x)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// UnmarshalJSON reads null as NaN.
func (x *number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*x = number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(x))
}

// fitRecord is the stored result of a decomposition.
type fitRecord struct {
	Form          string           `json:"form"`
	Solver        string           `json:"solver"`
	F             number           `json:"f"` // shifted, of the best start
	NormSquared   number           `json:"norm_squared"`
	NormStdErr    number           `json:"norm_squared_stderr,omitempty"` // of an estimate
	RelativeError number           `json:"relative_error"`
	GradientNorm  number           `json:"gradient_norm"`
	Score         number           `json:"score"`
	Seconds       number           `json:"seconds"` // all starts, by the clock
	CPU           number           `json:"cpu_seconds"`
	Evaluations   int              `json:"evaluations"`
	Starts        starts           `json:"starts"`
	Warnings      []symmom.Warning `json:"warnings,omitempty"`
}

// starts are the starts of a decomposition, in order.
type starts struct {
	F           []number `json:"f"` // shifted
	Seconds     []number `json:"seconds"`
	Evaluations []int    `json:"evaluations"`
	Status      []string `json:"status"`
}

// recordOf converts the last fit to a record. truth may be nil.
func (r *runner) recordOf(fit *symmom.Fit, truth mat.Matrix) (fitRecord, error) {
	rec := fitRecord{Form: fit.Form, Solver: fit.Solver, F: number(fit.ObjectiveShifted),
		NormSquared: number(fit.NormSquared.Value), NormStdErr: number(fit.NormSquared.StdErr),
		RelativeError: number(fit.RelativeError), GradientNorm: number(fit.GradientNorm), Score: number(math.NaN()),
		Seconds: number(fit.Elapsed.Seconds()), CPU: number(r.cpu), Evaluations: fit.Evaluations, Warnings: fit.Warnings}
	for _, s := range fit.Starts {
		rec.Starts.F = append(rec.Starts.F, number(s.ObjectiveShifted))
		rec.Starts.Seconds = append(rec.Starts.Seconds, number(s.Elapsed.Seconds()))
		rec.Starts.Evaluations = append(rec.Starts.Evaluations, s.Evaluations)
		rec.Starts.Status = append(rec.Starts.Status, s.Status)
	}
	if truth == nil {
		return rec, nil
	}
	score := fit.Score(truth)
	rec.Score = number(score.Value)
	return rec, score.Err()
}

// within counts the starts whose f is at most .01 above a value.
func (s starts) within(best number) int {
	n := 0
	for _, f := range s.F {
		if float64(f-best) <= successWithin { // false for a NaN
			n++
		}
	}
	return n
}

// meanAndDeviation returns the mean and the standard deviation, with n-1 in the
// denominator.
func meanAndDeviation[T int | number](v []T) (mean, deviation float64) {
	for _, x := range v {
		mean += float64(x) / float64(len(v))
	}
	for _, x := range v {
		deviation += (float64(x) - mean) * (float64(x) - mean)
	}
	return mean, math.Sqrt(deviation / float64(max(1, len(v)-1)))
}
