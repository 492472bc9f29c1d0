// Package htmltext writes text and tables of text as HTML, for notebooks.
package htmltext

import (
	"fmt"
	"html"
	"strings"
)

// Preformatted makes text safe to show in a page, with its columns in place.
func Preformatted(text string) string {
	return "<pre>" + html.EscapeString(text) + "</pre>"
}

// Table is a title and rows as a table in HTML, all text escaped. The first
// column is that of the rows' names; title and head may be empty.
func Table(title string, head []string, rows [][]string, notes ...string) string {
	var b strings.Builder
	if title != "" {
		fmt.Fprintf(&b, "<p><strong>%s</strong></p>\n", html.EscapeString(title))
	}
	b.WriteString("<table>\n")
	if head != nil {
		b.WriteString("<thead><tr>")
		for _, h := range head {
			fmt.Fprintf(&b, "<th>%s</th>", html.EscapeString(h))
		}
		b.WriteString("</tr></thead>\n")
	}
	b.WriteString("<tbody>\n")
	align := "" // text in the column of values; numbers as the notebook has them
	if head == nil {
		align = ` style="text-align:left"`
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "<tr><th%s>%s</th>", align, html.EscapeString(row[0]))
		for _, cell := range row[1:] {
			fmt.Fprintf(&b, "<td%s>%s</td>", align, html.EscapeString(cell))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>")
	for _, n := range notes {
		fmt.Fprintf(&b, "\n<p>%s</p>", html.EscapeString(n))
	}
	return b.String()
}
