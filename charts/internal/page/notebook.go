package page

import (
	"fmt"
	"html"
	"strings"

	"symmom/charts/internal/assets"
)

// InNotebook wraps the notebook form of a figure or a report.
func InNotebook(content string) string {
	return asciiReferences(`<div class="symmom" style="position:relative"><style>` + assets.NotebookStyle + `</style>` + content + `</div>`)
}

// Frame wraps a page for a notebook. It takes no more space than the frame itself,
// so that viewers that remove frames leave no gap.
func Frame(title, page, size string) string {
	return fmt.Sprintf(`<iframe title="%s" sandbox="allow-scripts allow-downloads" style="display:block;width:100%%;%s;border:0" srcdoc='%s'></iframe>`,
		html.EscapeString(title), size, attribute.Replace(page))
}

// attribute escapes a page for a single-quoted attribute, in which <, > and the
// many double quotes need no escape.
var attribute = strings.NewReplacer("&", "&amp;", "'", "&#39;")

// asciiReferences writes all non-ASCII characters as character references. A host
// page in another encoding would otherwise change the text, and with it the scripts
// that the security policy identifies by their hashes.
func asciiReferences(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/64)
	for _, r := range s {
		if r < 0x80 {
			b.WriteByte(byte(r))
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}
