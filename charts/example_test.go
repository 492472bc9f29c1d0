package charts_test

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/datasets"
	"symmom/symmom"
)

// table returns a small mixture: three components in 8 variables.
func table() *datasets.Mixture {
	return datasets.GaussianMixture(datasets.MixtureOptions{N: 8, Components: 3, PerComponent: 100, Sigma: .1, Congruence: .5, Seed: 1})
}

// shown prints whether a figure was drawn, and whether a text is in it.
func shown(f *charts.Figure, text string) {
	fmt.Println(f.Title, f.Err(), strings.Contains(f.SVG(), text))
}

func Example() {
	fit := table().Session.Moment(3).Decompose(3)
	shown(charts.Convergence(fit), "relative error")
	// Output:
	// Convergence <nil> true
}

func ExampleFigure() {
	f := charts.Factors(table().Session.Moment(3).Decompose(3))
	f.Theme, f.Width = "dark", 600
	shown(f, `width="600"`)
	// Output:
	// Factors <nil> true
}

func ExampleConvergenceOptions() {
	m := table().Session.Moment(3)
	shown(charts.ConvergenceWith(charts.ConvergenceOptions{Names: []string{"three", "four"}, Best: true}, m.Decompose(3), m.Decompose(4)), "four")
	// Output:
	// Convergence <nil> true
}

func ExampleTraceLine() {
	fit := table().Session.Moment(3).Decompose(3)
	lines := []charts.TraceLine{{Name: "first start", Points: fit.Starts[0].Trace}}
	shown(charts.ConvergenceLines("f", lines), "first start")
	// Output:
	// Convergence <nil> true
}

func ExampleFactorsOptions() {
	fit := table().Session.Moment(3).Decompose(3)
	shown(charts.Factors(fit, charts.FactorsOptions{Kind: "heatmap", Title: "Three factors", Names: []string{"a", "b", "c", "d", "e", "f", "g", "height"}}), "height")
	// Output:
	// Three factors <nil> true
}

func ExampleImageOptions() {
	means := datasets.DigitMeans()
	f := charts.Images(means, datasets.DigitSide, datasets.DigitSide, charts.ImageOptions{Title: "Mean digits"})
	fmt.Println(f.Title, f.Err())
	// Output:
	// Mean digits <nil>
}

func ExampleBlockOptions() {
	cross := mat.NewDense(9, 1, []float64{0, 1, 0, 1, 1, 1, 0, 1, 0})
	text := charts.Blocks(cross, 3, 3, charts.BlockOptions{Names: []string{"plus"}})
	for _, line := range strings.Split(text, "\n") {
		fmt.Println("|" + strings.TrimRight(line, " "))
	}
	// Output:
	// |   ░▓▓░
	// |  ██████
	// |   ░▓▓░
	// |   plus
}

func ExampleRecoveryOptions() {
	data := table()
	fit := data.Session.Moment(3).Decompose(3)
	shown(charts.Recovery(fit, data.Means, charts.RecoveryOptions{Principal: true, Points: 100}), "mean 3")
	// Output:
	// Recovered means <nil> true
}

func ExampleRecovered() {
	data := table()
	panels := []charts.Recovered{{Name: "rank 2", Factors: data.Session.Moment(3).Decompose(2).Model.Factors}}
	shown(charts.RecoveryOf(panels, data.Means, charts.RecoveryOptions{Observations: data.Session}), "mean 1")
	// Output:
	// Recovered means <nil> true
}

func ExamplePlane() {
	data := table()
	plane, err := charts.PrincipalPlane(data.Session.Matrix())
	fmt.Println(err, len(plane.X), len(plane.Y))
	// Output:
	// <nil> 8 8
}

func ExampleMixtureOptions() {
	fit := table().Session.Mixture(3)
	shown(charts.Mixture(fit, charts.MixtureOptions{Names: []string{"red", "green", "blue"}}), "green")
	// Output:
	// Gaussian mixture <nil> true
}

func ExampleSourcesOptions() {
	rows := make([][]float64, 200)
	for l := range rows {
		a, b := float64(l/7%2*2-1), float64(l/11%2*2-1)
		rows[l] = []float64{a + .5*b, .3*a - b}
	}
	s := symmom.FromRows(rows)
	shown(charts.Sources(s.ICA(2), s, charts.SourcesOptions{Names: []string{"slow", "fast"}}), "slow")
	// Output:
	// Independent sources <nil> true
}

