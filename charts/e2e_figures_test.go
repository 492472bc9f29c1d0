//go:build e2e

package charts

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// shownFigures are opened in Chromium, at two widths and in both schemes, and
// their marks compared with their options. Add a figure here; nothing else is
// needed for charts on axes. Set CHARTS_SHOTS to a directory to keep pictures
// of them all.
var shownFigures = map[string]func(*testing.T) *Figure{
	"convergence": func(t *testing.T) *Figure { return Convergence(syntheticFit(t, 4)) },
	"convergence of three": func(t *testing.T) *Figure {
		return Convergence(syntheticFit(t, 2), syntheticFit(t, 3), syntheticFit(t, 1))
	},
	"lambda":        func(t *testing.T) *Figure { return Lambda(syntheticFit(t, 1)) },
	"images":        func(*testing.T) *Figure { return waves(8) },
	"other kinds":   func(*testing.T) *Figure { return otherKinds() },
	"hostile names": func(*testing.T) *Figure { return hostileChart() },
	"sweep":         func(*testing.T) *Figure { return SweepLines(paperLines(), SweepOptions{TrueRank: 5}) },
	"sweep of many decades": func(*testing.T) *Figure {
		return SweepLines([]SweepLine{{Ranks: []int{1, 2, 3}, RelativeError: []float64{.1, 1e-12, -1e-16}}}, SweepOptions{})
	},
	"recovery": func(t *testing.T) *Figure {
		m := small()
		return RecoveryOf([]Recovered{{"rank 3", m.Means}}, m.Means, RecoveryOptions{Observations: m.Session, Labels: m.Labels})
	},
	"recovery grid": func(t *testing.T) *Figure {
		m := small()
		return RecoveryGrid(m.Session.Moment(3).With(symmom.Options{Starts: 2}).Sweep(2, 4), m.Means, RecoveryOptions{Principal: true, Names: []string{hostile}})
	},
	"scree": func(*testing.T) *Figure { return ScreeOf([]float64{8, 4, .1, .05, -1e-17}, 2) },
	"score matrix": func(t *testing.T) *Figure {
		return ScoreMatrix(syntheticFit(t, 1).Score(signs(4, 2)), ScoreMatrixOptions{TruthNames: []string{hostile}})
	},
	"factors as bars":     func(t *testing.T) *Figure { return FactorsOf(signs(5, 3), FactorsOptions{Names: []string{hostile}}) },
	"factors as heat map": func(t *testing.T) *Figure { return FactorsOf(signs(60, 4), FactorsOptions{}) },
	"starts": func(*testing.T) *Figure {
		return InitSuccessBars([]string{"1e-4", hostile}, []InitMethod{
			{Name: "RRF", Successes: []float64{100, 90}, Seconds: []float64{20, .05}},
			{Name: hostile, Successes: []float64{0, 30}, Seconds: []float64{3, 4}},
		}, InitSuccessOptions{Group: "σ", Runs: 100})
	},
	"cost": func(*testing.T) *Figure { return Cost(CostOptions{N: 500, Observations: 1250}) },
	"methods": func(t *testing.T) *Figure {
		slow := syntheticFit(t, 2)
		for i := range slow.Starts {
			for k := range slow.Starts[i].Trace {
				slow.Starts[i].Trace[k].Seconds *= 10
			}
		}
		return ConvergenceWith(ConvergenceOptions{Best: true, Names: []string{"fast", hostile}}, syntheticFit(t, 3), slow)
	},
}

// signs is a matrix of entries of both signs.
func signs(n, r int) *mat.Dense {
	m := mat.NewDense(n, r, nil)
	m.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(1 + i*r + j)) }, m)
	return m
}

// mark is a point of a series as ECharts drew it.
type mark struct {
	Pixel []float64 // where its value is, from the upper left of the chart
	Seen  bool      // it has a place
}

