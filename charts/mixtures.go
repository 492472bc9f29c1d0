package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"symmom/internal/text/words"
	"symmom/symmom"
)

// Mixtures draws BIC and ICL of several Gaussian mixtures above their lowest values, against the
// number of components, with a line for each covariance. The number with the lowest value is a
// dashed line. Fits that cannot be compared are left out. The figure is two go-echarts Line
// charts, as those of SweepLines.
func Mixtures(found *symmom.Mixtures) *Figure {
	const title = "Mixtures compared"
	fail := func(err error) *Figure { return failed(title, fmt.Errorf("charts: mixtures: %w", err)) }
	switch {
	case found == nil:
		return fail(errors.New("they are nil"))
	case found.Best == nil:
		return fail(cmp.Or(found.Err(), errors.New("no fit can be compared with others")))
	}
	f := &Figure{Title: title, Caption: sentence(found.Conclusion)}
	// A line has BIC and ICL in place of relative errors and scores.
	var lines []SweepLine
	left, lowest, at := len(found.Fits), math.Inf(1), 0
	for _, r := range found.Fits {
		if !r.Comparable {
			continue
		}
		if len(lines) == 0 || lines[len(lines)-1].Name != r.Covariance {
			lines = append(lines, SweepLine{Name: r.Covariance})
		}
		l := &lines[len(lines)-1]
		l.Ranks, l.RelativeError, l.Score = append(l.Ranks, r.Components), append(l.RelativeError, r.BIC-found.Best.BIC), append(l.Score, r.ICL)
		left--
		if r.ICL < lowest {
			lowest, at = r.ICL, r.Components
		}
	}
	for _, l := range lines {
		for i := range l.Score {
			l.Score[i] -= lowest
		}
	}
	if left > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s that cannot be compared %s left out.", words.Plural(left, "fit"), words.Verb(left, "is", "are")))
	}
	for _, criterion := range []struct {
		name   string
		lowest int
		of     func(SweepLine) []float64
	}{
		{"BIC", found.Best.Components, func(l SweepLine) []float64 { return l.RelativeError }},
		{"ICL", at, func(l SweepLine) []float64 { return l.Score }},
	} {
		row := sweepRow{name: criterion.name + " above its lowest", of: criterion.of, logFrom: math.Inf(1), axis: "components", mark: "lowest " + criterion.name}
		c, _ := row.chart(lines, criterion.lowest)
		f.charts = append(f.charts, c)
	}
	f.summary = found.Conclusion
	return f
}
