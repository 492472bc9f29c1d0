package charts

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/chartjson"
	"symmom/charts/internal/numbers"
	"symmom/datasets"
	"symmom/symmom"
)

// colorOf returns the colour of a series.
func colorOf(t *testing.T, f *Figure, chart int, id string) string {
	t.Helper()
	page := f.Page()
	options := regexp.MustCompile(`(?s)id="chart-\d+-options">(.*?)</script>`).FindAllStringSubmatch(page, -1)[chart][1]
	at := strings.Index(options, `"id":"`+id+`"`)
	if at < 0 {
		t.Fatalf("chart %d has no series %s", chart, id)
	}
	_, rest, _ := strings.Cut(options[at:], `"itemStyle":{`)
	return regexp.MustCompile(`"color":"([^"]*)"`).FindStringSubmatch(rest)[1]
}

// A component has the colour of the group that it is, in every chart of a page.
func TestColoursOfGroupsAreThoseOfTheirComponents(t *testing.T) {
	iris := datasets.Iris()
	fit := iris.Mixture(3, symmom.MixtureOptions{Covariance: "full"})
	must(t, fit.Err())
	byComponent, byGroup := Mixture(fit), Mixture(fit, MixtureOptions{Labels: true})
	most := map[int]int{} // group of each component
	a := fit.Agreement(iris)
	for j := range 3 {
		for g := range a.Counts {
			if a.Counts[g][j] > a.Counts[most[j]][j] {
				most[j] = g
			}
		}
	}
	if most[0] == 0 && most[1] == 1 {
		t.Fatal("the components are in the order of the groups: this test looks at nothing")
	}
	for j, g := range most {
		want := colorOf(t, byGroup, 0, fmt.Sprintf("data-%d", g))
		for _, id := range []string{"data-%d", "mean-%d", "ellipse-%d-1"} {
			if got := colorOf(t, byComponent, 0, fmt.Sprintf(id, j)); got != want {
				t.Errorf("component %d, %s: %s, and its group is %s", j+1, id, got, want)
			}
		}
	}
}

// What is alike at several ranks has one colour: that of the fit which a report shows in full.
func TestColoursAreTheSameAtAllRanks(t *testing.T) {
	s, truth, _ := threeClusters()
	swapped := mat.NewDense(4, 2, nil)
	swapped.SetCol(0, mat.Col(nil, 2, truth))
	swapped.SetCol(1, mat.Col(nil, 0, truth))
	panels := []Recovered{{"two", swapped}, {"three", truth}}
	for name, like := range map[string]mat.Matrix{"last": nil, "first": swapped} {
		f := recovery(panels, nil, true, RecoveryOptions{Observations: s, like: like})
		must(t, f.Err())
		first, last := 0, 2 // columns of the second panel
		if a, b := colorOf(t, f, 0, "data-0"), colorOf(t, f, 1, fmt.Sprintf("data-%d", last)); a != b {
			t.Errorf("%s: column 3 is %s and %s", name, a, b)
		}
		if a, b := colorOf(t, f, 0, "data-1"), colorOf(t, f, 1, fmt.Sprintf("data-%d", first)); a != b {
			t.Errorf("%s: column 1 is %s and %s", name, a, b)
		}
		if like != nil && colorOf(t, f, 0, "data-0") != blue {
			t.Errorf("the first component of the fit in full is %s", colorOf(t, f, 0, "data-0"))
		}
	}
}

// The labels of a score matrix tell a pair from the other cells of its row and column.
func TestScoreMatrixTellsCellsApart(t *testing.T) {
	for want, cosines := range map[string][]float64{
		"0.99|0.50|0.51|0.98":                 {.99, .5, .51, .98},
		"0.9998|0.9996|0.9951|0.9999":         {.9998, .9996, .9951, .9999},
		"1.000000|1.000000|0.500000|0.900000": {1, 1, .5, .9}, // as far as six decimals
	} {
		f := ScoreMatrix(&symmom.Score{Value: 1, Cosines: &symmom.NamedMatrix{Dense: mat.NewDense(2, 2, cosines)}, Pairs: []symmom.Pair{{Truth: 0, Found: 0}, {Truth: 1, Found: 1}}})
		var got [4]string
		for _, s := range chartsOf(t, f)[0].Series {
			for _, d := range s.Data {
				v := d.Value.([]any)
				got[2*int(v[1].(float64))+int(v[0].(float64))] = v[3].(string)
			}
		}
		if strings.Join(got[:], "|") != want {
			t.Errorf("%v are labelled %q, want %s", cosines, got, want)
		}
	}
}