// marksOf reads from the page where ECharts drew the points of each series of
// the i-th chart: the end of a bar, the middle of a cell.
const marksOf = `(i => {
	const chart = echarts.getInstanceByDom(document.getElementById("chart-" + i));
	return chart.getModel().getSeries().map(s => {
		const data = s.getData(), line = s.subType === "line" && data.getLayout("points"), marks = [];
		for (let k = 0; k < data.count(); k++) {
			let pixel = null, layout = data.getItemLayout(k), el = data.getItemGraphicEl(k);
			if (line) pixel = [line[2 * k], line[2 * k + 1]];
			else if (s.subType === "scatter" && layout) pixel = Array.from(layout);
			else if (el) {
				const r = el.getBoundingRect().clone(), m = el.getComputedTransform();
				if (m) r.applyTransform(m);
				const across = s.subType === "bar" && s.coordinateSystem.getBaseAxis().dim === "y";
				const lower = s.subType === "bar" && data.get(data.mapDimension(across ? "x" : "y"), k) < 0;
				const top = s.subType === "bar" && !across ? r.y + (lower ? r.height : 0) : r.y + r.height / 2;
				const end = across ? r.x + (lower ? 0 : r.width) : r.x + r.width / 2;
				pixel = [end, top];
			}
			const seen = pixel !== null && isFinite(pixel[0]) && isFinite(pixel[1]);
			marks.push({ Pixel: seen ? pixel : [], Seen: seen });
		}
		return marks;
	});
})`

func TestFiguresInChromium(t *testing.T) {
	ctx := browser(t)
	seen := watch(t, ctx)
	for name, figure := range shownFigures {
		t.Run(name, func(t *testing.T) {
			f := figure(t)
			must(t, f.Err())
			path := filepath.Join(t.TempDir(), "figure.html")
			must(t, f.Save(path))
			looks := map[string]bool{}
			for _, width := range []int64{600, 1600} {
				for _, scheme := range []string{"light", "dark"} {
					open(t, ctx, path, width, scheme)
					where := fmt.Sprintf("%s at %d", scheme, width)
					shares := eval[[]float64](t, ctx, painted)
					if len(shares) != len(f.charts) {
						t.Fatalf("%s: %d canvases, want %d", where, len(shares), len(f.charts))
					}
					for i, s := range shares {
						if s < .005 { // axes, labels and thin lines alone are above half a percent
							t.Errorf("%s: chart %d is blank: %.2g of it painted", where, i+1, s)
						}
					}
					if w := eval[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
						t.Errorf("%s: the page is %d pixels wide", where, w)
					}
					for i := range f.charts {
						checkMarks(t, where, f.charts[i].(optioned).JSON(), eval[[][]mark](t, ctx, fmt.Sprintf("%s(%d)", marksOf, i+1)))
					}
					looks[eval[string](t, ctx, `getComputedStyle(document.body).backgroundColor`)] = true
					keepShot(t, ctx, fmt.Sprintf("%s-%d-%s.png", name, width, scheme))
				}
			}
			if len(looks) != 2 {
				t.Errorf("light and dark pages look like %v", looks)
			}
			seen.quiet(t)
		})
	}
}

// keepShot saves what is on the screen, for a person to look at.
func keepShot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("CHARTS_SHOTS")
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, name), shot, 0o644))
}

// axisOptions are what the check takes of an axis and of a series.
type axisOptions struct {
	Type    string
	Data    []any
	Inverse bool
}

type seriesOptions struct {
	ID, Name, Type         string
	XAxisIndex, YAxisIndex int
	Data                   []struct{ Value any }
}

