package load

import (
	"strings"

	"symmom/internal/text/diag"
)

// texts returns the texts of warnings, nil if there are none.
func texts(warnings []diag.Warning) []string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Text)
	}
	return all
}

// joined returns the texts of warnings, joined by sep.
func joined(warnings []diag.Warning, sep string) string {
	return strings.Join(texts(warnings), sep)
}
