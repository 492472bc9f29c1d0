package display

import (
	"encoding/json"
	"fmt"

	"symmom/repl/internal/boxed"
)

// Rich is a formatted piece of output, as returned by display.HTML and similar
// functions.
type Rich struct {
	mime string
	data any
	text string
	png  []byte
}

// String returns the text displayed in a terminal.
func (r Rich) String() string { return r.text }

// RichText returns the function that converts text to the given MIME type.
func RichText(mime string) func(string) Rich {
	return func(s string) Rich { return Rich{mime: mime, data: s, text: s} }
}

// RichPNG returns a PNG image.
func RichPNG(data []byte) Rich {
	form, _ := encoded("image/png", data)
	return Rich{"image/png", form, fmt.Sprintf("a PNG image of %d bytes", len(data)), data}
}

// RichJSON returns the JSON form of v.
func RichJSON(v any) (Rich, error) {
	data, err := boxed.JSON(v)
	if err != nil {
		return Rich{}, fmt.Errorf("display.JSON: %w", err)
	}
	return Rich{mime: "application/json", data: json.RawMessage(data), text: string(data)}, nil
}

// Handle identifies something that a cell has displayed.
type Handle struct {
	update func(v any)
}

// NewHandle returns a handle whose Update calls update.
func NewHandle(update func(v any)) *Handle { return &Handle{update} }

// Update replaces the displayed output by v. A terminal, which cannot replace output,
// displays v below.
func (h *Handle) Update(v any) {
	if h != nil && h.update != nil {
		h.update(v)
	}
}
