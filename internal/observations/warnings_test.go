package observations

import (
	"strings"

	"symmom/internal/notice"
)

// texts returns the texts of warnings, nil if there are none.
func texts(warnings []notice.Warning) []string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Text)
	}
	return all
}

// joined returns the texts of warnings, joined by sep.
func joined(warnings []notice.Warning, sep string) string {
	return strings.Join(texts(warnings), sep)
}
