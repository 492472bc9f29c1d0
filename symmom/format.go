package symmom

import (
	"fmt"
	"html"
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

// preformatted makes text safe to show in a page, with its columns in place.
func preformatted(text string) string {
	return "<pre>" + html.EscapeString(text) + "</pre>"
}

// table is a title and rows as a table in HTML, all text escaped. The first
// column is that of the rows' names; head may be nil.
func table(title string, head []string, rows [][]string, notes ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<p><strong>%s</strong></p>\n<table>\n", html.EscapeString(title))
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
