package topics

import (
	"fmt"
	"math"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// When a doubt is told: short documents are this share of all; two topics differ by less than
// this, of at most 2.
const (
	manyShort = .05
	alike     = .2
)

// Doubts warns of documents that the moments leave out, of topics that the second moment does not
// tell from noise or that are nearly the same, and of a polish that did not converge.
func (r *Result) Doubts(d *Documents, momentsOnly, interrupted bool) (warnings []diag.Warning) {
	k, n := len(r.Weights), len(d.Words)
	p, _ := d.Shape()
	if d.Empty > 0 {
		warnings = append(warnings, diag.New(diag.LeftOut, "%s of %s without words: left out", words.Plural(d.Empty, "document"), words.Count(p)))
	}
	if few := d.Short - d.Empty; float64(few) > manyShort*float64(p) {
		warnings = append(warnings, diag.New(diag.LeftOut, "%s of %s with one or two words are not in the moments, which take three", words.Plural(few, "document"), words.Count(p)))
	}
	if r.Above < k {
		above := "none of the topics stands"
		if r.Above > 0 {
			above = fmt.Sprintf("only %d of the %s stand", r.Above, words.Plural(k, "topic"))
		}
		warnings = append(warnings, diag.New(diag.Rank, "%s out from the noise of the pairs of words: the rest may be chance; take fewer topics or more documents", above).With("topics"))
	}
	least, at := math.Inf(1), [2]int{}
	for i := range k {
		for j := range i {
			apart := 0.
			for w := range n {
				apart += math.Abs(r.Topics[i*n+w] - r.Topics[j*n+w])
			}
			if apart < least {
				least, at = apart, [2]int{j, i}
			}
		}
	}
	if least < alike {
		warnings = append(warnings, diag.New(diag.Degenerate, "topics %d and %d are nearly the same: their words differ by %.2g, of at most 2; take fewer topics", at[0]+1, at[1]+1, least).With("topics"))
	}
	if r.unknown && k > 1 {
		warnings = append(warnings, diag.New(diag.Estimates, "the documents do not tell the concentration, so %.3g is taken", r.Concentration).With("Concentration"))
	}
	if !momentsOnly && !interrupted && !r.Converged {
		warnings = append(warnings, diag.New(diag.NotConverged, "the polish stopped after %s before it converged: allow more", words.Plural(r.Iterations, "iteration")).With("MaxIterations"))
	}
	return warnings
}
