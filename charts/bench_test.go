package charts

import (
	"testing"

	"symmom/datasets"

	"gonum.org/v1/gonum/mat"
)

// notebookFigures have the sizes of real work. Another k gives other values, so
// that no cached drawing can be reused.
var notebookFigures = []struct {
	name string
	make func(b testing.TB, k int) *Figure
}{
	{"Convergence", func(b testing.TB, k int) *Figure { // 40 starts of 4 to 121 points
		fit := syntheticFit(b, 40)
		fit.Starts[0].Trace[1].Objective *= 1 + 1e-3*float64(k)
		return Convergence(fit)
	}},
	{"Recovery1250", func(b testing.TB, k int) *Figure { return recoveryOf(b, 1250, 5, k) }},
	{"Recovery4000", func(b testing.TB, k int) *Figure { return recoveryOf(b, 4000, 5, k) }},
	{"Lambda", func(b testing.TB, k int) *Figure {
		fit := syntheticFit(b, 1)
		fit.Model.Lambda[0] += 1e-3 * float64(k)
		return Lambda(fit)
	}},
	{"ScoreMatrix", func(b testing.TB, k int) *Figure {
		return ScoreMatrix(syntheticFit(b, 1).Score(mat.NewDense(4, 2, []float64{1, 0, 1, 1, 0, 1, 0, 1e-3 * float64(k)})))
	}},
	{"Sweep", func(b testing.TB, k int) *Figure {
		lines := paperLines()
		lines[0].Seconds[0] += 1e-3 * float64(k)
		return SweepLines(lines, SweepOptions{TrueRank: 5})
	}},
	{"Images", func(b testing.TB, k int) *Figure { f := waves(8); f.Title += string(rune('a' + k%26)); return f }},
}

// recoveryOf returns a figure of p observations of r components in ten dimensions.
func recoveryOf(b testing.TB, p, r, k int) *Figure {
	b.Helper()
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 10, Components: r, Observations: p, Sigma: .1})
	if m.Err() != nil {
		b.Fatal(m.Err())
	}
	return RecoveryOf([]Recovered{{"fit", m.Means}}, m.Means, RecoveryOptions{Observations: m.Session, Labels: m.Labels, Seed: uint64(k)})
}

// BenchmarkNotebook measures what a kernel does with the figure of a cell.
func BenchmarkNotebook(b *testing.B) {
	Lambda(syntheticFit(b, 1)).SVG() // reads ECharts
	for _, c := range notebookFigures {
		b.Run(c.name, func(b *testing.B) {
			k, page, picture := 0, 0, 0
			for b.Loop() {
				b.StopTimer()
				k++
				f := c.make(b, k)
				b.StartTimer()
				page, picture = len(f.HTML()), len(f.PNG())
			}
			b.ReportMetric(float64(page)/1000, "kB-html")
			b.ReportMetric(float64(picture)/1000, "kB-png")
		})
	}
}
