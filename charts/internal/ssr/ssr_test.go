//go:build !slim

package ssr

import (
	"strings"
	"testing"
	"time"
)

// drawing replaces ECharts: it returns its arguments.
const drawing = `
var seen = 0, echarts = { setPlatformAPI: function (api) { echarts.measure = api.measureText; } };
function symmomStatic(c) {
	seen++;
	var more = c.functions.length ? c.functions[0](c) : "";
	return { svg: [c.options, c.width, c.height, c.dark, c.id, c.colors.ink, Math.random(), seen, more].join(), height: c.height, marks: String(c.marks) };
}`

func renderer(t *testing.T) *Renderer {
	t.Helper()
	r, err := New(func(text string, size float64, bold bool) float64 {
		if bold {
			size *= 2
		}
		return size * float64(len(text))
	}, drawing)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDraw(t *testing.T) {
	r := renderer(t)
	c := Chart{Options: "o", Width: 3, Height: 4, Dark: true, ID: "i", Marks: 5, Colors: map[string]string{"ink": "#000"},
		Functions: []string{`function (c) { return [echarts.measure("ab", "bold 10px x").width, echarts.measure("abc", "").width, setTimeout(1)].join(" "); }`}}
	p, err := r.Draw(c)
	if err != nil {
		t.Fatal(err)
	}
	head, tail, _ := strings.Cut(p.SVG, "#000,")
	if head != "o,3,4,true,i," || !strings.HasSuffix(tail, ",1,40 36 0") || p.Height != 4 || p.Marks != "5" {
		t.Errorf("%+v", p)
	}
	// the last drawings are cached, and random numbers are the same each time
	if again, _ := r.Draw(c); again != p {
		t.Errorf("again: %+v", again)
	}
	c.Options = "other"
	other, _ := r.Draw(c)
	if got := strings.Replace(other.SVG, "other,", "o,", 1); got != strings.Replace(p.SVG, ",1,40", ",2,40", 1) {
		t.Errorf("another chart: %s after %s", got, p.SVG)
	}
	for i := range 2 * kept {
		c.Width = i
		if _, err := r.Draw(c); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.recent) != kept {
		t.Errorf("%d pictures are kept, want %d", len(r.recent), kept)
	}
}

func TestErrorsOfFunctions(t *testing.T) {
	r := renderer(t)
	for source, want := range map[string]string{
		`function (`: "function 1 of the options: SyntaxError",
		`function () { throw new TypeError("no such thing"); }`: "TypeError: no such thing",
		`function f() { return f(); }`:                          "more than 5000 function calls",
		`function () { for (;;); }`:                             "not done after 1s",
	} {
		r.engine.wait = timeout
		if strings.Contains(source, "for (;;)") {
			r.engine.wait = time.Second
		}
		if _, err := r.Draw(Chart{Options: source, Functions: []string{source}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", source, err, want)
		}
	}
	if _, err := r.Draw(Chart{Options: "after"}); err != nil {
		t.Errorf("after errors: %v", err)
	}
}

func TestScriptsThatDoNotFit(t *testing.T) {
	width := func(string, float64, bool) float64 { return 0 }
	for script, want := range map[string]string{
		"var": "reading script 1", "var x = 1": "echarts", `var echarts = { setPlatformAPI: function () {} }`: "symmomStatic",
	} {
		if _, err := New(width, script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", script, err, want)
		}
	}
}
