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
	if o.TruthNames == nil {
		o.TruthNames = score.Cosines.RowNames
	}
	truthNames, names := namesOf(o.TruthNames, rows, "truth"), namesOf(o.Names, cols, "component")
	across := make([]string, cols)
	lo, digits := scaleStart(score.Cosines), tellingDigits(score)
	// two series, since labels on strong cells and on weak ones differ in colour
	var weak, strong []opts.HeatMapData
	for k, j := range order {
		across[k] = names[j]
		for i := range rows {
			v := score.Cosines.At(i, j)
			cell := opts.HeatMapData{Name: truthNames[i] + " · " + names[j], Value: []any{k, i, scaling.Significant(v, digits+3), fmt.Sprintf("%.*f", digits, v)}}
			if v > lo+.6*(1-lo) {
				strong = append(strong, cell)
			} else {
				weak = append(weak, cell)
			}
		}
	}
	c := heatMap("", across, truthNames, []string{faintColor, blue}, lo, 1, "|cosine|")
	addCells(c, "|cosine|", weak, strong)
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

// tellingDigits returns the number of decimals that tell the cosine of a pair from the others of
// its two columns, from 2 to 6.
func tellingDigits(score *symmom.Score) int {
	const least, most = 2, 6
	_, cols := score.Cosines.Dims()
	digits := least
	for _, p := range score.Pairs {
		v := score.Cosines.At(p.Truth, p.Found)
		others := append(mat.Row(nil, p.Truth, score.Cosines), mat.Col(nil, p.Found, score.Cosines)...)
		for k, x := range others {
			if k == p.Found || k == cols+p.Truth {
				continue
			}
			for digits < most && fmt.Sprintf("%.*f", digits, v) == fmt.Sprintf("%.*f", digits, x) {
				digits++
			}
		}
	}
	return digits
}

// addCells adds the cells of a heat map, with the last value of each as its label if there are
// few columns: labels on strong cells and on weak ones differ in colour.
func addCells(c *echarts.HeatMap, name string, weak, strong []opts.HeatMapData) {
	columns, _ := c.XAxisList[0].Data.([]string)
	for _, s := range []struct {
		id, color string
		cells     []opts.HeatMapData
	}{{"weak", inkColor, weak}, {"strong", pageColor, strong}} {
		label := opts.Label{Show: opts.Bool(len(columns) <= mostLabelled), Color: s.color, Formatter: "{@[3]}"}
		c.AddSeries(name, s.cells, echarts.WithSeriesId(s.id), heatBorder, echarts.WithLabelOpts(label),
			echarts.WithLabelLayoutOpts(opts.LabelLayout{HideOverlap: opts.Bool(true)}))
	}
}

// scaleStart returns the cosine at which the colour scale begins: the largest
// multiple of .05 below all cosines, so that their differences show even if all are
// large.
func scaleStart(cosines mat.Matrix) float64 {
	return math.Max(0, math.Min(.95, math.Floor(mat.Min(cosines)*20)/20))
}

// heatMap draws a chart of cells [column, row, value, label], with the first row at the
// top, and columns of a name.
func heatMap(columns string, across, down []string, colors []string, lo, hi float64, value string) *echarts.HeatMap {
	height := 100 + max(20, min(34, 900/len(down)))*len(down)
	bottom := 84
	x := opts.XAxis{Type: "category", Data: across, AxisLabel: named(110, "")}
	if columns != "" {
		x.Name, x.NameLocation, x.NameGap = columns, "middle", 26
		bottom, height = bottom+20, height+20
	}
	if rotated(across) {
		x.AxisLabel.Rotate, x.NameGap = rotation, x.NameGap+rotatedRoom
		bottom, height = bottom+rotatedRoom, height+rotatedRoom
	}
	y := opts.YAxis{Type: "category", Data: down, Inverse: opts.Bool(true), AxisLabel: named(118, "")}
	c := echarts.NewHeatMap()
	c.SetGlobalOptions(layout{height: height, left: 136, bottom: bottom}.with(x, y, scripts.HeatTooltip(value),
		echarts.WithVisualMapOpts(opts.VisualMap{
			Type: "continuous", Dimension: "2", Min: float32(lo), Max: float32(hi), Orient: "horizontal", Left: "center", Bottom: "8px",
			Text: []string{trimNumber(hi), trimNumber(lo)}, InRange: &opts.VisualMapInRange{Color: colors},
		}))...)
	c.SetXAxis(across)
	return c
}

// heatBorder separates the cells of a heat map.
var heatBorder = echarts.WithItemStyleOpts(opts.ItemStyle{BorderColor: pageColor, BorderWidth: 1})

// Names along the x axis that are rotated, and the room in pixels that they take more. Where a
// page is wide enough for them, options.js rotates none and gives the room to the chart.
const rotation, rotatedRoom = 45, 50

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
