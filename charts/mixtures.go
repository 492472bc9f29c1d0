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
// number of components, with a line for each covariance. The number with the lowest BIC is a
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
	left, lowest := len(found.Fits), math.Inf(1)
	for _, r := range found.Fits {
		if !r.Comparable {
			continue
		}
		if len(lines) == 0 || lines[len(lines)-1].Name != r.Covariance {
			lines = append(lines, SweepLine{Name: r.Covariance})
		}
		l := &lines[len(lines)-1]
		l.Ranks, l.RelativeError, l.Score = append(l.Ranks, r.Components), append(l.RelativeError, r.BIC-found.Best.BIC), append(l.Score, r.ICL)
		left, lowest = left-1, min(lowest, r.ICL)
	}
	for _, l := range lines {
		for i := range l.Score {
			l.Score[i] -= lowest
		}
	}
	if left > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s that cannot be compared %s left out.", words.Plural(left, "fit"), words.Verb(left, "is", "are")))
	}
	for _, row := range []sweepRow{
		{name: "BIC above its lowest", of: func(l SweepLine) []float64 { return l.RelativeError }},
		{name: "ICL above its lowest", of: func(l SweepLine) []float64 { return l.Score }},
	} {
		row.logFrom, row.axis, row.mark = math.Inf(1), "components", "lowest BIC"
		c, _ := row.chart(lines, found.Best.Components)
		f.charts = append(f.charts, c)
	}
	f.summary = found.Conclusion
	return f
}
