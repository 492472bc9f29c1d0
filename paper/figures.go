package paper

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/internal/words"
	"symmom/symmom"
)

// costFigures are the paper's figure, and the same with the observations
// counted.
func costFigures() []*charts.Figure {
	return []*charts.Figure{
		charts.Cost(charts.CostOptions{Title: "As the paper draws it", Rank: costRank}),
		charts.Cost(charts.CostOptions{Title: fmt.Sprintf("As its text counts, p = %s", words.Count(costObservations)), Rank: costRank, Observations: costObservations}),
	}
}

// plane is the projection of figures gmm-picture and gmm-solns.
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

// pictureFigure draws the points that a record shows, from the data, which are
// drawn anew from their seed.
func pictureFigure(s Settings) *charts.Figure {
	p := pictureOf(s)
	data := symmom.GaussianMixture(p.options)
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

// initFigure draws the bars of a method, by sigma then way.
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
		Caption: "Runs that came within .01 of the best f of all runs at that σ. Above each bar stands the processor time of all its runs."})
}

// gmmFigures draws the three rows of a true rank, a line a sigma.
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

// recoveryFigure draws the panels of a method over the data, which are drawn
// anew from their seed.
func recoveryFigure(s Settings, method string, records []recoveryRecord) *charts.Figure {
	data := symmom.GaussianMixture(pictureOf(s).options)
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
				l.Points = append(l.Points, symmom.TracePoint{Seconds: t.Seconds, Objective: float64(t.F), Evaluations: t.Evaluations})
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

// traceTop is where the paper's axis of figure stoch-traces ends.
const traceTop = -.05
