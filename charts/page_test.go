package charts

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"symmom/charts/internal/assets"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"
)

func everyKindOfBlock(t testing.TB) *Report {
	fit := syntheticFit(t, 3)
	r := NewReport("A report")
	r.Subtitle, r.Footer = "below the title", "small print"
	return r.Heading("A heading").Text("one\n\ntwo").Verbatim("a\n  b").Facts("name", "value").
		Table("A table", []string{"a", "b"}, [][]string{{"1", "2"}}).
		Add(Convergence(fit), nil, Lambda(fit), Images(mat.NewDense(4, 2, []float64{1, 0, 0, 1, .5, .5, 0, -1}), 2, 2, ImageOptions{}))
}

func TestPageHoldsEverythingOnce(t *testing.T) {
	page := everyKindOfBlock(t).Page()
	if n := strings.Count(page, assets.ECharts); n != 1 {
		t.Errorf("the page holds ECharts %d times, want once", n)
	}
	if n := strings.Count(page, assets.Draw); n != 1 {
		t.Errorf("the page holds draw.js %d times, want once", n)
	}
	order := []string{"<h1>A report</h1>", "below the title", "<h2>A heading</h2>", "<p class=\"text\">one</p>", "<p class=\"text\">two</p>",
		"a\n  b</pre>", "<dt>name</dt><dd>value</dd>", "<caption>A table</caption>", "<td>1</td><td>2</td>",
		"chart-1-options", "chart-2-options", "chart-3-options", `<svg class="picture"`, "small print"}
	at := 0
	for _, want := range order {
		i := strings.Index(page[at:], want)
		if i < 0 {
			t.Fatalf("the page has no %q after the items before it", want)
		}
		at += i
	}
	if got := len(optionsOf(t, page)); got != 3 {
		t.Errorf("%d charts with readable options, want 3", got)
	}
}

// Nothing in a page may make the browser fetch anything.
func TestPageNamesNoOtherPlace(t *testing.T) {
	page := everyKindOfBlock(t).Page()
	for _, s := range []string{assets.ECharts, assets.Draw, assets.Figures} {
		page = strings.Replace(page, s, "", 1)
	}
	for _, bad := range []string{"http:", "https:", "//cdn", "<link", "@import", "url(", " src=", "go-echarts.github.io"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
}

var (
	scriptElement = regexp.MustCompile(`(?s)<script( [^>]*)?>(.*?)</script>`)
	policyElement = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
)

// The security policy must list exactly the scripts of the page, by hash.
func TestPolicyNamesTheScripts(t *testing.T) {
	for name, page := range map[string]string{
		"page":     everyKindOfBlock(t).Page(),
		"figure":   Convergence(syntheticFit(t, 2)).Page(),
		"pictures": Images(mat.NewDense(4, 1, []float64{1, 0, 0, 1}), 2, 2, ImageOptions{}).Page(),
	} {
		m := policyElement.FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("%s: no policy", name)
		}
		p := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(m[1])
		if !strings.HasPrefix(p, "default-src 'none';") {
			t.Errorf("%s: policy %s", name, p)
		}
		scripts := 0
		for _, s := range scriptElement.FindAllStringSubmatch(page, -1) {
			if s[1] != "" {
				continue // data
			}
			scripts++
			if !strings.Contains(p, assets.SourceHash(s[2])) {
				t.Errorf("%s: the policy does not name the script %.60q", name, s[2])
			}
		}
		if n := strings.Count(p, "'sha256-"); n != scripts {
			t.Errorf("%s: the policy names %d scripts, the page has %d", name, n, scripts)
		}
	}
}

func TestPagesAreTheSameEachTime(t *testing.T) {
	first, second := everyKindOfBlock(t).Page(), everyKindOfBlock(t).Page()
	if first != second {
		t.Error("the same report gave two different pages")
	}
}

