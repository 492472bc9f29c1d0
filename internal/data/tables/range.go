package tables

import (
	"fmt"
	"math"
)

// OutOfRange returns the error for data whose second moment does not fit in a float64.
func OutOfRange(source string, span float64) error {
	span = math.Min(span, math.MaxFloat64) // the length of an observation may be infinite
	what, remedy := "large", "divide"
	if span < 1 {
		what, remedy = "small", "multiply"
	}
	return fmt.Errorf("%s: its values, up to %.3g, are too %s to be squared; %s the data by a constant", source, span, what, remedy)
}
