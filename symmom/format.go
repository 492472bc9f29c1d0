package symmom

import (
	"fmt"
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
