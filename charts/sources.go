package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// SourcesOptions are the options of Sources. The zero value is the default.
type SourcesOptions struct {
	Title   string // default "Independent sources"
	Caption string // default: what the charts show

	// Kind is "series", the values of consecutive observations as lines, "pairs", the
	// distribution of each source and the first three against each other, or "": a series if
	// consecutive observations are more alike than distant ones, as those of a signal are.
	Kind string

	First  int      // observation to begin with, counted from 0
	Points int      // observations to draw; default 400, of pairs 2000 evenly over the table
	Most   int      // sources to draw; default 12
	Names  []string // of the sources; default "source 1", ...

	// Observations have the labels (LoadOptions.Labels) of the groups in whose colours pairs
	// are drawn; default those whose sources are drawn, in Sources.
	Observations *symmom.Session
}

// Defaults of Sources.
const (
	sourcePoints = 400
	mostSources  = 12
)

// Sources draws the independent sources of observations, each in a chart of its own headed
// by its kurtosis, in the order of the result (largest absolute kurtosis first), as a series or
// as distributions and pairs, in the colours of the groups that labels name. It takes one
// pass over the observations and holds all their sources: 8 p K bytes.
func Sources(ica *symmom.ICA, observations *symmom.Session, options ...SourcesOptions) *Figure {
	o, err := atMostOne(options)
	fail := func(err error) *Figure {
		return failed(orDefault(o.Title, sourcesTitle), fmt.Errorf("charts: sources: %w", err))
	}
	switch {
	case err != nil:
		return fail(err)
	case ica == nil || observations == nil:
		return fail(errors.New("the result or the observations are nil"))
	case ica.Components == 0 && ica.Err() == nil:
		return fail(errors.New("the result is empty"))
	}
	s, err := ica.Sources(observations)
	if err != nil {
		return fail(err)
	}
	o.Observations = cmp.Or(o.Observations, observations)
	return SourcesOf(s, ica.Kurtosis, o)
}

const sourcesTitle = "Independent sources"

// SourcesOf draws Sources from plain numbers: sources, p x K, one per column, and
// the kurtosis of each, or nil. The figure is a go-echarts Line chart per source;
// the series is "source-j", and a point is [observation, value], or [from, observations, to]
// of a distribution. Pairs are Scatter charts with the series "data-j" of each group.
func SourcesOf(sources mat.Matrix, kurtosis []float64, options ...SourcesOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, sourcesTitle)}
	fail := func(err error) *Figure { return failed(f.Title, fmt.Errorf("charts: sources: %w", err)) }
	if err != nil {
		return fail(err)
	}
	if linalg.IsNil(sources) {
		return fail(errors.New("the sources are nil"))
	}
	p, k := sources.Dims()
	switch {
	case p < 2 || k < 1:
		return fail(fmt.Errorf("got %d x %d sources, want at least 2 observations of one", p, k))
	case kurtosis != nil && len(kurtosis) != k:
		return fail(fmt.Errorf("got %s for %s", words.Plural(len(kurtosis), "kurtosis value"), words.Plural(k, "source")))
	case o.First < 0 || o.First > p-2:
		return fail(&symmom.ArgumentError{Argument: "First", Value: o.First, Want: fmt.Sprintf("0 to %d", p-2)})
	}
	if o.Kind != "" && o.Kind != "series" && o.Kind != "pairs" {
		return fail(&symmom.ArgumentError{Argument: "Kind", Value: fmt.Sprintf("%q", o.Kind), Want: `"series", "pairs" or ""`})
	}
	points, most := o.Points, o.Most
	if most <= 0 {
		most = mostSources
	}
	names := namesOf(o.Names, k, "source")
	if k > most {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of %s are drawn.", words.Count(most), words.Plural(k, "source")))
	}
	f.summary = words.Plural(k, "source")
	if o.Kind == "pairs" || o.Kind == "" && !ordered(sources) {
		return f.sourcePairs(sources, kurtosis, names, min(k, most), o)
	}
	if points <= 0 {
		points = sourcePoints
	}
	last := min(p, o.First+points)
	for j := range min(k, most) {
		var data []opts.LineData
		values := mat.Col(nil, j, sources)[o.First:last]
		up := scaling.Of(math.Inf(1), values)
		f.Notes = append(f.Notes, leftOut(names[j], values)...)
		for l := o.First; l < last; l++ {
			data = append(data, opts.LineData{Value: []any{l + 1, up.Tidy(sources.At(l, j), 4)}})
		}
		f.charts = append(f.charts, sourceChart(j, names[j], sourceTitle(j, names, kurtosis), data, up, o.First+1, last))
	}
	f.Caption = orDefault(o.Caption, sourcesCaption)
	if last-o.First < p {
		f.Notes = append(f.Notes, fmt.Sprintf("Observations %d to %d of %s are drawn.", o.First+1, last, words.Count(p)))
	}
	return f
}

const sourcesCaption = "The sources behind the observations, each of variance 1 where they were found. Order and signs of sources are not in the data: the kurtosis of the largest size comes first."

func sourceTitle(j int, names []string, kurtosis []float64) string {
	if kurtosis == nil {
		return names[j]
	}
	return fmt.Sprintf("%s, kurtosis %.3g", names[j], kurtosis[j])
}

func sourceChart(j int, name, title string, data []opts.LineData, up scaling.Scaling, from, to int) *echarts.Line {
	c := echarts.NewLine()
	x, y := xNamed("observation", "value", ""), up.Y(yNamed("value", "value", scripts.ShortNumber))
	x.Min, x.Max, x.MinInterval = from, to, 1
	if to-from > 9 { // else few labels are left
		inner(x.AxisLabel)
	}
	c.SetGlobalOptions(layout{height: 220, title: title}.with(x, y, scripts.SweepTooltip("observation", "value", up.JS))...)
	c.AddSeries(name, data,
		echarts.WithSeriesId(fmt.Sprintf("source-%d", j)),
		echarts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: 5, ShowSymbol: opts.Bool(true)}),
		echarts.WithLineStyleOpts(opts.LineStyle{Color: palette[j%len(palette)], Width: 1.2}),
		// invisible marks, which react to the pointer
		echarts.WithItemStyleOpts(opts.ItemStyle{Color: palette[j%len(palette)], Opacity: opts.Float(0)}))
	return c
}