// hostileReport returns a report with the hostile name wherever a user's text can
// appear.
func hostileReport(t testing.TB) *Report {
	fit := syntheticFit(t, 2)
	one := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	line := echarts.NewLine()
	line.SetGlobalOptions(echarts.WithTitleOpts(opts.Title{Title: hostile}), echarts.WithXAxisOpts(opts.XAxis{Name: hostile}),
		echarts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	line.SetXAxis([]string{hostile, "b"})
	line.AddSeries(hostile, []opts.LineData{{Name: hostile, Value: 1}, {Value: 2}})
	c := Convergence(fit)
	c.Title, c.Caption, c.Notes = hostile, hostile, []string{hostile}
	r := NewReport(hostile)
	r.Subtitle, r.Footer = hostile, hostile
	return r.Heading(hostile).Text(hostile).Verbatim(hostile).Facts(hostile, hostile).
		Table(hostile, []string{hostile}, [][]string{{hostile}}).
		Add(c, Wrap(hostile, line), failed(hostile, fmt.Errorf("%s", hostile)),
			Images(one, 2, 2, ImageOptions{Title: hostile, Caption: hostile, Truth: one, Names: []string{hostile}, TruthNames: []string{hostile}}))
}

func TestHostileNamesStayText(t *testing.T) {
	r := hostileReport(t)
	page := r.Page()
	others := strings.Replace(page, assets.ECharts, "", 1)
	if i := strings.Index(others, "<img"); i >= 0 {
		t.Errorf("a name became an element: %.200q", others[i:])
	}
	want := 3 /* charts */ + 1 /* ECharts */ + 1 /* functions */ + 1 /* draw */ + 1 /* figures */
	if n := strings.Count(strings.ToLower(others), "</script"); n != want {
		t.Errorf("the page ends %d script elements, want %d", n, want)
	}
	if o := optionsOf(t, page); len(o) != 3 || o[2].Series[0].Name != hostile || o[2].XAxis[0].Data[0] != hostile {
		t.Errorf("the name did not come through to the chart: %+v", o)
	}
	frame := r.HTML()
	before, rest, _ := strings.Cut(frame, " srcdoc='")
	inside, after, _ := strings.Cut(rest, "'")
	before = before[strings.Index(before, "</style>"):]
	if strings.Count(before, "<iframe") != 1 || strings.Count(before, `"`) != 2*3 || !strings.HasPrefix(after, "></iframe><img class=") || strings.Count(after, `"`) != 2*8 || len(inside) < 10000 {
		t.Errorf("an attribute was left: %q, %d bytes, %q", before, len(inside), after)
	}
	for i, c := range frame {
		if c >= 0x80 {
			t.Fatalf("the frame has %q at %d: the host page's encoding could change it", c, i)
		}
	}
}

func TestFunctionsOfCharts(t *testing.T) {
	const fn = `function (v) { return "</script><!--" + v; }`
	line := echarts.NewLine()
	line.SetGlobalOptions(echarts.WithYAxisOpts(opts.YAxis{AxisLabel: &opts.AxisLabel{Formatter: opts.FuncOpts(fn)}}),
		echarts.WithXAxisOpts(opts.XAxis{Name: "__f__alert(1)__f__", AxisLabel: &opts.AxisLabel{Formatter: opts.FuncOpts(fn)}}))
	line.AddSeries("__f__alert(2)__f__", []opts.LineData{{Value: 1}})
	page := Wrap("functions", line).Page()
	if n := strings.Count(page, `{"$function":0}`); n != 2 {
		t.Errorf("%d references to the function, want 2", n)
	}
	if !strings.Contains(page, "window.symmomFunctions=[\nfunction (v) { return \"<\\/script><\\!--\" + v; }\n];") {
		t.Error("the function is not on the page, or not escaped")
	}
	o := optionsOf(t, page)[0]
	if o.XAxis[0].Name != "__f__alert(1)__f__" || o.Series[0].Name != "__f__alert(2)__f__" {
		t.Errorf("a name was taken for a function: %+v", o)
	}
}

func TestChartsMayBeChangedAndShownAgain(t *testing.T) {
	f := Lambda(syntheticFit(t, 1))
	first := f.Page()
	bar := f.ECharts()[0].(*echarts.Bar)
	bar.SetGlobalOptions(echarts.WithXAxisOpts(opts.XAxis{Name: "changed", Type: "category"}), echarts.WithInitializationOpts(opts.Initialization{Height: "123px"}))
	second := f.Page()
	if optionsOf(t, first)[0].XAxis[0].Name != "component" || optionsOf(t, second)[0].XAxis[0].Name != "changed" {
		t.Error("the change of the chart is not on the page")
	}
	if !strings.Contains(second, `style="height:123px"`) {
		t.Error("the chart's own height is not on the page")
	}
}

func TestOptionsWithoutJSON(t *testing.T) {
	line := echarts.NewLine()
	line.AddSeries("s", []opts.LineData{{Value: math.NaN()}})
	f := Wrap("not a number", line)
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := f.Save(path)
	if err == nil || !strings.Contains(err.Error(), `chart 1 of "not a number"`) {
		t.Errorf("error %v does not name the chart", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the old file is now %q", b)
	}
	for _, page := range []string{f.Page(), f.HTML()} {
		if !strings.Contains(page, "unsupported value") {
			t.Errorf("the page does not tell the error: %q", page)
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	f := Lambda(syntheticFit(t, 1))
	path := filepath.Join(dir, "page.html")
	for range 2 { // a new file, then over the old one
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != f.Page() {
			t.Fatalf("the file is not the page: %d bytes, %v", len(b), err)
		}
	}
	if err := f.report().Save(filepath.Join(dir, "page.HTM")); err != nil {
		t.Error(err)
	}
	for _, bad := range []struct{ path, want string }{
		{filepath.Join(dir, "page.gif"), "ends in .html"},
		{filepath.Join(dir, "page"), "ends in .html"},
		{filepath.Join(dir, "missing", "page.html"), "missing"},
	} {
		if err := f.Save(bad.path); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("Save(%s): %v, want an error with %q", bad.path, err, bad.want)
		}
	}
	if err := failed("f", fmt.Errorf("no data")).Save(path); err == nil || err.Error() != "no data" {
		t.Errorf("a failed figure was saved: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != f.Page() {
		t.Error("a failed save changed the file")
	}
}

func TestFailedSaveLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	// the final rename fails on a directory that is not empty
	path := filepath.Join(dir, "page.html")
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Lambda(syntheticFit(t, 1)).Save(path); err == nil {
		t.Fatal("saved over a directory")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "page.html" {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// To screen readers a page describes its charts, not how a session saves them.
func TestPagesDescribeTheirCharts(t *testing.T) {
	f := Lambda(syntheticFit(t, 1))
	alt := "Weights λ of the components: 3 components"
	if page := f.Page(); !strings.Contains(page, `aria-label="`+alt+`"`) || strings.Contains(page, "Save(") {
		t.Error("the page does not describe its chart")
	}
	if still, _, err := f.still(false); err != nil || !strings.Contains(still, `alt="`+alt+`"`) || strings.Contains(still, "Save(") {
		t.Errorf("the still does not describe its chart: %v", err)
	}
}