// Panels of evidence have titles, and what could not be compared is no number.
func TestPanelsOfEvidence(t *testing.T) {
	s := suggestion()
	s.Evidence[2].Numbers[0] = 0
	f := RankEvidence(s)
	o := chartsOf(t, f)
	for i, want := range []string{"Spectrum", "Stagnation", "Replicability"} {
		if o[i].Title.Text != want {
			t.Errorf("panel %d has the title %q, want %s", i+1, o[i].Title.Text, want)
		}
	}
	if got := o[2].series("line-0"); len(got) == 0 || !math.IsNaN(got[0][1]) {
		t.Errorf("a congruence of 0 is drawn: %v", got)
	}
	if notes := strings.Join(f.Notes, " "); !strings.Contains(notes, "Replicability of rank 1 is not drawn") {
		t.Errorf("notes %q", notes)
	}
	if s.Evidence[2].Numbers[0] != 0 {
		t.Error("the evidence has changed")
	}
}

// Each criterion has its own lowest value.
func TestLowestOfEachCriterion(t *testing.T) {
	m := datasets.Iris().Mixtures(1, 3, symmom.MixtureOptions{Starts: 2})
	must(t, m.Err())
	m.Fits[1].ICL = m.Fits[2].ICL - 5
	o := chartsOf(t, Mixtures(m))
	for i, want := range []struct {
		name string
		at   float64
	}{{"lowest BIC", float64(m.Best.Components)}, {"lowest ICL", 2}} {
		if got := o[i].Series[0].MarkLine.Data; len(got) != 1 || got[0].Name != want.name || got[0].XAxis != want.at {
			t.Errorf("chart %d marks %v, want %v", i+1, got, want)
		}
	}
}

// Names are complete where there is room, and leave room for the chart where there is not.
func TestNamesTakeTheRoomThereIs(t *testing.T) {
	names := []string{"nonflavonoid_phenols_of_wine", "b"}
	f := FactorsOf(mat.NewDense(2, 14, slices.Repeat([]float64{.5}, 28)), FactorsOptions{Names: names})
	left := func(width int) float64 {
		x := math.Inf(1)
		for _, m := range marksOf(t, f, width)[0] {
			x = min(x, m[0].(float64))
		}
		return x
	}
	f.Width = 1400
	if svg := f.SVG(); !strings.Contains(svg, ">"+names[0]+"<") {
		t.Error("a name is cut on a wide page")
	}
	if x := left(400); x > .45*400 {
		t.Errorf("on a page of 400 pixels the cells begin at %.0f", x)
	}
	f = FactorsOf(mat.NewDense(2, 14, slices.Repeat([]float64{.5}, 28)), FactorsOptions{Names: []string{"a", "b"}})
	if x := left(960); x > 80 {
		t.Errorf("beside short names the cells begin at %.0f", x)
	}
}

// Heat maps of factors show their numbers, their columns have a name, and what is 0 but for
// rounding is 0.
func TestHeatMapsShowNumbers(t *testing.T) {
	m := mat.NewDense(3, 2, []float64{.9, -2.2204e-16, -.123456, .5, 0, .001})
	f := FactorsOf(m, FactorsOptions{Kind: "heatmap"})
	o := chartsOf(t, f)[0]
	if o.XAxis[0].Name != "component" {
		t.Errorf("the columns are %q", o.XAxis[0].Name)
	}
	svg := f.SVG()
	for _, want := range []string{"0.900", "−0.123", "0.500", "0.001"} {
		if !strings.Contains(svg, ">"+want+"<") {
			t.Errorf("no cell shows %s", want)
		}
	}
	for _, kind := range []string{"heatmap", "bars"} {
		if page := FactorsOf(m, FactorsOptions{Kind: kind}).Page(); strings.Contains(page, "e-16") {
			t.Errorf("%s: -2.2204e-16 is on the page", kind)
		}
	}
	centered := symmom.FromRows([][]float64{{.1, 1}, {.7, 3}, {.2, 2.5}}).Standardize()
	if page := NewReport("r").AddSummary(centered.Summary()).Page(); regexp.MustCompile(`>-?\d\.?\d*e-1\d<`).MatchString(page) {
		t.Error("a mean of 0 is a number of 1e-16")
	}
}

func TestMixing(t *testing.T) {
	s, _ := threeSources()
	ica := symmom.FromMatrix(s).ICA(2)
	must(t, ica.Err())
	f := Mixing(ica)
	o := chartsOf(t, f)[0]
	if o.XAxis[0].Name != "source" || len(o.XAxis[0].Data) != 2 || len(o.YAxis[0].Data) != 3 {
		t.Errorf("axes %+v and %+v", o.XAxis, o.YAxis)
	}
	got := mat.NewDense(3, 2, nil)
	for _, s := range o.Series {
		for _, d := range s.Data {
			v := d.Value.([]any)
			got.Set(int(v[1].(float64)), int(v[0].(float64)), v[2].(float64))
		}
	}
	if !mat.EqualApprox(got, ica.Mixing, 1e-4) { // five digits
		t.Errorf("cells %v, want %v", mat.Formatted(got), mat.Formatted(ica.Mixing))
	}
	wantError(t, Mixing(nil), "mixing", "nil")
	wantError(t, Mixing(&symmom.ICA{}), "mixing", "empty")
}

