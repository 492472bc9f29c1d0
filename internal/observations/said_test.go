package observations

import (
	"strings"

	"symmom/internal/notice"
)

// texts is what warnings say, nil if there are none.
func texts(warnings []notice.Warning) []string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Text)
	}
	return all
}

// said joins what warnings say.
func said(warnings []notice.Warning, sep string) string {
	return strings.Join(texts(warnings), sep)
}
