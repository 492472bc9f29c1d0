package charts

import (
	"errors"
	"fmt"
	"math"
	"slices"

	echarts "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"

	"symmom/charts/internal/scaling"
	"symmom/charts/internal/scripts"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Scree draws the spectrum of the second moment of a *symmom.Session, of its *symmom.Summary, or
// of a *symmom.Fit, with the rank that it suggests. That of a compressed fit is what the fit used;
// other fits show that of their table.
func Scree(of any) *Figure {
	const title = "Spectrum of the second moment"
	fail := func(err error) *Figure { return failed(title, fmt.Errorf("charts: scree: %w", err)) }
	var s *symmom.Summary
	switch of := of.(type) {
	case *symmom.Fit:
		if err := hasModel(of); err != nil {
			return fail(err)
		}
		if len(of.Spectrum) > 0 {
			return scree(of.Spectrum, of.Stand, of.SuggestedRank)
		}
		s = of.Session().Summary()
	case *symmom.Session:
		if of != nil {
			s = of.Summary()
		}
	case *symmom.Summary:
		s = of
	default:
		return fail(fmt.Errorf("got a %T, want a *symmom.Session, *symmom.Summary or *symmom.Fit", of))
	}
	if s == nil {
		return fail(errors.New("the table is nil"))
	}
	if err := s.Err(); err != nil {
		return fail(err)
	}
	return scree(s.Eigenvalues, s.Stand, s.SuggestedRank)
}

// ScreeOf draws eigenvalues, the largest first. The axis is logarithmic if those that are
// more than rounding are positive and span a factor of 30. The first ones, as many as
// suggested, are coloured, with a dashed line after them; 0 colours none. The chart is one
// go-echarts Line chart with the series "suggested" and "others"; a point is [number,
// eigenvalue], or its log10 if they span nine decades.
func ScreeOf(eigenvalues []float64, suggested int) *Figure {
	return scree(eigenvalues, suggested, suggested)
}

func scree(eigenvalues []float64, stand, suggested int) *Figure {
	const title = "Spectrum of the second moment"
	if len(eigenvalues) == 0 {
		return failed(title, errors.New("charts: scree: there are no eigenvalues"))
	}
	if stand < 0 || stand > len(eigenvalues) {
		return failed(title, fmt.Errorf("charts: scree: got a suggested rank of %d for %s, want 0 (none) to that number", stand, words.Plural(len(eigenvalues), "eigenvalue")))
	}
	if !linalg.Finite(eigenvalues...) {
		return failed(title, errors.New("charts: scree: not all eigenvalues are finite"))
	}
	f := &Figure{Title: title, summary: words.Plural(len(eigenvalues), "eigenvalue")}
	shown := eigenvalues
	if most := max(50, 3*stand); len(shown) > most {
		shown = shown[:most]
		f.Notes = append(f.Notes, fmt.Sprintf("The leading %s of %s are drawn.", words.Count(most), words.Plural(len(eigenvalues), "eigenvalue")))
	}
	// values more than 14 decimal digits below the first are rounding errors
	rounding, zero := 0, 1e-14*shown[0]
	visible := slices.Clone(shown)
	for i, v := range visible {
		if math.Abs(v) < zero {
			visible[i] = math.NaN()
			rounding++
		}
	}
	y := scaling.OfAll(30, visible)
	if y.Linear() {
		visible, y = shown, scaling.FromZero(shown)
	} else if rounding > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("Zero to within rounding, and omitted: %s.", words.Plural(rounding, "eigenvalue")))
	}
	axis := y.Y(yNamed("eigenvalue", "value", scripts.ShortNumber))
	if y.Linear() {
		axis.Scale = opts.Bool(false)
	}

	c := echarts.NewLine()
	c.SetGlobalOptions(layout{height: 300, room: markRoom(stand)}.with(
		whole(xNamed("number", "value", ""), 1, len(shown)), axis, scripts.ScreeTooltip(y.JS))...)
	add := func(id, name, color string, from, to int, more ...echarts.SeriesOpts) {
		var data []opts.LineData
		for i := from; i < to; i++ {
			data = append(data, opts.LineData{Value: []any{i + 1, y.Value(visible[i])}})
		}
		c.AddSeries(name, data, append([]echarts.SeriesOpts{
			echarts.WithSeriesId(id),
			echarts.WithLineChartOpts(opts.LineChart{Symbol: "circle", SymbolSize: 7, ShowSymbol: opts.Bool(true)}),
			echarts.WithLineStyleOpts(opts.LineStyle{Color: color, Width: 1.4}),
			echarts.WithItemStyleOpts(opts.ItemStyle{Color: color}),
		}, more...)...)
	}
	f.Caption = "Eigenvalues of the second moment. Those of the components stand out from those of the noise, so that the gap suggests a rank; here nothing stands out."
	if stand > 0 {
		mark := fmt.Sprintf("suggested rank %d", stand)
		if suggested > stand {
			mark += fmt.Sprintf(" or %d", suggested)
		}
		add("suggested", "stand out", blue, 0, min(stand, len(shown)), dashed(float64(stand)+.5, mark)...)
		f.Caption = "Eigenvalues of the second moment: " + frame.Standing(stand, suggested) + "."
		f.summary += ", " + mark
	}
	add("others", "others", grey, stand, len(shown))
	f.charts = []components.Charter{c}
	return f
}
