package charts

import (
	"fmt"
	"slices"

	"symmom/charts/internal/svg"
	"symmom/charts/internal/typeset"
)

// defaultScale prints a picture of 960 pixels at 300 dots an inch over 6.4
// inches, the width of a page's text.
const defaultScale = 2

const maxScale = 16

// PNG returns the picture of SVG in pixels, Scale a unit. Pictures of the same
// figure are equal on machines of one kind; elsewhere rounding may move a
// level of a pixel.
func (f *Figure) PNG() []byte {
	b, err := f.png()
	if err == nil {
		return b
	}
	if b, err = svg.PNG(f.apology(err), defaultScale, false); err != nil {
		return nil // does not happen: the picture of an error is only a few lines of text
	}
	return b
}

func (f *Figure) png() ([]byte, error) {
	scale := f.Scale
	if scale == 0 {
		scale = defaultScale
	}
	if !(scale >= .1 && scale <= maxScale) {
		return nil, fmt.Errorf("charts: scale %v of %q: want 0.1 to %d", f.Scale, oneLine(f.Title), maxScale)
	}
	n, err := f.painted("PNG")
	if err != nil {
		return nil, err
	}
	b, err := svg.PNG(n, scale, len(f.pictures) > 0)
	if err != nil {
		return nil, fmt.Errorf("charts: PNG of %q: %w", oneLine(f.Title), err)
	}
	return b, nil
}

// painted is static for a format whose text is painted, with a note on what its font lacks.
func (f *Figure) painted(format string) (*svg.Node, error) {
	n, err := f.static()
	if err == nil && typeset.Lacks(n.String()) {
		noted := *f
		noted.Notes = append(slices.Clip(f.Notes), fmt.Sprintf("Letters that the font of a %s lacks are boxes; SVG and pages have them.", format))
		n, err = noted.static()
	}
	return n, err
}

// pdf returns the picture of SVG as a page of a document.
func (f *Figure) pdf() ([]byte, error) {
	n, err := f.painted("PDF")
	if err != nil {
		return nil, err
	}
	b, err := svg.PDF(n)
	if err != nil {
		return nil, fmt.Errorf("charts: PDF of %q: %w", oneLine(f.Title), err)
	}
	return b, nil
}
