package charts

import (
	"errors"
	"fmt"
	"slices"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/box"
	"symmom/charts/internal/groups"
	"symmom/charts/internal/scripts"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// MixtureOptions are the options of Mixture. The zero value is the default.
type MixtureOptions struct {
	Title   string // default "Gaussian mixture"
	Caption string // default: what the chart shows

	// Plane to project to; default PrincipalPlane of what is drawn. VariablePlane
	// gives that of two variables.
	Plane *Plane
	Seed  uint64 // of what is drawn; default 1

	// Observations to draw, in the colours of their most likely components, which are those
	// of the groups that most of these are of if they have labels (LoadOptions.Labels), with
	// variables in any order, as in Mixture.Predict; default those that the
	// mixture was fitted to.
	Observations *symmom.Session

	// Labels draws the observations in the colours of the groups that their labels name
	// (LoadOptions.Labels), and means and ellipses without colours.
	Labels bool

	Names []string // of the components; default "component 1", ...

	// Points is the number of observations to draw, chosen at random, evenly over
	// the table; default 2000.
	Points int
}

// Mixture draws a Gaussian mixture in a plane: observations in the colours of their
// most likely components, the means as crosses, and around them ellipses of one and
// two standard deviations of the covariances within the plane. One pass.
//
// The figure is a go-echarts Scatter chart with the series "data-j", "mean-j",
// and lines "ellipse-j-1" and "ellipse-j-2"; a point is [x, y].
func Mixture(fit *symmom.Mixture, options ...MixtureOptions) *Figure {
	o, err := atMostOne(options)
	f := &Figure{Title: orDefault(o.Title, "Gaussian mixture")}
	fail := func(err error) *Figure { return failed(f.Title, fmt.Errorf("charts: mixture: %w", err)) }
	switch {
	case err != nil:
		return fail(err)
	case fit == nil:
		return fail(errors.New("the mixture is nil"))
	case fit.N == 0 && fit.Err() != nil:
		return fail(fit.Err())
	case fit.N == 0:
		return fail(errors.New("the mixture is empty"))
	case fit.N < 2:
		return fail(errors.New("one variable lies in no plane"))
	}
	p := mixturePlot{fit: fit, o: o, names: namesOf(o.Names, fit.Components, "component"), colors: groups.Matched(nil, fit.Components, 0)}
	if err := p.draw(); err != nil {
		return fail(err)
	}
	if err := p.choosePlane(); err != nil {
		return fail(err)
	}
	c, notes := p.chart()
	f.charts, f.Notes = append(f.charts, c), notes
	f.Caption = orDefault(o.Caption, p.caption())
	if rows, _ := p.rows.Dims(); p.total > rows {
		f.Notes = append(f.Notes, fmt.Sprintf("%s of the %s are drawn, chosen at random evenly over the table.", words.Count(rows), words.Plural(p.total, "observation")))
	}
	if p.weighted {
		f.Notes = append(f.Notes, unweighted)
	}
	f.summary = fmt.Sprintf("%s, %s covariance", words.Plural(fit.Components, "component"), fit.Covariance)
	if fit.Nonparametric {
		f.summary = words.Plural(fit.Components, "component")
		f.Title = orDefault(o.Title, "Nonparametric mixture")
	}
	return f
}

// mixturePlot holds the contents of a figure.
type mixturePlot struct {
	fit   *symmom.Mixture
	o     MixtureOptions
	names []string
	plane *Plane

	rows   *mat.Dense // the observations drawn; empty if none
	nu     []float64  // their weights; nil: all equal, or on disk
	labels []int
	groups *groups.Groups // nil: labels are components
	colors []int          // numbers of the components' colours
	total  int            // number of observations

	weighted bool // the observations have weights
}

// draw selects the observations to show.
func (p *mixturePlot) draw() error {
	s := p.o.Observations
	p.rows = &mat.Dense{}
	if s == nil {
		if s = p.fit.Session(); s.Err() != nil {
			return nil // a mixture read from a file has no observations
		}
	}
	limit := p.o.Points
	if limit <= 0 {
		limit = 2000
	}
	rows, index, err := s.Subsample(limit, p.o.Seed)
	if err != nil {
		return err
	}
	components, err := p.fit.PredictRows(s, rows) // refuses other variables and coordinates
	if err != nil {
		return err
	}
	there := &frame.Frame{Coordinates: p.fit.Coordinates, Variables: p.fit.Names, Move: frame.Move{Center: p.fit.Center, Scale: p.fit.Scale}}
	order, move, _ := there.Place("mixture", &frame.Frame{Coordinates: s.Coordinates(), Variables: s.Columns()})
	for i := 0; move != nil && i < len(index); i++ {
		move(rows.RawRowView(i))
	}
	if order != nil {
		there := mat.DenseCopyOf(rows)
		for i, k := range order {
			rows.SetCol(k, mat.Col(nil, i, there))
		}
	}
	g := groups.Of(s, index)
	if g != nil {
		p.colors = g.Like(components, p.fit.Components)
	}
	p.labels = components
	if p.o.Labels {
		if p.groups = g; g == nil {
			return s.Labels().Err()
		}
		p.labels = g.Of
	}
	p.rows, p.total, p.nu = rows, s.Observations(), groups.Weights(s, index)
	p.weighted = s.Weighted()
	return nil
}

func (p *mixturePlot) choosePlane() (err error) {
	if p.plane = p.o.Plane; p.plane != nil {
		return p.plane.check(p.fit.N)
	}
	of := mat.Matrix(p.rows)
	if p.rows.IsEmpty() {
		sample, _ := p.fit.Sample(1000, p.o.Seed)
		of = sample.Matrix()
	}
	p.plane, err = principalPlane(of, p.nu)
	return err
}

// ellipse returns the points at a number of standard deviations of component j.
func (p *mixturePlot) ellipse(j int, deviations float64) [][2]float64 {
	s := p.fit.CovarianceOf(j)
	x, y := mat.NewVecDense(p.fit.N, p.plane.X), mat.NewVecDense(p.fit.N, p.plane.Y)
	mean := p.plane.at(mat.Col(nil, j, p.fit.Means))
	return box.Ellipse(mean, mat.Inner(x, s, x), mat.Inner(x, s, y), mat.Inner(y, s, y), deviations)
}

func (p *mixturePlot) caption() string {
	what := "Means"
	if p.groups != nil {
		what = "Observations in the colours of their groups of " + p.groups.Label + ", and the means"
	} else if !p.rows.IsEmpty() {
		what = "Observations in the colours of their most likely components, and the means"
	}
	return fmt.Sprintf("%s as crosses, with ellipses of one and two standard deviations, projected to %s.", what, orDefault(p.plane.Name, "a plane"))
}

// places returns where the observations and the ellipses are, and a box that holds them.
func (p *mixturePlot) places() (b box.Box, at [][2]float64, ellipses [][2][][2]float64) {
	b, ellipses = box.Empty(), make([][2][][2]float64, p.fit.Components)
	for l := range p.labels {
		at = append(at, p.plane.at(p.rows.RawRowView(l)))
		b = b.With(at[l])
	}
	for j := range ellipses {
		for k := range ellipses[j] {
			ellipses[j][k] = p.ellipse(j, float64(k+1))
			for _, at := range ellipses[j][k] {
				b = b.With(at)
			}
		}
	}
	return b.Padded(.02), at, ellipses
}

func (p *mixturePlot) chart() (chart *echarts.Scatter, notes []string) {
	r := p.fit.Components
	b, at, ellipses := p.places()
	x, y, plane := p.plane.axes(b)
	names := p.names // of the components or groups that have a colour
	if p.groups != nil {
		names = append(slices.Clone(p.groups.Names), p.groups.Rest)
	}
	color := func(j int) string {
		if p.groups != nil {
			return inkColor
		}
		return palette[p.colors[j]%len(palette)]
	}
	legend, series, mean := p.names, p.names, make([]string, r)
	for j, w := range p.fit.Weights {
		mean[j] = fmt.Sprintf("mean, weight %.3g", w)
	}
	if p.groups != nil { // components look alike: one entry of the legend stands for all
		legend, series = []string{"components"}, slices.Repeat([]string{"components"}, r)
		for j := range mean {
			mean[j] = p.names[j] + ", " + mean[j]
		}
	}
	data := make([][]opts.ScatterData, len(names))
	for l, j := range p.labels {
		if j < 0 {
			j = len(names) - 1
		}
		data[j] = append(data[j], opts.ScatterData{Value: plane.At(at[l])})
	}
	lines := echarts.NewLine()
	for j := range r {
		for k := range ellipses[j] {
			var points []opts.LineData
			for _, at := range ellipses[j][k] {
				point := opts.LineData{Value: plane.At(at)}
				if p.groups != nil {
					point.Name = p.names[j]
				}
				points = append(points, point)
			}
			lines.AddSeries(series[j], points,
				echarts.WithSeriesId(fmt.Sprintf("ellipse-%d-%d", j, k+1)),
				echarts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: 5, ShowSymbol: opts.Bool(true)}),
				echarts.WithLineStyleOpts(opts.LineStyle{Color: color(j), Width: float32(1.9 - .7*float64(k)), Type: lineTypes[p.colors[j]/len(palette)%len(lineTypes)]}),
				// invisible marks, which react to the pointer
				echarts.WithItemStyleOpts(opts.ItemStyle{Color: color(j), Opacity: opts.Float(0)}))
		}
	}
	c := echarts.NewScatter()
	for j := range data {
		if len(data[j]) == 0 {
			continue
		}
		number := j
		if p.groups == nil {
			number = p.colors[j]
		}
		dot, style := dots(number)
		if p.groups != nil {
			legend = append(legend, names[j])
			if j == len(names)-1 {
				style.Color = grey
			}
		}
		style.Opacity = opts.Float(.45) // the ellipses stand out
		c.AddSeries(names[j], data[j], echarts.WithSeriesId(fmt.Sprintf("data-%d", j)),
			echarts.WithScatterChartOpts(dot), echarts.WithItemStyleOpts(style))
	}
	for j := range r {
		at := p.plane.at(mat.Col(nil, j, p.fit.Means))
		c.AddSeries(series[j], []opts.ScatterData{{Name: mean[j], Value: plane.At(at)}},
			echarts.WithSeriesId(fmt.Sprintf("mean-%d", j)),
			echarts.WithScatterChartOpts(opts.ScatterChart{Symbol: cross, SymbolSize: 15}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: color(j), BorderColor: pageColor, BorderWidth: 1, Opacity: opts.Float(1)}))
	}
	c.Overlap(lines)
	c.SetGlobalOptions(layout{height: heightOf(b), legend: legend}.with(x, y, scripts.PlaneTooltip(plane[0].JS, plane[1].JS))...)
	return c, unitNote(b)
}

// lineTypes distinguish lines once the palette repeats.
var lineTypes = []string{"solid", "dashed", "dotted"}
