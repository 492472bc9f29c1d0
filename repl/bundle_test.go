package repl

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
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
		// One picture beside the page; broken JSON is left out.
		{[]any{richValue{}}, "image/png " + png + "; text/html <i>page</i>; text/markdown *page*; text/plain text"},
		{[]any{richValue{fail: true}}, "image/svg+xml <svg/>; text/html <i>page</i>; text/markdown *page*; text/plain text"},
		{[]any{(*richValue)(nil)}, "text/plain <nil>"},
		{[]any{richText("text/html")("<b>")}, "text/html <b>; text/plain <b>"},
		{[]any{&Handle{}}, ""},
	} {
		if got := forms(Result{Values: c.values}.Bundle()); got != c.want {
			t.Errorf("%v: %s\nwant %s", c.values, got, c.want)
		}
	}
}

func TestTables(t *testing.T) {
	type row struct {
		Name   string
		Value  float64
		hidden int
	}
	long := make([][]int, 100)
	for i := range long {
		long[i] = make([]int, 50)
	}
	for _, c := range []struct {
		value any
		want  []string
	}{
		{[]row{{"<a>", 1.5, 0}, {"b", 2, 0}}, []string{"<th>Name</th><th>Value</th></tr>", "<td>&lt;a&gt;</td><td>1.5</td>", "2 rows"}},
		{[]*row{{"x", 1, 0}, nil}, []string{"<td>x</td>", "<td>nil</td>"}},
		{[][]float64{{1}, {2, 3}}, []string{"<td>1</td><td></td>", "<td>2</td><td>3</td>"}},
		{mat.NewDense(1, 2, []float64{1, 2.5}), []string{"<td>1</td><td>2.5</td>", "1 x 2 matrix"}},
		{long, []string{"<th>99</th>", "<th>49</th>", "<th>…</th>", "100 rows"}},
	} {
		page := table(c.value)
		for _, w := range c.want {
			if !strings.Contains(page, w) || strings.Contains(page, "hidden") {
				t.Errorf("no %q in\n%s", w, page)
			}
		}
	}
	for _, v := range []any{3, "text", []int{1}, []byte("x"), [][]byte{nil}, []row{}, nil, (*mat.Dense)(nil), []error{errors.New("x")}} {
		if page := table(v); page != "" {
			t.Errorf("%v: %s", v, page)
		}
	}
	if got := edges(1<<40, 4); fmt.Sprint(got) != "[0 1 -1 1099511627774 1099511627775]" {
		t.Error(got)
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
