package charts

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"symmom/charts/internal/blocks"

	"github.com/rivo/uniseg"
	"gonum.org/v1/gonum/mat"
)

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestBlocksAreThePicture(t *testing.T) {
	// one character for each half of a pixel's width, so smoothing only at the
	// borders between pixels
	m := mat.NewDense(4, 2, []float64{
		1, -1,
		0, 0,
		.5, -.5,
		0, 0})
	got := Blocks(m, 2, 2, BlockOptions{Names: []string{"a", "b"}, Width: 2*blocks.Margin + 9, PerRow: 2})
	want := strings.Join([]string{
		"  █▓░  ==-",
		"  ▒▒░  --",
		"   a    b",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	color := Blocks(m, 2, 2, BlockOptions{Names: []string{"a", "b"}, Width: 2*blocks.Margin + 9, PerRow: 2, Color: true})
	first := strings.SplitN(color, "\n", 2)[0]
	// the corner pixels are whole: 1 is the lightest grey, -1 orange; below each is
	// the colour of the next half line, three quarters of the way down to a half
	for _, want := range []string{"\x1b[38;5;255;48;5;252m▀", "\x1b[38;5;208;48;5;166m▀", "\x1b[0m"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in %q", want, first)
		}
	}
}

func TestBlocksOfTenDigitsFitTheTerminal(t *testing.T) {
	m := mat.NewDense(64, 10, nil)
	for j := range 10 {
		for i := range 64 {
			m.Set(i, j, math.Abs(math.Sin(float64(i*(j+1)))))
		}
	}
	for _, color := range []bool{false, true} {
		s := Blocks(m, 8, 8, BlockOptions{Color: color, Truth: m, TruthNames: []string{"zero", "a name that is longer than its picture", "tab\tand \x1b[31mred"}})
		lines := strings.Split(escapes.ReplaceAllString(s, ""), "\n")
		if len(lines) != 2*(7+2)+1 {
			t.Errorf("%d lines, want two rows of 7 lines, with two labels each, and one between", len(lines))
		}
		for _, l := range lines {
			if w := uniseg.StringWidth(l); w > 80-blocks.Margin {
				t.Errorf("%d columns: %q", w, l)
			}
		}
		if !strings.Contains(s, "cosine 1.000") || !strings.Contains(s, "a name that i…") || strings.Contains(s, "\x1b[31m") {
			t.Errorf("labels:\n%s\n%s", lines[7], lines[8])
		}
	}
	for _, o := range []BlockOptions{{Width: 40}, {Width: 3}, {PerRow: 3}, {Width: 200, PerRow: 10, CommonScale: true}} {
		s := Blocks(m, 8, 8, o)
		width := max(o.Width, 2*blocks.Margin+5*2+4*blocks.Gap) // at least two columns per picture
		if o.Width == 0 {
			width = 80
		}
		for _, l := range strings.Split(s, "\n") {
			if w := uniseg.StringWidth(l); w > width {
				t.Errorf("%+v: %d columns: %q", o, w, l)
			}
		}
	}
}

func TestBlocksShrinkLargePictures(t *testing.T) {
	// a white half and a black half of 100 x 100 pixels, averaged
	m := mat.NewDense(10000, 1, nil)
	for i := range 10000 {
		if i%100 < 50 {
			m.Set(i, 0, 1)
		}
	}
	lines := strings.Split(Blocks(m, 100, 100, BlockOptions{PerRow: 5}), "\n")
	if len(lines) != 8 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines[:7] {
		if l != "  ███████" {
			t.Errorf("%q", l)
		}
	}
}

func TestBlocksLeaveOutWhatWasNotFound(t *testing.T) {
	s := Blocks(mat.NewDense(1, 1, []float64{1}), 1, 1, BlockOptions{Truth: mat.NewDense(1, 2, []float64{1, 1}), Width: 80})
	if strings.Count(s, "█") != 2 {
		t.Errorf("one pixel, two columns wide:\n%s", s)
	}
	if zero := Blocks(mat.NewDense(1, 1, nil), 1, 1, BlockOptions{}); strings.ContainsAny(zero, "░▒▓█-=") {
		t.Errorf("zero is drawn as %q", zero)
	}
}

func TestBlocksErrors(t *testing.T) {
	if s := Blocks(mat.NewDense(3, 1, nil), 2, 2, BlockOptions{}); !strings.HasPrefix(s, "failed blocks: found: got a 3 x 1 matrix") || strings.Contains(s, "\n") {
		t.Errorf("%q", s)
	}
}
