package paper

import (
	"fmt"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/datasets"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// costFigures returns the paper's figure, and a version that counts the
// observations.
func costFigures() []*charts.Figure {
	return []*charts.Figure{
		charts.Cost(charts.CostOptions{Title: "As the paper draws it", Rank: costRank}),
		charts.Cost(charts.CostOptions{Title: fmt.Sprintf("As its text counts, p = %s", words.Count(costObservations)), Rank: costRank, Observations: costObservations}),
	}
}

// plane returns the projection of figures gmm-picture and gmm-solns.
func plane(s Settings) *charts.Plane { return charts.RandomPlane(pictureOf(s).options.N, s.Seed) }

// project returns the rows of m in a plane.
func project(m mat.Matrix, p *charts.Plane) [][2]float64 {
	rows, n := m.Dims()
	out := make([][2]float64, rows)
	for i := range out {
		for j := range n {
			out[i][0] += m.At(i, j) * p.X[j]
			out[i][1] += m.At(i, j) * p.Y[j]
		}
	}
	return out
}

// pictureFigure draws the points of a record, from the data, which are drawn again
// from their seed.
func pictureFigure(s Settings) *charts.Figure {
	p := pictureOf(s)
	data := datasets.GaussianMixture(p.options)
	v := data.Session.Matrix()
	points := mat.NewDense(p.options.Components*p.shownPer, p.options.N, nil)
	var labels []int
	for l, j := range data.Labels {
		if l%p.options.PerComponent < p.shownPer {
			points.SetRow(len(labels), v.RawRowView(l))
			labels = append(labels, j)
		}
	}
	return charts.RecoveryOf([]charts.Recovered{{}}, data.Means, charts.RecoveryOptions{Title: "The mixture in a random plane",
		Plane: plane(s), Observations: symmom.FromMatrix(points), Labels: labels})
}

// perEvaluationFigure draws the seconds per evaluation of a method, with the
// published values.
func perEvaluationFigure(method string, rows []scenario, found map[int]map[string]timingRecord) *charts.Figure {
	o := charts.DotOptions{Title: "Milliseconds of an evaluation, " + methodName(method), X: "milliseconds",
		Caption: "A scenario a row: milliseconds of the processor here, and as published."}
	series := []charts.DotSeries{{Name: "explicit"}, {Name: "explicit, published"}, {Name: "implicit"}, {Name: "implicit, published"}}
	for i, c := range rows {
		o.Rows = append(o.Rows, fmt.Sprintf("d=%d n=%d p=%d r=%d", c.d, c.n, c.p, c.r))
		for k, seconds := range []float64{perEvaluation(found[i], formExplicit), c.perExplicit, perEvaluation(found[i], formImplicit), c.perImplicit} {
			series[k].X = append(series[k].X, 1e3*seconds)
		}
	}
	return charts.Dots(series, o)
}

// massiveFigure draws score and seconds of all rows, with the published values.
func massiveFigure(all []massiveRecord) *charts.Figure {
	series := []charts.DotSeries{{Name: "published"}}
	add := func(name, row string, seconds, score float64) {
		if series[len(series)-1].Name != name {
			series = append(series, charts.DotSeries{Name: name})
		}
		s := &series[len(series)-1]
		s.X, s.Y, s.Names = append(s.X, seconds), append(s.Y, 1-score), append(s.Names, row)
	}
	for _, p := range publishedMassive {
		add("published", massiveRecord{Samples: p.samples}.rowName(), p.tenSeconds, p.score)
	}
	for _, rec := range all {
		add(methodName(rec.Method), rec.rowName(), float64(rec.Seconds), float64(rec.Score))
	}
	return charts.Dots(series, charts.DotOptions{Title: "Score and time of all starts", X: "seconds of all starts", Y: "1 − score", Caption: "How far the score of the best of all starts is from 1, against the seconds of all; better is lower and to the left."})
}

// initFigure draws the bars of a method, by sigma, then way.
func initFigure(method string, bars [][]initRecord, runs int) *charts.Figure {
	var groups []string
	ways := make([]charts.InitMethod, len(initWays))
	for _, row := range bars {
		groups = append(groups, fmt.Sprintf("%.0e", row[0].Sigma))
		for i, b := range row {
			ways[i].Name = b.Way
			ways[i].Successes = append(ways[i].Successes, float64(b.Successes))
			ways[i].Seconds = append(ways[i].Seconds, float64(b.CPU))
		}
	}
	return charts.InitSuccessBars(groups, ways, charts.InitSuccessOptions{Title: "Successful runs, " + methodName(method), Group: "σ", Runs: runs,
		Caption: "Runs that came within .01 of the best f of all runs at that σ. Above each bar stands the processor time of all its runs, where there is room."})
}

// gmmFigures draws the three rows for a true rank, with a line per sigma.
func gmmFigures(s Settings, d int, method string, all map[gmmCell]gmmRecord) (out []*charts.Figure) {
	ranks, _ := gmmSizes(s)
	for _, r := range ranks {
		var lines []charts.SweepLine
		for i, sigma := range sigmas {
			l := charts.SweepLine{Name: fmt.Sprintf("σ = %.0e", sigma)}
			for rank := r - 2; rank <= r+2; rank++ {
				if rec, ok := all[gmmCell{d, r, rank, i, method}]; ok {
					l.Ranks = append(l.Ranks, rank)
					l.RelativeError = append(l.RelativeError, float64(rec.RelativeError))
					l.Score = append(l.Score, float64(rec.Score))
					l.Seconds = append(l.Seconds, float64(rec.CPU))
				}
			}
			if len(l.Ranks) > 0 {
				lines = append(lines, l)
			}
		}
		if len(lines) > 0 {
			out = append(out, charts.SweepLines(lines, charts.SweepOptions{Title: fmt.Sprintf("r = %d, %s", r, methodName(method)), TrueRank: r,
				Caption: "Each against the rank of the model. The relative error is that of the best start, the seconds are processor time of all starts. The dashed line is the true rank."}))
		}
	}
	return out
}

// recoveryFigure draws the panels of a method over the data, which are drawn again
// from their seed.
func recoveryFigure(s Settings, method string, records []recoveryRecord) *charts.Figure {
	data := datasets.GaussianMixture(pictureOf(s).options)
	var panels []charts.Recovered
	for _, rec := range records {
		n := len(rec.Factors[0])
		a := mat.NewDense(n, rec.Rank, nil)
		for j, column := range rec.Factors {
			a.SetCol(j, column)
		}
		panels = append(panels, charts.Recovered{Name: fmt.Sprintf("rank %d", rec.Rank), Factors: a})
	}
	return charts.RecoveryOf(panels, data.Means, charts.RecoveryOptions{Title: "Recovered means, " + methodName(method),
		Plane: plane(s), Observations: data.Session, Labels: data.Labels})
}

// traceFigure draws the best starts of a method.
func traceFigure(method string, records []massiveRecord) *charts.Figure {
	var lines []charts.TraceLine
	for _, rec := range records {
		l := charts.TraceLine{Name: rec.rowName()}
		for _, t := range rec.Trace {
			if t.F < traceTop { // the first steps would hide the rest
				l.Points = append(l.Points, symmom.TracePoint{Elapsed: time.Duration(t.Seconds * float64(time.Second)), Objective: float64(t.F), Evaluations: t.Evaluations})
			}
		}
		if len(l.Points) > 0 {
			lines = append(lines, l)
		}
	}
	f := charts.ConvergenceLines("f (shifted)", lines, charts.ConvergenceOptions{Title: "Traces of the best starts, " + methodName(method)})
	f.Notes = append(f.Notes, fmt.Sprintf("Points above %g are left out, as in the paper.", traceTop))
	return f
}

// traceTop is the end of the axis in the paper's figure stoch-traces.
const traceTop = -.05
