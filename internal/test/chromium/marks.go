//go:build e2e

package chromium

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"testing"
)

// Mark is a point of a series as ECharts drew it.
type Mark struct {
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

// axisOptions are the options of an axis and of a series that are checked.
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

// CheckMarks holds what ECharts drew to the options: all points are there, and
// their places are an increasing linear function of their values, or of the
// logarithms on a logarithmic axis, to a pixel.
func CheckMarks(t *testing.T, where string, options []byte, drawn [][]Mark) {
	t.Helper()
	var o struct {
		XAxis, YAxis []axisOptions
		Series       []seriesOptions
	}
	must(t, json.Unmarshal(options, &o))
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

// Marks are those of each series of the i-th chart of a page, from 1.
func Marks(t *testing.T, ctx context.Context, i int) [][]Mark {
	t.Helper()
	return Eval[[][]Mark](t, ctx, fmt.Sprintf("%s(%d)", marksOf, i))
}
