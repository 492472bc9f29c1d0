package repl

import (
	"encoding/base64"
	"errors"
	"fmt"
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

func TestBundle(t *testing.T) {
	png := base64.StdEncoding.EncodeToString([]byte("png"))
	for _, c := range []struct {
		values []any
		want   string
	}{
		{nil, ""},
		{[]any{3}, "text/plain 3"},
		{[]any{3, nil}, "text/plain 3"},
		{[]any{3, errors.New("no")}, "text/plain 3\nerror: no"},
		// One picture as well as the page; broken JSON is left out.
		{[]any{richValue{}}, "image/png " + png + "; text/html <i>page</i>; text/markdown *page*; text/plain text"},
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
