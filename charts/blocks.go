package charts

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/blocks"
)

// BlockOptions are the options of Blocks. The zero value draws every column
// without colour for a terminal 80 columns wide.
type BlockOptions struct {
	// Color draws in the grey levels of 256-colour terminals, two pixels a
	// character, light on dark: the finer picture. Without it the shades
	// ░▒▓█ are the grey levels, and need only the characters.
	Color bool

	Width  int // columns of the terminal; default 80
	PerRow int // pictures side by side; default 5

	Names []string // of the columns, by column; default "component 1", ...; cut to the width

	// Truth and TruthNames order the columns by the true ones that they match, give
	// them the same sign and show the cosine; see ImageOptions. The true columns
	// themselves are not drawn.
	Truth      mat.Matrix
	TruthNames []string

	CommonScale bool // see ImageOptions
}

// Blocks draws the columns of found, n x r with n = rows*cols, as pictures of
// rows x cols pixels in row order, with block characters, smoothed to the
// size that fits. Negative values are orange with Color, - and = without. The
// text has no newline at its end. Bad arguments give one line that says what
// is wrong.
func Blocks(found mat.Matrix, rows, cols int, options ...BlockOptions) string {
	o, err := atMostOne(options)
	if err != nil {
		return "failed blocks: " + err.Error()
	}
	set, err := newImageSet(found, rows, cols, ImageOptions{
		Truth: o.Truth, Names: o.Names, TruthNames: o.TruthNames, CommonScale: o.CommonScale,
	})
	if err != nil {
		return "failed blocks: " + err.Error()
	}
	perRow, width := o.PerRow, o.Width
	if perRow < 1 {
		perRow = 5
	}
	if width < 1 {
		width = 80
	}
	g := blocks.New(rows, cols, perRow, width, o.Color)
	for _, m := range set.matches {
		if m.found < 0 {
			continue
		}
		label := set.names[m.found]
		if m.truth >= 0 {
			label = fmt.Sprintf("%s\ncosine %.3f", oneLine(set.truthNames[m.truth]), m.cosine)
		}
		g.Add(set.column(m), rows, cols, set.foundScale(m), label)
	}
	return g.String()
}
