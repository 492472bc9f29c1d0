package datasets

import (
	"fmt"

	"symmom/internal/draw"
	"symmom/symmom"
)

// Uniform draws observations of n variables, each uniform on (0, 1): the paper's
// data without structure (section timing-comp-expl). Seed 0 is seed 1.
func Uniform(n, observations int, seed uint64) *symmom.Session {
	if n < 1 || observations < 1 {
		return symmom.Failed(&symmom.ArgumentError{Argument: "n, observations", Value: fmt.Sprintf("%d, %d", n, observations), Want: "at least 1 each"})
	}
	if err := draw.CheckMemory(float64(observations), n); err != nil {
		return symmom.Failed(err)
	}
	return symmom.FromMatrix(draw.Uniform(n, observations, seed))
}
