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

// TopicsOptions are the options of Topics and of Report.AddTopics. The zero value is the default.
type TopicsOptions struct {
	Words int // of each topic; default 10
	Most  int // topics to draw, those of the largest share; default 12

	// What a report shows besides, if it is there.
	Coherence  []float64
	Perplexity float64 // of documents held out
	Score      *symmom.Score
	Errors     *symmom.TopicsErrors
}

// Topics draws the words of topics as bars, a chart for each topic: the most relevant ones, as
// Topics.Top of package symmom has them, with their probabilities. The figure is a go-echarts Bar
// chart for each topic, with a series "topic-j".
func Topics(topics *symmom.Topics, options ...TopicsOptions) *Figure {
	const title = "Words of the topics"
	o, err := atMostOne(options)
	if err = cmp.Or(err, hasTopics(topics)); err != nil {
		return failed(title, fmt.Errorf("charts: topics: %w", err))
	}
	o.Words = cmp.Or(max(o.Words, 0), mapWords)
	if o.Most <= 0 {
		o.Most = 12
	}
	top := topics.Top(o.Words)
	f := &Figure{
		Title: title, Caption: "The most relevant words of each topic, frequent in it and more so than elsewhere, with their probabilities in it.",
		summary: aboutTopics(topics), charts: topicBars(topics, top[:min(len(top), o.Most)], o.Words),
	}
	if len(top) > o.Most {
		f.Notes = []string{fmt.Sprintf("%d of the %d topics are drawn, those of the largest share.", o.Most, len(top))}
	}
	return f
}

// hasTopics says why there is nothing to draw.
func hasTopics(topics *symmom.Topics) error {
	switch {
	case topics == nil:
		return errors.New("they are nil")
	case topics.Components == 0:
		return cmp.Or(topics.Err(), errors.New("there are none"))
	}
	return nil
}

func aboutTopics(topics *symmom.Topics) string {
	return fmt.Sprintf("%s of %s", words.Plural(topics.Components, "topic"), words.Plural(topics.N, "word"))
}

// mapWords are shown of a topic under the pointer.
const mapWords = 10

// TopicMap draws topics as circles whose area is their share, with their words under the pointer. Places
// are those of classical multidimensional scaling of Hellinger's distance: topics that use the same words are
// close. The figure is a go-echarts Scatter chart with a series "topic-j" for each topic, of a point [x, y,
// share, words].
func TopicMap(topics *symmom.Topics) *Figure {
	const title = "Map of the topics"
	fail := func(err error) *Figure { return failed(title, fmt.Errorf("charts: topic map: %w", err)) }
	if err := hasTopics(topics); err != nil {
		return fail(err)
	}
	k := topics.Components
	if k < 3 {
		return fail(fmt.Errorf("%s lie in no plane: a map takes three", words.Plural(k, "topic")))
	}
	// Hellinger's distance is the Euclidean one of the square roots of probabilities, whose scaling
	// is their principal plane.
	roots := mat.NewDense(k, topics.N, nil)
	roots.Apply(func(j, i int, _ float64) float64 { return math.Sqrt(max(0, topics.Words.At(i, j)) / 2) }, roots)
	plane, err := principalPlane(roots, nil)
	if err != nil {
		return fail(err)
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
	c, top := echarts.NewScatter(), topics.Top(mapWords)
	c.SetGlobalOptions(layout{height: heightOf(b), left: 40, bottom: 32}.with(x, y, scripts.TopicTooltip)...)
	for j := range at { // the largest first, below the others
		point := opts.ScatterData{Name: fmt.Sprint(j + 1), Value: append(units.At(at[j]), scaling.Significant(topics.Weights[j], 6), strings.Join(top[j], "\n"))}
		c.AddSeries(fmt.Sprintf("topic %d", j+1), []opts.ScatterData{point}, echarts.WithSeriesId(fmt.Sprintf("topic-%d", j)),
			echarts.WithScatterChartOpts(opts.ScatterChart{SymbolSize: circle(topics.Weights[j], topics.Weights[0], k)}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[j%len(palette)], Opacity: opts.Float(.85), BorderColor: pageColor, BorderWidth: 1}),
			echarts.WithLabelOpts(opts.Label{Show: opts.Bool(true), Position: "inside", Color: pageColor, FontWeight: "bold", Formatter: "{b}"}),
			echarts.WithLabelLayoutOpts(opts.LabelLayout{HideOverlap: opts.Bool(true)}))
	}
	return &Figure{
		Title: title, Caption: "Topics that use the same words are close. The area of a circle is the share of the topic.",
		summary: aboutTopics(topics), charts: []components.Charter{c},
	}
}

// circle returns the diameter of one of k topics in pixels.
func circle(share, largest float64, k int) int {
	const least, most, many = 10, 56, 12
	d := float64(most)
	if k > many { // together not larger than those
		d *= math.Sqrt(float64(many) / float64(k))
	}
	return max(least, int(math.Round(d*math.Sqrt(share/largest))))
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
		x := across.X(xNamed("", "value", scripts.ShortNumber))
		x.Min, x.Max = 0, -roundDown(-most)
		inner(x.AxisLabel)
		y := opts.YAxis{Type: "category", Data: top[j], Inverse: opts.Bool(true), AxisLabel: named(118, "0")}
		l := layout{height: 62 + 18*count, title: fmt.Sprintf("topic %d, share %s", j+1, words.Percent(topics.Weights[j])), left: 136, bottom: 30, room: 4}
		c := echarts.NewBar()
		c.SetGlobalOptions(l.with(x, y, scripts.EntryTooltip(across.JS))...)
		c.AddSeries(fmt.Sprintf("topic %d", j+1), data, echarts.WithSeriesId(fmt.Sprintf("topic-%d", j)),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[j%len(palette)]}),
			echarts.WithSeriesOpts(func(s *echarts.SingleSeries) { s.BarMaxWidth = "14" }))
		all = append(all, c)
	}
	return all
}
