package words

import (
	"math"
	"slices"
	"strings"
)

var blocks = []rune("▁▂▃▄▅▆▇█")

// Sparkline draws values as blocks, one a value, the lowest at the bottom and the
// highest at the top; equal ones are all at the bottom.
func Sparkline(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	lo, hi := slices.Min(values), slices.Max(values)
	var b strings.Builder
	for _, v := range values {
		level := 0.
		if hi > lo {
			level = (v - lo) / (hi - lo)
		}
		b.WriteRune(blocks[int(math.Round(level*float64(len(blocks)-1)))])
	}
	return b.String()
}

// Thinned returns at most most of the values, evenly spaced, with the first and the last.
func Thinned(values []float64, most int) []float64 {
	at := make([]float64, min(most, len(values)))
	for k := range at {
		if n := len(at); n > 1 {
			at[k] = values[k*(len(values)-1)/(n-1)]
		} else {
			at[k] = values[0]
		}
	}
	return at
}
