// Package typeset measures and outlines text in Liberation Sans, which has the metrics
// of Arial and Helvetica. The font is embedded, so that a picture is the same on every
// machine.
package typeset

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/rivo/uniseg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Family is the font of static pictures for viewers that use their own fonts.
const Family = `Liberation Sans, Arial, Helvetica, sans-serif`

// Central is the height of the middle of a line above its baseline, in ems: half of
// ascent (.905) minus descent (.212).
const Central = .3465

type face struct {
	font *sfnt.Font
	em   fixed.Int26_6

	mu     sync.Mutex
	buffer sfnt.Buffer
	glyphs map[rune]Glyph
}

// Glyph is a letter with its advance and outline, in ems, y downward.
type Glyph struct {
	Advance  float64
	Segments []Segment
	Made     bool // of a letter that the font lacks
	Box      bool // in its place
}

// Segment is a piece of an outline: "M" with one point, "L" with one, "Q"
// with two, "C" with three.
type Segment struct {
	Op     byte
	Points [3][2]float64
}

func load(ttf []byte) *face {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("typeset: the embedded font is broken: " + err.Error())
	}
	return &face{font: f, em: fixed.Int26_6(f.UnitsPerEm()), glyphs: map[rune]Glyph{}}
}

var (
	regular = sync.OnceValue(func() *face { return load(liberationsansregular.TTF) })
	bold    = sync.OnceValue(func() *face { return load(liberationsansbold.TTF) })
)

func of(isBold bool) *face {
	if isBold {
		return bold()
	}
	return regular()
}

// Width returns the length of a line of text at a font size, without kerning.
func Width(text string, size float64, isBold bool) float64 {
	w := 0.0
	for _, g := range Glyphs(text, isBold) {
		w += g.Advance
	}
	return w * size
}

// Glyphs returns the letters of a text. A letter that the font lacks becomes an
// empty box, as wide as in a terminal.
func Glyphs(text string, isBold bool) []Glyph {
	f := of(isBold)
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Glyph
	for _, r := range text {
		g, ok := f.glyphs[r]
		if !ok {
			g = f.glyph(r)
			f.glyphs[r] = g
		}
		all = append(all, g)
	}
	return all
}

// Lacks reports whether the font lacks a letter of a text.
func Lacks(text string) bool {
	beyond := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return -1
		}
		return r
	}, text)
	return slices.ContainsFunc(Glyphs(beyond, false), func(g Glyph) bool { return g.Box })
}

// Has reports whether all letters of a text are the font's own.
func Has(text string, isBold bool) bool {
	return !slices.ContainsFunc(Glyphs(text, isBold), func(g Glyph) bool { return g.Made })
}

func (f *face) glyph(r rune) Glyph {
	index, err := f.font.GlyphIndex(&f.buffer, r)
	if err != nil || index == 0 {
		if base, ok := superscripts[r]; ok {
			return f.raised(base)
		}
		return box(r)
	}
	// at one pixel per font unit the numbers are whole, so nothing is rounded
	ppem := f.em << 6
	advance, err := f.font.GlyphAdvance(&f.buffer, index, ppem, font.HintingNone)
	if err != nil {
		return box(r)
	}
	unit := float64(ppem)
	g := Glyph{Advance: float64(advance) / unit}
	segments, err := f.font.LoadGlyph(&f.buffer, index, ppem, nil)
	if err != nil {
		return box(r)
	}
	for _, s := range segments {
		o := Segment{Op: "MLQC"[s.Op]}
		for i, p := range s.Args {
			o.Points[i] = [2]float64{float64(p.X) / unit, float64(p.Y) / unit}
		}
		g.Segments = append(g.Segments, o)
	}
	return g
}

// superscripts that the font may lack; exponents on axes need them.
var superscripts = map[rune]rune{'⁰': '0', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '−'}

// raised returns a letter as a superscript, of the size of the font's own
// superscripts.
func (f *face) raised(r rune) Glyph {
	const size, rise = .6, .33
	g := f.glyph(r)
	g.Made = true
	g.Advance *= size
	for i := range g.Segments {
		for j, p := range g.Segments[i].Points {
			g.Segments[i].Points[j] = [2]float64{size * p[0], size*p[1] - rise}
		}
	}
	return g
}

// box returns a substitute for a letter that the font lacks.
func box(r rune) Glyph {
	w := .55 * float64(uniseg.StringWidth(string(r)))
	if w == 0 {
		return Glyph{Made: true} // a control character or a combining mark
	}
	if w > 1 {
		w = 1
	}
	g := Glyph{Advance: w, Made: true, Box: true}
	ring := func(inset float64, back bool) {
		x0, x1, y0, y1 := .05+inset, w-.05-inset, -.7+inset, -inset
		corners := [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
		if back {
			corners[1], corners[3] = corners[3], corners[1]
		}
		for i, c := range append(corners, corners[0]) {
			op := byte('L')
			if i == 0 {
				op = 'M'
			}
			g.Segments = append(g.Segments, Segment{Op: op, Points: [3][2]float64{c}})
		}
	}
	ring(0, false)
	ring(.05, true)
	return g
}

// Wrap breaks a text into lines at most width long, between words if possible, and
// within a word that is too long by itself.
func Wrap(text string, size float64, isBold bool, width float64) []string {
	var lines []string
	line := ""
	put := func(word string) {
		switch joined := line + " " + word; {
		case line == "":
			line = word
		case Width(joined, size, isBold) <= width:
			line = joined
		default:
			lines, line = append(lines, line), word
		}
		for Width(line, size, isBold) > width {
			cut := ""
			for g := uniseg.NewGraphemes(line); g.Next(); {
				if cut != "" && Width(cut+g.Str(), size, isBold) > width {
					break
				}
				cut += g.Str()
			}
			rest := line[len(cut):]
			if rest == "" {
				return // a single letter, wider than the line
			}
			lines, line = append(lines, cut), rest
		}
	}
	for _, word := range strings.Fields(text) {
		put(word)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