func ExampleSweepOptions() {
	line := charts.SweepLine{Name: "ours", Ranks: []int{1, 2, 3}, RelativeError: []float64{.5, .2, .1}}
	shown(charts.SweepLines([]charts.SweepLine{line}, charts.SweepOptions{TrueRank: 3}), "ours")
	// Output:
	// Ranks compared <nil> true
}

func ExampleSweepLine() {
	line := charts.SweepLine{Name: "time", Ranks: []int{1, 2}, RelativeError: []float64{.3, .1}, Seconds: []float64{.1, .4}}
	shown(charts.SweepLines([]charts.SweepLine{line}, charts.SweepOptions{Title: "Two ranks"}), "rank")
	// Output:
	// Two ranks <nil> true
}

func ExampleCostOptions() {
	shown(charts.Cost(charts.CostOptions{Orders: []int{3}, N: 100}), "implicit")
	// Output:
	// Cost of a moment, explicit and implicit <nil> true
}

func ExampleDotOptions() {
	series := []charts.DotSeries{{Name: "measured", X: []float64{1, 2}, Y: []float64{3, 5}}}
	shown(charts.Dots(series, charts.DotOptions{X: "n", Y: "seconds"}), "seconds")
	// Output:
	// Compared <nil> true
}

func ExampleDotSeries() {
	s := charts.DotSeries{Name: "runs", X: []float64{1, 2}, Y: []float64{2, 1}, Names: []string{"first", "second"}}
	shown(charts.Dots([]charts.DotSeries{s}, charts.DotOptions{}), "second")
	// Output:
	// Compared <nil> true
}

func ExampleInitMethod() {
	methods := []charts.InitMethod{{Name: "range finder", Successes: []float64{9, 10}}, {Name: "Gaussian", Successes: []float64{4, 7}}}
	shown(charts.InitSuccessBars([]string{".1", ".01"}, methods, charts.InitSuccessOptions{Runs: 10}), "Gaussian")
	// Output:
	// Starts that find the best fit <nil> true
}

func ExampleInitSuccessOptions() {
	methods := []charts.InitMethod{{Name: "range finder", Successes: []float64{9}}}
	shown(charts.InitSuccessBars([]string{".1"}, methods, charts.InitSuccessOptions{Title: "Ten runs", Group: "σ"}), "σ")
	// Output:
	// Ten runs <nil> true
}

func ExampleScoreMatrixOptions() {
	data := table()
	score := data.Session.Moment(3).Decompose(3).Score(data.Means)
	shown(charts.ScoreMatrix(score, charts.ScoreMatrixOptions{TruthNames: []string{"a", "b", "c"}}), "component 1")
	// Output:
	// Cosines after matching <nil> true
}

func ExampleReport() {
	fit := table().Session.Moment(3).Decompose(3)
	page := charts.NewReport("Three components").Text("From 300 observations.").Add(charts.Convergence(fit)).Page()
	fmt.Println(strings.HasPrefix(page, "<!doctype html>"), strings.Contains(page, "From 300 observations."))
	// Output:
	// true true
}

func ExampleReportOptions() {
	data := table()
	page := charts.ReportOn(data.Session, charts.ReportOptions{Title: "A look", From: 2, To: 4, Truth: data.Means}).Page()
	fmt.Println(strings.Contains(page, "A look"))
	// Output:
	// true
}

func ExampleFitOptions() {
	data := table()
	r := charts.NewReport("Fit").AddFit(data.Session.Moment(3).Decompose(3), charts.FitOptions{Truth: data.Means})
	fmt.Println(r.Err())
	// Output:
	// <nil>
}

func ExampleObservationsOptions() {
	data := symmom.FromRows([][]float64{{1, 2, 3}, {2, 4, 1}, {3, 6, 2}})
	figure := charts.Correlations(data, charts.ObservationsOptions{Title: "Which go together", Most: 2})
	fmt.Println(figure.Title, figure.Err())
	fmt.Println(figure.Notes[0])
	// Output:
	// Which go together <nil>
	// The first 2 of 3 variables are drawn.
}

func ExampleTopicsOptions() {
	drawn := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 4, Documents: 500, Words: 100})
	found := drawn.Session.Topics(4)
	shown(charts.TopicMap(found), "PC1")
	figure := charts.Topics(found, charts.TopicsOptions{Words: 5, Most: 3})
	fmt.Println(figure.Title, figure.Err())
	fmt.Println(figure.Notes[0])
	// Output:
	// Map of the topics <nil> true
	// Words of the topics <nil>
	// 3 of the 4 topics are drawn, those of the largest share.
}
