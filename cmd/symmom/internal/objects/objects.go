// Package objects defines the output of --json, as in docs/reference/output.schema.json.
// The order of the fields is that of the keys.
package objects

import (
	"encoding/json"
	"math"

	"symmom/symmom"
)

// Number is a float64 that is null in JSON if it is NaN or infinite.
type Number float64

// MarshalJSON writes every bit.
func (x Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// Numbers returns numbers for JSON, [] if there are none.
func Numbers(v []float64) []Number {
	out := make([]Number, len(v))
	for i, x := range v {
		out[i] = Number(x)
	}
	return out
}

// ifEstimate returns the standard error of an estimate, and nil for an exact value,
// whose key is then left out.
func ifEstimate(norm symmom.Norm, stdErr float64) *Number {
	if norm.Exact() {
		return nil
	}
	x := Number(stdErr)
	return &x
}