// Sources of signals are drawn as series, those of a table as distributions and pairs, also if
// its rows come group by group.
func TestSourcesOfTablesAndSignals(t *testing.T) {
	signals, _ := threeSources()
	iris := datasets.Iris()
	for _, c := range []struct {
		name string
		s    *symmom.Session
		kind string
		want []string // titles
	}{
		{"signals", symmom.FromMatrix(signals), "", []string{"source 1, ", "source 2, "}},
		{"iris", iris, "", []string{"source 1, ", "source 2, ", "source 1 and source 2"}},
		{"iris", iris, "series", []string{"source 1, ", "source 2, "}},
		{"signals", symmom.FromMatrix(signals), "pairs", []string{"source 1, ", "source 2, ", "source 1 and source 2"}},
	} {
		f := Sources(c.s.ICA(2), c.s, SourcesOptions{Kind: c.kind})
		o := chartsOf(t, f)
		if len(o) != len(c.want) {
			t.Errorf("%s, %q: %d charts, want %d", c.name, c.kind, len(o), len(c.want))
			continue
		}
		for i := range o {
			if !strings.HasPrefix(o[i].Title.Text, c.want[i]) {
				t.Errorf("%s, %q: chart %d is %q, want %q", c.name, c.kind, i+1, o[i].Title.Text, c.want[i])
			}
		}
		if p, _ := c.s.Matrix().Dims(); len(c.want) == 3 {
			counted, drawn := 0., 0
			points := o[0].series("source-0")
			for _, at := range points[:len(points)-1] { // the last closes the outline
				counted += at[1]
			}
			for _, s := range o[2].Series {
				drawn += len(s.Data)
			}
			if counted != float64(p) || drawn != p {
				t.Errorf("%s: %g counted and %d drawn of %d observations", c.name, counted, drawn, p)
			}
			if c.name == "iris" && (len(o[2].Series) != 3 || !strings.Contains(f.Caption, "groups of species")) {
				t.Errorf("%d series, caption %q", len(o[2].Series), f.Caption)
			}
		}
	}
	wantError(t, SourcesOf(signals, nil, SourcesOptions{Kind: "waves"}), "Kind", "waves")
}

// A spectrum is drawn of tables and of fits of every form.
func TestScreeOfAnything(t *testing.T) {
	s, _, _ := threeClusters()
	summary := s.Summary()
	for name, of := range map[string]any{"session": s, "summary": summary, "fit": s.Moment(3).Implicit().Decompose(2)} {
		o := chartsOf(t, Scree(of))[0]
		if n := len(o.series("suggested")) + len(o.series("others")); n != len(summary.Eigenvalues) {
			t.Errorf("%s: %d eigenvalues, want %d", name, n, len(summary.Eigenvalues))
		}
	}
	var none *symmom.Session
	wantError(t, Scree(none), "scree", "nil")
	wantError(t, Scree(nil), "scree", "want a *symmom.Session")
	wantError(t, Scree(symmom.Load("no such file")), "no such file")
	wantError(t, Scree(context.Background()), "scree", "want a *symmom.Session")
}

// Errors are red, in a notebook, on a page and in a picture.
func TestErrorsAreRed(t *testing.T) {
	f := Scree(symmom.Load("no such file"))
	if html := f.HTML(); !strings.Contains(html, `<p class="error">`) || !strings.Contains(html, ".symmom .error { color: #b3261e") {
		t.Errorf("in a notebook: %s", html)
	}
	if page := f.Page(); !strings.Contains(page, `<p class="error">`) || !strings.Contains(page, "--error: #b3261e") || !strings.Contains(page, "color: var(--error)") {
		t.Error("on a page")
	}
	if svg := f.SVG(); !strings.Contains(svg, `fill="#b3261e"`) {
		t.Error("in a picture")
	}
}

// Numbers in the cells of a heat map are shown where all have room, none over its neighbours, and
// pairs of sources, whose axes have one unit, are not flat.
func TestRoomInPictures(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	m := mat.NewDense(40, 8, nil)
	m.Apply(func(int, int, float64) float64 { return rng.Float64() }, m)
	f := FactorsOf(m, FactorsOptions{Kind: "heatmap"})
	for width, shown := range map[int]bool{300: false, 1400: true} {
		f.Width = width
		if got := strings.Contains(f.SVG(), ">"+numbers.Brief(m.At(0, 0), mat.Max(m))+"<"); got != shown {
			t.Errorf("%d pixels wide: numbers shown: %v", width, got)
		}
	}
	pairs := SourcesOf(m.Slice(0, 40, 0, 2), []float64{1, 1}).charts
	if values, pair := chartjson.Height(pairs[0], 0), chartjson.Height(pairs[2], 0); pair <= values {
		t.Errorf("a pair has a height of %d, distributions of %d", pair, values)
	}
	for most, shown := range map[int]bool{2000: false, 550000000: true} { // 2000 is near 1000
		if got := regexp.MustCompile(`>(2000|5.5e8)</text>`).MatchString(Cost(CostOptions{MaxN: most}).SVG()); got != shown {
			t.Errorf("up to %d: the last label is shown: %v", most, got)
		}
	}
}
