package svg

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"slices"
)

// PNG paints a picture, scale pixels per unit. It uses a palette if that does not
// show; exact keeps every shade as far as a palette can.
func PNG(n *Node, scale float64, exact bool) ([]byte, error) {
	goal := paletteGoal
	if exact {
		goal = 0
	}
	m, err := Raster(n, scale)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := png.Encoder{} // the best compression takes 8 to 20 times as long and saves a tenth
	if err := e.Encode(&b, compact(m, goal)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Limits on the distance, of 255, between a colour and the palette colour that
// replaces it: a palette grows until all colours are within the first, and is not
// used if some are not within the second.
const (
	paletteGoal  = 12 // 0 for pictures, whose shades are their values
	PaletteError = 32
)

// flatColors is the number of colours that a palette keeps exactly: the most
// frequent ones, if each fills rareColor of the pixels.
const (
	flatColors = 192
	rareColor  = 1. / 1000
)

// compact returns the picture with a palette of up to 256 colours, which takes a
// quarter of the bytes, or unchanged if the palette would show. Smoothed edges have
// more shades than an eye can distinguish; the pictures are never photographs.
func compact(m *image.RGBA, goal int) image.Image {
	type bucket struct{ count, most, color uint32 }
	counts := map[uint32]uint32{}
	for i := 0; i < len(m.Pix); i += 4 {
		counts[uint32(m.Pix[i])<<16|uint32(m.Pix[i+1])<<8|uint32(m.Pix[i+2])]++
	}
	const merge = 0xf8f8f8 // colours that agree in five bits per channel are counted together
	buckets := map[uint32]bucket{}
	for c, n := range counts {
		b := buckets[c&merge]
		b.count += n
		if n > b.most || n == b.most && c < b.color {
			b.most, b.color = n, c
		}
		buckets[c&merge] = b
	}
	used := slices.Collect(maps.Values(buckets))
	slices.SortFunc(used, func(a, b bucket) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.color, b.color))
	})
	// the most frequent colours, then repeatedly the colour farthest from all of
	// them
	palette := newPalette(counts)
	for _, b := range used[:min(len(used), flatColors)] {
		if goal > 0 && float64(b.count) < rareColor*float64(len(m.Pix)/4) {
			break
		}
		palette.add(b.color)
	}
	for palette.farthest() > goal && len(palette.colors) < 256 {
		palette.add(palette.worst)
	}
	if palette.farthest() > PaletteError {
		return m
	}
	out := image.NewPaletted(m.Rect, nil)
	for _, c := range palette.colors {
		out.Palette = append(out.Palette, color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255})
	}
	for i := 0; i < len(m.Pix); i += 4 {
		out.Pix[i/4] = palette.nearest[uint32(m.Pix[i])<<16|uint32(m.Pix[i+1])<<8|uint32(m.Pix[i+2])].at
	}
	return out
}

// palette256 is a growing palette that remembers which of its colours is nearest to
// each colour of a picture.
type palette256 struct {
	colors  []uint32
	nearest map[uint32]place
	worst   uint32 // the colour farthest from the palette
}

type place struct {
	at       uint8
	distance int
}

func newPalette(counts map[uint32]uint32) *palette256 {
	p := &palette256{nearest: make(map[uint32]place, len(counts))}
	for c := range counts {
		p.nearest[c] = place{distance: math.MaxInt}
	}
	return p
}

func (p *palette256) add(color uint32) {
	at := uint8(len(p.colors))
	p.colors = append(p.colors, color)
	for c, n := range p.nearest {
		if d := Distance(c, color); d < n.distance {
			p.nearest[c] = place{at, d}
		}
	}
}

func (p *palette256) farthest() int {
	most := -1
	for c, n := range p.nearest {
		if n.distance > most || n.distance == most && c < p.worst {
			most, p.worst = n.distance, c
		}
	}
	return most
}

// Distance returns the largest difference in any channel of two colours, 0xrrggbb.
func Distance(a, b uint32) int {
	d := 0
	for shift := 0; shift <= 16; shift += 8 {
		x := int(a>>shift&255) - int(b>>shift&255)
		d = max(d, x, -x)
	}
	return d
}
