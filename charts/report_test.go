package charts

import (
	"errors"
	"strings"
	"testing"
	"time"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/sheet"
	"symmom/symmom"
)

func TestReportTellsItsErrors(t *testing.T) {
	bad := errors.New("no such column")
	r := NewReport("Two").Add(Lambda(syntheticFit(t, 1)), failed("Broken", bad))
	if !errors.Is(r.Err(), bad) {
		t.Errorf("Err is %v", r.Err())
	}
	if p := r.Page(); !strings.Contains(p, `<p class="error">no such column</p>`) || len(optionsOf(t, p)) != 1 {
		t.Error("the page lacks the error or the other figure")
	}
	if got, want := r.String(), `Two: report with 2 figures (Save("name.html") writes it as a page)`; got != want {
		t.Errorf("String %q, want %q", got, want)
	}
	if err := NewReport("Empty").Err(); err != nil {
		t.Error(err)
	}
}

func TestReportWithoutChartsHasNoScript(t *testing.T) {
	p := NewReport("Text").Text("only").Page()
	if strings.Contains(p, "echarts") {
		t.Error("a page of text carries ECharts")
	}
}

func TestFactsWithoutValue(t *testing.T) {
	p := NewReport("r").Facts("a", "1", "b").Page()
	if strings.Count(p, "<dt>") != 1 {
		t.Error("a name without a value is shown")
	}
}

// Numbers and times are formatted as in the terminal.
func TestReportNumbers(t *testing.T) {
	r := NewReport("r").AddSummary(&symmom.Summary{Observations: 12500, N: 1000}).
		AddSweep(&symmom.Sweep{Order: 3, Fits: []*symmom.Fit{
			{Rank: 1, RelativeError: .5, Elapsed: 344 * time.Millisecond, Evaluations: 1234},
			{Rank: 2, RelativeError: .3, Elapsed: 125 * time.Second, Evaluations: 12},
		}})
	page := r.Page()
	for _, want := range []string{">12,500<", ">1,000<", ">344 ms<", ">2 min 05 s<", ">1,234<"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
}

func TestLinks(t *testing.T) {
	p := NewReport("r").Links(2, "one", "one.html", "its <data>", "one.json", "two", "javascript:alert(1)", "left over").Page()
	for _, want := range []string{
		`<li><a href="one.html">one</a> · <a href="one.json">its &lt;data&gt;</a></li>`,
		`<li><a href="#ZgotmplZ">two</a></li>`, // html/template refuses scripts
	} {
		if !strings.Contains(p, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(p, "left over") {
		t.Error("a link without a target is shown")
	}
}

// notAChart satisfies go-echarts' Charter, but has no options.
type notAChart struct{}

func (notAChart) Type() string           { return "" }
func (notAChart) GetAssets() opts.Assets { return opts.Assets{} }
func (notAChart) FillDefaultValues()     {}
func (notAChart) Validate()              {}

func TestWrap(t *testing.T) {
	for _, f := range []*Figure{Wrap("none"), Wrap("nil", nil), Wrap("other", notAChart{}), Wrap("typed nil", (*echarts.Line)(nil))} {
		if f.Err() == nil || !strings.HasPrefix(f.String(), "failed figure: charts: ") {
			t.Errorf("%s: %v, %q", f.Title, f.Err(), f)
		}
		if !strings.Contains(f.HTML(), "charts: ") || !strings.Contains(f.SVG(), "charts: ") || len(f.PNG()) == 0 {
			t.Errorf("%s does not show its error", f.Title)
		}
	}
	lambda := Lambda(syntheticFit(t, 1)).ECharts()
	f := Wrap("my\n title", lambda...)
	if got, want := f.String(), `my title: 1 chart (Save("name.html") writes it as a page)`; got != want || f.Err() != nil {
		t.Errorf("String %q, want %q; %v", got, want, f.Err())
	}
	// a figure that was given a chart without options reports an error
	f.ECharts()[0] = components.Charter(notAChart{})
	if p := f.Page(); !strings.Contains(p, "does not give its options") {
		t.Errorf("page %q", p)
	}
}

func TestNotebookForms(t *testing.T) {
	fit := syntheticFit(t, 2)
	f := Convergence(fit)
	h := f.HTML()
	if strings.Contains(h, "<iframe") || strings.Count(h, "data:image/svg+xml;base64,") != 1 || strings.Contains(h, "image/png;base64") {
		t.Errorf("not one picture: %.300s", h)
	}
	live := *f
	live.Live = true
	for name, h := range map[string]string{"report": NewReport("r").Add(f).HTML(), "live": live.HTML()} {
		if !strings.Contains(h, `sandbox="allow-scripts allow-downloads"`) || !strings.Contains(h, "srcdoc=") {
			t.Errorf("%s: not a sandboxed frame: %.300s", name, h)
		}
		if !strings.Contains(h, "</iframe><img") {
			t.Errorf("%s: no picture for viewers without frames", name)
		}
	}
	if h := failed("x", errors.New("<e>")).HTML(); !strings.Contains(h, "&lt;e&gt;") {
		t.Errorf("a failed figure shows %s", h)
	}
}

func TestPerRow(t *testing.T) {
	for _, c := range []struct {
		n, want int
		width   float64
	}{{10, 5, 920}, {4, 4, 920}, {3, 3, 920}, {8, 4, 920}, {9, 3, 920}, {6, 3, 920}, {1, 1, 920}, {2, 2, 920}, {10, 1, 400}, {7, 4, 920}} {
		if got := sheet.PerRow(c.n, c.width); got != c.want {
			t.Errorf("%d cards in %g pixels: %d a row, want %d", c.n, c.width, got, c.want)
		}
	}
}
