package symmom

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"symmom/internal/words"
)

// errorLine is what a stage shows that has nothing but an error.
func errorLine(stage string, err error) string {
	if err == nil {
		return "empty " + stage
	}
	return "failed " + stage + ": " + err.Error()
}

func ordinal(d int) string {
	suffix := "th"
	switch {
	case d%100 >= 11 && d%100 <= 13:
	case d%10 == 1:
		suffix = "st"
	case d%10 == 2:
		suffix = "nd"
	case d%10 == 3:
		suffix = "rd"
	}
	return strconv.Itoa(d) + suffix
}

// power writes n^d, exactly while that is readable.
func power(n, d int) string {
	if v := math.Pow(float64(n), float64(d)); v < 1e15 {
		return words.Count(int(v))
	}
	return fmt.Sprintf("%d^%d", n, d)
}

// size writes a number of bytes.
func size(b float64) string { return words.Bytes(b) }

// numbers writes at most limit of the values.
func numbers(v []float64, limit int) string {
	parts := make([]string, 0, limit+1)
	for i, x := range v {
		if i == limit {
			parts = append(parts, fmt.Sprintf("... (%d in all)", len(v)))
			break
		}
		parts = append(parts, fmt.Sprintf("%.5g", x))
	}
	return strings.Join(parts, "  ")
}
