package topics

import (
	"fmt"
	"strings"

	"symmom/internal/text/words"
)

// Header has the names of the columns of Rows.
var Header = []string{"topic", "share", "coherence", "words"}

// Rows list topics: their shares, coherence and most relevant words. Standard errors of the shares,
// and coherence, may be missing.
func Rows(shares, stderr, coherence []float64, top [][]string) (rows [][]string) {
	for j, names := range top {
		share, together := fmt.Sprintf("%.3f", shares[j]), "-"
		if j < len(stderr) {
			share += words.PlusMinus(stderr[j])
		}
		if j < len(coherence) {
			together = fmt.Sprintf("%.2f", coherence[j])
		}
		rows = append(rows, []string{fmt.Sprint(j + 1), share, together, strings.Join(names, ", ")})
	}
	return rows
}

// Concentration writes it, with its standard error if that is known.
func Concentration(value, stderr float64) string {
	text := words.Brief(value)
	if stderr > 0 {
		text += words.PlusMinus(stderr)
	}
	return text
}
