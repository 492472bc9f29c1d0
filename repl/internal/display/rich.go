package display

import (
	"encoding/json"
	"fmt"
)

// Rich is a piece of a document: what display.HTML and its kin return.
type Rich struct {
	mime string
	data any
	text string
}

// String returns what a terminal shows.
func (r Rich) String() string { return r.text }

// RichText returns the function that makes text of a MIME type.
func RichText(mime string) func(string) Rich {
	return func(s string) Rich { return Rich{mime, s, s} }
}

// RichPNG makes a PNG image.
func RichPNG(data []byte) Rich {
	form, _ := encoded("image/png", data)
	return Rich{"image/png", form, fmt.Sprintf("a PNG image of %d bytes", len(data))}
}

// RichJSON makes JSON of anything that has a JSON form.
func RichJSON(v any) (Rich, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return Rich{}, fmt.Errorf("display.JSON: %w", err)
	}
	return Rich{"application/json", json.RawMessage(data), string(data)}, nil
}

// Handle stands for something that a cell has shown.
type Handle struct {
	update func(v any)
}

// NewHandle returns a handle whose Update calls update.
func NewHandle(update func(v any)) *Handle { return &Handle{update} }

// Update replaces what the handle stands for by v. A terminal, which cannot, shows
// v below.
func (h *Handle) Update(v any) {
	if h != nil && h.update != nil {
		h.update(v)
	}
}
