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
