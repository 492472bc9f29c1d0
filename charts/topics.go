package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/box"
	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// TopicsOptions are the options of Topics. The zero value is the default.
type TopicsOptions struct {
	Title   string // default "Topics"
	Caption string // default: what the charts show

	Words int // of each topic; default 10
	Most  int // topics whose words are drawn, those of the largest share; default 12
}

// Topics draws what documents are about: a map of the topics, and the words of each as bars.
//
// In the map the area of a circle is the share of its topic. Places are those of classical multidimensional
// scaling of Hellinger's distance: topics that use the same words are close. Words are those of
// Topics.Top, with their probabilities in the topic.
//
// The figure is a go-echarts Scatter chart with a series "place-j" for each topic, of a point
// [x, y, share, words], which two topics do not have, then a Bar chart for each topic with a series "topic-j".
func Topics(topics *symmom.Topics, options ...TopicsOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, "Topics")}
	fail := func(err error) *Figure { return failed(f.Title, fmt.Errorf("charts: topics: %w", err)) }
	switch {
	case err != nil:
		return fail(err)
	case topics == nil:
		return fail(errors.New("they are nil"))
	case topics.Components == 0:
		return fail(cmp.Or(topics.Err(), errors.New("there are none")))
	}
	o.Words, o.Most = orNumber(o.Words, 10), orNumber(o.Most, 12)
	k := topics.Components
	f.summary = fmt.Sprintf("%s of %s", words.Plural(k, "topic"), words.Plural(topics.N, "word"))
	top := topics.Top(o.Words)
	caption := "The most relevant words of each topic, with their probabilities in it."
	if k > 2 { // two have a distance, and no map
		m, err := topicMap(topics, top, o.Words)
		if err != nil {
			return fail(err)
		}
		f.charts = append(f.charts, m)
		caption = "Topics that use the same words are close on the map; the area of a circle is the share of the topic. " + caption
	}
	f.charts = append(f.charts, topicBars(topics, top[:min(k, o.Most)], o.Words)...)
	f.Caption = orDefault(o.Caption, caption)
	if k > o.Most {
		f.Notes = append(f.Notes, fmt.Sprintf("The words of %d of the %d topics are drawn, those of the largest share.", o.Most, k))
	}
	return f
}

// orNumber returns a number of options, or its default.
func orNumber(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// leastMap is the least height of the map.
const leastMap = 260

// barsHeight is the height of bars, and of the map beside the first of them.
func barsHeight(count int) int { return 84 + 20*count }

// topicMap draws the topics in two coordinates. Hellinger's distance is the Euclidean one of square roots
// of probabilities, so that scaling it is their principal plane.
func topicMap(topics *symmom.Topics, top [][]string, count int) (components.Charter, error) {
	k := topics.Components
	roots := mat.NewDense(k, topics.N, nil)
	roots.Apply(func(j, i int, _ float64) float64 { return math.Sqrt(max(0, topics.Words.At(i, j)) / 2) }, roots)
	plane, err := principalPlane(roots, nil)
	if err != nil {
		return nil, err
	}
	at, b := make([][2]float64, k), box.Empty()
	for j := range at {
		at[j] = plane.at(roots.RawRowView(j))
		b = b.With(at[j])
	}
	b = b.Padded(.12) // room for half a circle
	x, y, units := plane.axes(b)
	x.AxisLabel.Show, y.AxisLabel.Show = opts.Bool(false), opts.Bool(false) // only distances mean something
	x.NameGap, y.NameGap = 12, 12
	largest := 52.
	if k > 12 {
		largest = 38
	}
	c := echarts.NewScatter()
	c.SetGlobalOptions(layout{height: max(barsHeight(count), leastMap), title: "map of topics", left: 40, bottom: 32}.with(x, y, scripts.TopicTooltip)...)
	for j := range at { // the largest first, below the others
		place := units.At(at[j])
		size := largest * math.Sqrt(topics.Weights[j]/topics.Weights[0])
		point := opts.ScatterData{Name: fmt.Sprint(j + 1), Value: append(place, topics.Weights[j], strings.Join(top[j], "\n"))}
		c.AddSeries(fmt.Sprintf("topic %d", j+1), []opts.ScatterData{point}, echarts.WithSeriesId(fmt.Sprintf("place-%d", j)),
			echarts.WithScatterChartOpts(opts.ScatterChart{SymbolSize: max(8, int(math.Round(size)))}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[j%len(palette)], Opacity: opts.Float(.55), BorderColor: pageColor, BorderWidth: 1}),
			echarts.WithLabelOpts(opts.Label{Show: opts.Bool(true), Position: "inside", Color: inkColor, Formatter: "{b}"}),
			echarts.WithLabelLayoutOpts(opts.LabelLayout{HideOverlap: opts.Bool(true)}))
	}
	return c, nil
}

// topicBars draws the words of each topic, on a common scale.
func topicBars(topics *symmom.Topics, top [][]string, count int) (all []components.Charter) {
	place := make(map[string]int, len(topics.Names))
	for i, name := range slices.Backward(topics.Names) {
		place[name] = i // of several with one name the first
	}
	values := make([][]float64, len(top))
	for j, names := range top {
		for _, name := range names {
			values[j] = append(values[j], topics.Words.At(place[name], j))
		}
	}
	across := scaling.FromZero(values...)
	most := across.Value(largest(values...)).(float64)
	for j, v := range values {
		data := make([]opts.BarData, len(v))
		for i, p := range v {
			data[i] = opts.BarData{Value: across.Tidy(p, 4)}
		}
		x := across.X(xNamed("probability", "value", scripts.ShortNumber))
		x.Min, x.Max = 0, -roundDown(-most)
		inner(x.AxisLabel)
		y := opts.YAxis{Type: "category", Data: top[j], Inverse: opts.Bool(true), AxisLabel: named(118, "0")}
		l := layout{height: barsHeight(count), title: fmt.Sprintf("topic %d, share %s", j+1, words.Percent(topics.Weights[j])), left: 136, room: 4}
		c := echarts.NewBar()
		c.SetGlobalOptions(l.with(x, y, scripts.EntryTooltip(across.JS))...)
		c.AddSeries(fmt.Sprintf("topic %d", j+1), data, echarts.WithSeriesId(fmt.Sprintf("topic-%d", j)),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[j%len(palette)]}),
			echarts.WithSeriesOpts(func(s *echarts.SingleSeries) { s.BarMaxWidth = "14" }))
		all = append(all, c)
	}
	return all
}
