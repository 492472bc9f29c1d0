package typeset

import (
	"math"
	"strings"
	"testing"
)

// Liberation Sans has the widths of Helvetica, in Adobe's metrics, in thousandths
// of the size. The font's own unit is 1/2048.
func TestWidthsAreThoseOfHelvetica(t *testing.T) {
	for text, want := range map[string]float64{"Hello": 722 + 556 + 222 + 222 + 556, "0123456789": 5560, "Wim": 944 + 222 + 833, ". ": 556} {
		if got := Width(text, 1000, false); !(math.Abs(got-want) <= float64(len(text))/2) {
			t.Errorf("%q is %.1f wide, want %v", text, got, want)
		}
	}
	if got, want := Width("Hello", 1000, true), 722+556+278+278+611.; !(math.Abs(got-want) <= 3) {
		t.Errorf("bold: %.1f, want %v", got, want)
	}
}

// The font has every letter that charts write.
func TestLettersThatChartsUse(t *testing.T) {
	for _, r := range "λσ‖²³·−…×→≥≤±∞⁰¹²³⁴⁵⁶⁷⁸⁹⁻äöüéßñçАЯабвΣμνα" {
		f := of(false)
		index, err := f.font.GlyphIndex(&f.buffer, r)
		if _, raised := superscripts[r]; (err != nil || index == 0) && !raised {
			t.Errorf("no letter %q", r)
		}
		if g := Glyphs(string(r), false); len(g) != 1 || g[0].Advance <= 0 || len(g[0].Segments) == 0 {
			t.Errorf("%q: %+v", r, g)
		}
	}
	if Lacks("λ‖²·− Größe 10⁻⁴\u0301") || !Lacks("in 東京") {
		t.Error("Lacks is wrong")
	}
	if w := Width("国", 10, false); !(math.Abs(w-10) <= .01) {
		t.Errorf("国 is %v wide, want an em", w)
	}
	if w := Width("\x00\u0301\u200b", 10, false); w > 4 {
		t.Errorf("what cannot be seen is %v wide", w)
	}
}

func TestWrap(t *testing.T) {
	const text = "A sentence of several words, of which one is supercalifragilisticexpialidocious,  and\nsome more."
	for _, width := range []float64{1, 60, 100, 300, 5000} {
		lines := Wrap(text, 12, false, width)
		for _, l := range lines {
			if w := Width(l, 12, false); w > width && len([]rune(l)) > 1 {
				t.Errorf("%q is %.0f wide, want at most %.0f", l, w, width)
			}
		}
		squeeze := strings.NewReplacer(" ", "", "\n", "")
		if got := squeeze.Replace(strings.Join(lines, "")); got != squeeze.Replace(text) {
			t.Errorf("at %.0f letters are lost: %q", width, lines)
		}
	}
	if got := Wrap(" \n", 12, false, 100); len(got) != 0 {
		t.Errorf("blank text has the lines %q", got)
	}
	if got := Wrap(text, 12, false, 5000); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
