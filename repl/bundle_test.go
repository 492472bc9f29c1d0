package repl

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"symmom/repl/internal/display"
)

type richValue struct{ fail bool }

func (richValue) String() string { return "text" }
func (richValue) HTML() string   { return "<i>page</i>" }
func (r richValue) PNG() ([]byte, error) {
	if r.fail {
		return nil, errors.New("no picture")
	}
	return []byte("png"), nil
}
func (richValue) SVG() string            { return "<svg/>" }
func (*richValue) Markdown() []byte      { return []byte("*page*") }
func (richValue) JSON() string           { return "{broken" }
func (richValue) LaTeX(extra int) string { return "not of the form" }

func forms(b Bundle) string {
	var out []string
	for mime, v := range b {
		out = append(out, fmt.Sprintf("%s %v", mime, v))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// TestPicture: an image is a picture, also one of a cell's type, unless its type shows
// itself in another way or it is too large.
func TestPicture(t *testing.T) {
	s := newSession(t)
	s.must(t, `import ("image"; "image/color")
type Own struct{ w, h int }
func (Own) ColorModel() color.Model { return color.RGBAModel }
func (o Own) Bounds() image.Rectangle { return image.Rect(0, 0, o.w, o.h) }
func (o Own) At(x, y int) color.Color { return color.RGBA{uint8(o.w), uint8(x), uint8(y), 255} }
type Chart struct{ image.Image }
func (Chart) HTML() string { return "<i>" }`)
	for source, want := range map[string]struct {
		text  string
		pixel color.Color // at 2, 1; nil if there is no picture
	}{
		"image.NewGray(image.Rect(0, 0, 3, 2))":       {"*image.Gray of 3 x 2 pixels", color.RGBA{0, 0, 0, 255}},
		"*image.NewGray(image.Rect(0, 0, 3, 2))":      {"image.Gray of 3 x 2 pixels", color.RGBA{0, 0, 0, 255}},
		"Own{3, 2}":                                   {"main.Own of 3 x 2 pixels", color.RGBA{3, 2, 1, 255}},
		"&Own{4, 2}":                                  {"*main.Own of 4 x 2 pixels", color.RGBA{4, 2, 1, 255}},
		"image.Image(Own{3, 2})":                      {"main.Own of 3 x 2 pixels", color.RGBA{3, 2, 1, 255}},
		"Own{0, 2}":                                   {"main.Own of 0 x 2 pixels", nil},
		"image.NewUniform(color.Black)":               {"*image.Uniform of 2000000000 x 2000000000 pixels", nil},
		"image.NewRGBA(image.Rect(0, 0, 8000, 8000))": {"*image.RGBA of 8000 x 8000 pixels", nil},
		"(*image.RGBA)(nil)":                          {"<nil>", nil},
	} {
		r, err := s.Eval(t.Context(), source)
		if err != nil {
			t.Fatal(source, err)
		}
		b := r.Bundle()
		data, _ := b["image/png"].(string)
		text, _ := base64.StdEncoding.DecodeString(data)
		if b["text/plain"] != want.text || len(b) > 2 || string(text) != string(PNG(r.Values[0])) || want.pixel == nil && data != "" {
			t.Errorf("%s: %v", source, b)
		}
		if want.pixel == nil {
			continue
		}
		p, err := png.Decode(bytes.NewReader(text))
		if err != nil || color.RGBAModel.Convert(p.At(2, 1)) != want.pixel {
			t.Errorf("%s: %v, %v", source, p, err)
		}
	}
	if r, err := s.Eval(t.Context(), "Chart{Own{3, 2}}"); err != nil || r.Bundle()["text/html"] != "<i>" || r.Bundle()["image/png"] != nil {
		t.Error(forms(r.Bundle()), err)
	}
}

func TestBundle(t *testing.T) {
	picture := base64.StdEncoding.EncodeToString([]byte("png"))
	for _, c := range []struct {
		values []any
		want   string
	}{
		{nil, ""},
		{[]any{3}, "text/plain 3"},
		{[]any{3, nil}, "text/plain 3"},
		{[]any{3, errors.New("no")}, "text/plain 3\nerror: no"},
		// One picture as well as the page; broken JSON is left out.
		{[]any{richValue{}}, "image/png " + picture + "; text/html <i>page</i>; text/markdown *page*; text/plain text"},
		{[]any{richValue{fail: true}},
			"image/svg+xml <svg/>; text/html <i>page</i>; text/markdown *page*; text/plain text"},
		{[]any{(*richValue)(nil)}, "text/plain <nil>"},
		{[]any{display.RichText("text/html")("<b>")}, "text/html <b>; text/plain <b>"},
		{[]any{&Handle{}}, ""},
	} {
		if got := forms(Result{Values: c.values}.Bundle()); got != c.want {
			t.Errorf("%v: %s\nwant %s", c.values, got, c.want)
		}
	}
}

// Without a notebook, what is shown is printed.
func TestDisplayPrints(t *testing.T) {
	s := newSession(t)
	s.must(t, "h := display.Show(1, display.HTML(\"<b>\"))\nh.Update(2)\ndisplay.Clear()")
	if got := s.out.String(); got != "1\n<b>\n2\n" {
		t.Errorf("%q", got)
	}
}

// A value of a type that a cell declares shows itself by its methods.
func TestOwnForms(t *testing.T) {
	s := newSession(t)
	s.must(t, `type Page struct{ text string }
func (p Page) HTML() string { return "<b>" + p.text + "</b>" }
func (p Page) String() string { return p.text }
type Sheet struct{ n int }
func (s *Sheet) Markdown() ([]byte, error) {
	if s.n < 0 {
		return nil, fmt.Errorf("negative")
	}
	return []byte(fmt.Sprint("# ", s.n)), nil
}
func (s *Sheet) JSON(int) string { return "1" }
type Big struct{ Page; N float64 }
type Formula string
func (f Formula) LaTeX() string { return "$" + string(f) + "$" }
type Shower interface{ HTML() string }
type Box[T any] struct{ v T }
func (b Box[T]) SVG() string { return fmt.Sprintf("<svg>%v</svg>", b.v) }
func (b Box[T]) PNG() []byte { return nil }
func (b *Box[T]) JSON() string { return fmt.Sprint(b.v) }
var a any = Page{"any"}
var in Shower = Page{"in"}
func two() (Page, error) { return Page{"two"}, nil }`)
	for _, c := range [][2]string{
		{`Page{"a"}`, "text/html <b>a</b>; text/plain a"},
		{`&Page{"b"}`, "text/html <b>b</b>; text/plain b"},
		{`(*Page)(nil)`, "text/plain <nil>"},
		{`Sheet{3}`, "text/markdown # 3; text/plain {3}"},
		{`&Sheet{-1}`, "text/plain &{-1}"},
		{`Big{Page{"big"}, 2}`, "text/html <b>big</b>; text/plain big"},
		{`Formula("x^2")`, "text/latex $x^2$; text/plain x^2"},
		{`Box[int]{4}`, "application/json 4; image/svg+xml <svg>4</svg>; text/plain {4}"},
		{`a`, "text/html <b>any</b>; text/plain any"},
		{`in`, "text/html <b>in</b>; text/plain in"},
		{`two()`, "text/html <b>two</b>; text/plain two"},
	} {
		r, err := s.Eval(t.Context(), c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := strings.ReplaceAll(forms(r.Bundle()), "application/json [52]", "application/json 4"); got != c[1] {
			t.Errorf("%s: %s\nwant %s", c[0], got, c[1])
		}
	}
	var shown []string
	s.Session.config.Display = func(d Display) { shown = append(shown, forms(d.Bundle)) }
	s.must(t, `h := display.Show(Page{"x"}, in)
h.Update(&Page{"y"})
// declared again, the method is the new one
func (p Page) HTML() string { return "<i>" + p.text + "</i>" }
display.Show(Page{"z"})`)
	want := "text/html <b>x</b>; text/plain x|text/html <b>in</b>; text/plain in|text/html <b>y</b>; text/plain y|text/html <i>z</i>; text/plain z"
	if got := strings.Join(shown, "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
