package display

import (
	"encoding/base64"
	"fmt"

	"symmom/internal/text/htmltext"
	"symmom/widgets"
)

// interaction describes controls and their result.
func interaction(x *widgets.Interaction) string {
	values, err := x.Result()
	if err != nil {
		values = append(values, err)
	}
	return x.TextAbove(Text(values))
}

// interactionPage returns the same for a notebook, where nothing can be set.
func interactionPage(x *widgets.Interaction) string {
	values, err := x.Result()
	if err != nil {
		values = append(values, err)
	}
	return x.HTMLAbove(Quick(values).Page())
}

// Quick is like New for something that is shown live and replaced soon: with the text
// and one other representation at most, so that no picture is drawn that nobody sees.
func Quick(values []any) Bundle {
	values = Shown(values)
	if len(values) == 0 {
		return nil
	}
	b := Bundle{TextPlain: Text(values)}
	if len(values) == 1 {
		b.add(values[0], 1)
	}
	return b
}

// Page returns the bundle in HTML.
func (b Bundle) Page() string {
	if page, ok := b["text/html"].(string); ok {
		return page
	}
	if picture, ok := b["image/svg+xml"].(string); ok {
		return `<img src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(picture)) + `">`
	}
	if picture, ok := b["image/png"].(string); ok {
		return `<img src="data:image/png;base64,` + picture + `">`
	}
	if len(b) == 0 {
		return ""
	}
	return htmltext.Preformatted(fmt.Sprint(b[TextPlain]))
}
