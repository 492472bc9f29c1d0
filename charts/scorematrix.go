package charts

import (
	"errors"
	"fmt"
	"math"
	"strings"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/rivo/uniseg"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// ScoreMatrixOptions are the options of ScoreMatrix. The zero value is the default.
type ScoreMatrixOptions struct {
	Title      string   // default "Cosines after matching"
	Names      []string // of the found columns, by column; default "component 1", ...
	TruthNames []string // of the true columns; default "truth 1", ...
}

// mostLabelled is the number of columns up to which the cells show numbers.
const mostLabelled = 12

// ScoreMatrix draws the absolute cosines between true and found columns as a heat
// map, the found ones in the order of the true ones that they match, so that a
// perfect score shows a diagonal of ones. The chart is one go-echarts HeatMap; a
// cell is [column, row, cosine, label], found columns across, true ones down, in
// the series "weak" and "strong".
func ScoreMatrix(score *symmom.Score, options ...ScoreMatrixOptions) *Figure {
	o, err := atMostOne(options)
	title := orDefault(o.Title, "Cosines after matching")
	switch {
	case err != nil:
		return failed(title, fmt.Errorf("charts: score matrix: %w", err))
	case score == nil:
		return failed(title, errors.New("charts: score matrix: the score is nil"))
	case score.Err() != nil:
		return failed(title, fmt.Errorf("charts: score matrix: %w", score.Err()))
	case score.Cosines == nil || score.Cosines.Dense.IsEmpty():
		return failed(title, errors.New("charts: score matrix: the score has no cosines"))
	}
	rows, cols := score.Cosines.Dims()
	order := make([]int, 0, cols) // found columns from left to right
	taken := make([]bool, cols)
	for _, p := range score.Pairs { // by true column
		order = append(order, p.Found)
		taken[p.Found] = true
	}
	for j, t := range taken {
		if !t {
			order = append(order, j)
		}
	}
	truthNames, names := namesOf(o.TruthNames, rows, "truth"), namesOf(o.Names, cols, "component")
	across := make([]string, cols)
	lo := scaleStart(score.Cosines)
	// two series, since labels on strong cells and on weak ones differ in colour
	var weak, strong []opts.HeatMapData
	for k, j := range order {
		across[k] = names[j]
		for i := range rows {
			v := score.Cosines.At(i, j)
			cell := opts.HeatMapData{Name: truthNames[i] + " · " + names[j], Value: []any{k, i, scaling.Significant(v, 5), fmt.Sprintf("%.2f", v)}}
			if v > lo+.6*(1-lo) {
				strong = append(strong, cell)
			} else {
				weak = append(weak, cell)
			}
		}
	}
	c := heatMap(across, truthNames, []string{faintColor, blue}, lo, 1, "|cosine|")
	for _, s := range []struct {
		id, color string
		cells     []opts.HeatMapData
	}{{"weak", inkColor, weak}, {"strong", pageColor, strong}} {
		label := opts.Label{Show: opts.Bool(cols <= mostLabelled), Color: s.color, Formatter: "{@[3]}"}
		c.AddSeries("|cosine|", s.cells, echarts.WithSeriesId(s.id), heatBorder, echarts.WithLabelOpts(label))
	}
	f := &Figure{
		Title: title,
		Caption: fmt.Sprintf("Absolute cosine of each true column (down) with each found one (across), in the order in which they match. The score, %.4f, is the mean of the matched ones.",
			score.Value),
		charts:  []components.Charter{c},
		summary: fmt.Sprintf("%s and %s, score %.4f", words.Plural(rows, "true column"), words.Plural(cols, "found one"), score.Value),
	}
	if lo > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("The colours begin at %s, a little below the smallest cosine.", trimNumber(lo)))
	}
	if len(score.Pairs) < len(order) {
		f.Notes = append(f.Notes, "The columns at the right end have no match: there are more of them than true ones.")
	}
	return f
}

// scaleStart returns the cosine at which the colour scale begins: the largest
// multiple of .05 below all cosines, so that their differences show even if all are
// large.
func scaleStart(cosines mat.Matrix) float64 {
	return math.Max(0, math.Min(.95, math.Floor(mat.Min(cosines)*20)/20))
}

// heatMap draws a chart of cells [column, row, value], with the first row at the
// top.
func heatMap(across, down []string, colors []string, lo, hi float64, value string) *echarts.HeatMap {
	height := 100 + max(20, min(34, 900/len(down)))*len(down)
	bottom := 84
	x := opts.XAxis{Type: "category", Data: across, AxisLabel: named(110, "")}
	if rotated(across) {
		x.AxisLabel.Rotate = 45
		bottom, height = bottom+50, height+50
	}
	y := opts.YAxis{Type: "category", Data: down, Inverse: opts.Bool(true), AxisLabel: named(118, "")}
	c := echarts.NewHeatMap()
	c.SetGlobalOptions(layout{height: height, left: 136, bottom: bottom}.with(x, y, scripts.HeatTooltip(value),
		echarts.WithVisualMapOpts(opts.VisualMap{
			Type: "continuous", Min: float32(lo), Max: float32(hi), Orient: "horizontal", Left: "center", Bottom: "8px",
			Text: []string{trimNumber(hi), trimNumber(lo)}, InRange: &opts.VisualMapInRange{Color: colors},
		}))...)
	c.SetXAxis(across)
	return c
}

// heatBorder separates the cells of a heat map.
var heatBorder = echarts.WithItemStyleOpts(opts.ItemStyle{BorderColor: pageColor, BorderWidth: 1})

// rotated reports whether the names along the x axis would overlap on a narrow
// page.
func rotated(names []string) bool {
	length := 0
	for _, n := range names {
		length += min(uniseg.StringWidth(n), 16) + 1
	}
	return length > 60
}

func trimNumber(x float64) string {
	return strings.Replace(fmt.Sprintf("%.3g", x), "-", "−", 1)
}