// checkMarks holds what ECharts drew to the options: all points are there, and
// their places are an increasing linear function of their values, or of the
// logarithms on a logarithmic axis, to a pixel.
func checkMarks(t *testing.T, where string, options map[string]any, drawn [][]mark) {
	t.Helper()
	raw, err := json.Marshal(options)
	must(t, err)
	var o struct {
		XAxis, YAxis []axisOptions
		Series       []seriesOptions
	}
	must(t, json.Unmarshal(raw, &o))
	if len(drawn) != len(o.Series) {
		t.Fatalf("%s: %d series drawn, want %d", where, len(drawn), len(o.Series))
	}
	type place struct{ value, pixel float64 }
	places := map[string][]place{}
	for i, s := range o.Series {
		if len(drawn[i]) != len(s.Data) {
			t.Errorf("%s: series %q has %d marks, want %d", where, s.Name, len(drawn[i]), len(s.Data))
			continue
		}
		if len(o.XAxis) == 0 {
			continue // not on axes
		}
		for k, d := range s.Data {
			x, y, ok := coordinates(d.Value, k, o.XAxis[s.XAxisIndex], o.YAxis[s.YAxisIndex])
			if ok != drawn[i][k].Seen {
				t.Errorf("%s: series %q, point %d: drawn is %v, has a value %v", where, s.Name, k, drawn[i][k].Seen, ok)
			}
			if ok && drawn[i][k].Seen {
				xs, ys := fmt.Sprint("x", s.XAxisIndex), fmt.Sprint("y", s.YAxisIndex)
				if s.Type == "bar" { // bars of several series stand side by side
					if o.YAxis[s.YAxisIndex].Type == "category" {
						ys += fmt.Sprint(" of series ", i)
					} else {
						xs += fmt.Sprint(" of series ", i)
					}
				}
				places[xs] = append(places[xs], place{x, drawn[i][k].Pixel[0]})
				places[ys] = append(places[ys], place{y, -drawn[i][k].Pixel[1]}) // y grows upward
			}
		}
	}
	for axis, all := range places {
		lo, hi := all[0], all[0]
		for _, p := range all {
			if p.value < lo.value {
				lo = p
			}
			if p.value > hi.value {
				hi = p
			}
		}
		if hi.value == lo.value {
			continue
		}
		slope := (hi.pixel - lo.pixel) / (hi.value - lo.value)
		var index int
		_, err := fmt.Sscan(axis[1:], &index)
		must(t, err)
		inverse := map[byte][]axisOptions{'x': o.XAxis, 'y': o.YAxis}[axis[0]][index].Inverse
		if slope > 0 == inverse {
			t.Errorf("%s: axis %s runs the wrong way: from %v to %v", where, axis, lo, hi)
		}
		for _, p := range all {
			// half a pixel for each of the two ends and the point
			if want := lo.pixel + slope*(p.value-lo.value); math.Abs(p.pixel-want) > 1 {
				t.Errorf("%s: axis %s: the value %v stands at %.2f, want %.2f", where, axis, p.value, p.pixel, want)
				break
			}
		}
	}
}

// coordinates are a point's values on its axes, as they are laid out there.
func coordinates(value any, k int, x, y axisOptions) (float64, float64, bool) {
	pair, ok := value.([]any)
	if !ok || len(pair) < 2 {
		if pair = []any{float64(k), value}; y.Type == "category" {
			pair = []any{value, float64(k)}
		}
	}
	u, okU := coordinate(pair[0], x)
	v, okV := coordinate(pair[1], y)
	return u, v, okU && okV
}

func coordinate(v any, axis axisOptions) (float64, bool) {
	if name, ok := v.(string); ok {
		for i, d := range axis.Data {
			if d == name {
				return float64(i), true
			}
		}
		return 0, false
	}
	f, ok := v.(float64)
	if axis.Type == "log" {
		return math.Log10(f), ok && f > 0
	}
	return f, ok
}

// What a page of half a million observations weighs; how long it takes to
// open is told, and judged by people.
func TestHalfAMillionObservations(t *testing.T) {
	const p, n = 500_000, 4
	means := mat.NewDense(n, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	rows := mat.NewDense(p, n, nil)
	for i := range p {
		for j := range n {
			// the noise of a linear congruence is enough to look at
			rows.Set(i, j, means.At(j, i%3)+.1*(float64((i*n+j)*1103515245%65536)/65536-.5))
		}
	}
	data := symmom.FromMatrix(rows)
	f := RecoveryOf([]Recovered{{Name: "true means", Factors: means}}, means, RecoveryOptions{Observations: data})
	must(t, f.Err())
	path := filepath.Join(t.TempDir(), "recovery.html")
	must(t, f.Save(path))
	info, err := os.Stat(path)
	must(t, err)
	if info.Size() > 5e6 {
		t.Errorf("the page has %d bytes, want less than 5 MB", info.Size())
	}
	if len(f.Notes) == 0 {
		t.Error("no note says that observations were left out")
	}
	ctx := browser(t)
	seen := watch(t, ctx)
	start := time.Now()
	open(t, ctx, path, 1600, "light")
	t.Logf("%.2f MB, open after %.2f s; notes %q", float64(info.Size())/1e6, time.Since(start).Seconds(), f.Notes)
	for i, s := range eval[[]float64](t, ctx, painted) {
		if s < .005 {
			t.Errorf("chart %d is blank", i+1)
		}
	}
	seen.quiet(t)
}
