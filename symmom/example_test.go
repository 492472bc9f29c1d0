package symmom_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/symmom"
)

// table is a small one: five components in 20 variables.
func table() *datasets.Mixture {
	return datasets.GaussianMixture(datasets.MixtureOptions{N: 20, Components: 5, PerComponent: 200, Sigma: .05, Congruence: .5, Seed: 1})
}

// From a table to a scored fit.
func Example() {
	data := table()
	fit := data.Session.Moment(3).Decompose(5)
	if err := fit.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rank %d of %d variables, relative error below 2%%: %v\n", fit.Rank, fit.N, fit.RelativeError < .02)
	fmt.Printf("score %.2f\n", fit.Score(data.Means).Value)
	// Output:
	// rank 5 of 20 variables, relative error below 2%: true
	// score 1.00
}

func ExampleSession() {
	s := symmom.FromRows([][]float64{{1, 2}, {3, 4}, {5, 9}})
	fmt.Println(s)
	fmt.Println(s.Center().Matrix().RawRowView(0))
	// Output:
	// rows: 3 observations of 2 variables
	//
	//      column 1  column 2
	//   1         1         2
	//   2         3         4
	//   3         5         9
	// [-2 -3]
}

func ExampleNamedMatrix() {
	data := symmom.FromRows([][]float64{{1, 2}, {3, 4}, {5, 9}}).WithLabels("kind", []string{"a", "b", "b"})
	fmt.Println(data.GroupMeans())
	fmt.Println(data.Head(2).At(1, 0))
	// Output:
	//   kind        a    b
	//   column 1    1    4
	//   column 2  2.0  6.5
	// 3
}

func ExampleFromCSR() {
	// [1 0 2; 0 3 0; 0 0 4; 1 0 0]
	start, index := []int{0, 2, 3, 4, 5}, []int{0, 2, 1, 2, 0}
	s := symmom.FromCSR(3, start, index, []float64{1, 2, 3, 4, 1})
	fmt.Println(s)
	fmt.Println("exact:", s.Moment(3).Decompose(3).RelativeError < 1e-9)
	// Output:
	// sparse matrix: 4 observations of 3 variables, sparse: 41.7% are not zero
	// exact: true
}

func ExampleLoadOptions() {
	csv := "height;weight;name\n1.8;80;a\n1.6;NA;b\n1.7;60;c\n"
	s := symmom.Read(strings.NewReader(csv), "csv", symmom.LoadOptions{Columns: []string{"height", "weight"}, Missing: "drop"})
	fmt.Println(s.Observations(), s.Columns(), s.Err())
	// Output:
	// 2 [height weight] <nil>
}

func ExampleMoment() {
	m := table().Session.Moment(3)
	fmt.Println(m.Implicit().Decompose(5).Form, m.Explicit().Decompose(5).Form)
	// Output:
	// implicit explicit
}

func ExampleOptions() {
	fit := table().Session.Moment(3).With(symmom.Options{Starts: 4, Seed: 7, MaxIterations: 200}).Decompose(5)
	fmt.Println(len(fit.Starts), fit.Seed)
	// Output:
	// 4 7
}

func ExampleFit() {
	data := table()
	fit := data.Session.Moment(3).Decompose(5)
	n, r := fit.Model.Factors.Dims()
	fmt.Println(fit.Order, fit.Rank, len(fit.Model.Lambda), n, r)
	fmt.Printf("%.2f\n", fit.Score(data.Means).Value)
	// Output:
	// 3 5 5 20 5
	// 1.00
}

func ExampleStart() {
	fit := table().Session.Moment(3).With(symmom.Options{Starts: 5}).Decompose(5)
	best := fit.Starts[fit.Best]
	fmt.Println(best.AtBest, best.Status, len(best.Trace) == best.Iterations+1)
	// Output:
	// true converged true
}

func ExampleTracePoint() {
	fit := table().Session.Moment(3).With(symmom.Options{Starts: 1}).Decompose(5)
	trace := fit.Starts[0].Trace
	first, last := trace[0], trace[len(trace)-1]
	fmt.Println(last.Objective < first.Objective, last.GradientNorm < first.GradientNorm, last.Evaluations > first.Evaluations)
	// Output:
	// true true true
}

func ExampleModel() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.json")
	m, err := symmom.NewModel(3, []float64{2, 1}, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	if err == nil {
		err = m.Save(path)
	}
	again, err2 := symmom.LoadModel(path)
	fmt.Println(errors.Join(err, err2), again.Order, again.Rank(), again.Lambda)
	// Output:
	// <nil> 3 2 [2 1]
}

func ExampleOrigin() {
	fit := symmom.FromRows([][]float64{{1, 2}, {3, 4}, {5, 9}, {2, 2}}).Moment(3).Decompose(1)
	fmt.Println(fit.Model.Origin.Source, fit.Model.Origin.Observations)
	// Output:
	// rows 4
}

func ExampleScore() {
	truth := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	found := mat.NewDense(2, 2, []float64{0, 2, 3, 0})
	m, err := symmom.NewModel(3, []float64{1, 1}, found)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := m.Score(truth)
	for _, p := range s.Pairs {
		fmt.Printf("true %d is found %d, cosine %.1f\n", p.Truth, p.Found, p.Cosine)
	}
	fmt.Println(s.Value)
	// Output:
	// true 0 is found 1, cosine 1.0
	// true 1 is found 0, cosine 1.0
	// 1
}

func ExamplePair() {
	data := table()
	s := data.Session.Moment(3).Decompose(5).Score(data.Means)
	fmt.Println(len(s.Pairs), s.Pairs[0].Cosine > .99)
	// Output:
	// 5 true
}

func ExampleSweep() {
	sweep := table().Session.Moment(3).Sweep(4, 6)
	for _, r := range sweep.Fits {
		fmt.Printf("rank %d: relative error below 2%%: %v\n", r.Rank, r.RelativeError < .02)
	}
	// Output:
	// rank 4: relative error below 2%: false
	// rank 5: relative error below 2%: true
	// rank 6: relative error below 2%: true
}

func ExampleNorm() {
	n, err := symmom.FromRows([][]float64{{1, 0}, {0, 2}}).Moment(3).NormSquared()
	fmt.Println(n.Value, n.Exact(), err)
	value, stderr := n.Relative(-16)
	fmt.Printf("%.4f %g\n", value, stderr)
	// Output:
	// 16.25 true <nil>
	// 0.0154 0
}

func ExampleEvaluation() {
	data := table()
	fit := data.Session.Moment(3).Decompose(5)
	e := data.Session.Moment(3).Evaluate(fit.Model)
	fmt.Println(e.Err(), math.Abs(e.RelativeError-fit.RelativeError) < 1e-9)
	// Output:
	// <nil> true
}

func ExampleMomentKind() {
	s := symmom.FromRows([][]float64{{1, 0}, {0, 2}, {4, 1}, {2, 3}})
	fit := s.Standardize().Moment(3).Decompose(1)
	fmt.Println(fit.Model.Kind.Coordinates, fit.Model.Center, fit.Model.Scale[0] > 1)
	fmt.Println(s.Moment(3).Evaluate(fit.Model).Err())
	// Output:
	// standardized [1.75 1.5] true
	// model: got a model of the 3rd moment of standardized data, want one of the 3rd moment of the data as they are; or standardize the data first
}

func ExampleSummary() {
	s := symmom.FromRows([][]float64{{1, 2}, {3, 4}, {5, 9}}).Summary()
	fmt.Println(s.Observations, s.N, s.Variables[1].Mean)
	// Output:
	// 3 2 5
}

func ExampleColumn() {
	v := symmom.FromRows([][]float64{{1, 2}, {3, 4}, {5, 9}}).Summary().Variables[0]
	fmt.Println(v.Name, v.Min, v.Mean, v.Max)
	// Output:
	// column 1 1 3 5
}

func ExampleDiagnostics() {
	d := table().Session.Moment(3).Decompose(5).Model.Diagnostics()
	total := 0.
	for _, share := range d.Shares {
		total += share
	}
	fmt.Printf("%d shares of sum %.2f, condition below 10: %v\n", len(d.Shares), total, d.Condition < 10)
	// Output:
	// 5 shares of sum 1.00, condition below 10: true
}

func ExampleDiagnostics_degenerate() {
	m, err := symmom.NewModel(3, []float64{1, -.99}, mat.NewDense(2, 2, []float64{1, .999, 0, .045}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range m.Diagnostics().Degenerate {
		fmt.Println("terms", p.I+1, "and", p.J+1, "nearly cancel")
	}
	// Output:
	// terms 1 and 2 nearly cancel
}

func ExampleFit_optima() {
	fit := table().Session.Moment(3).With(symmom.Options{Starts: 6}).Decompose(5)
	starts := 0
	for _, o := range fit.Optima {
		starts += o.Starts
	}
	fmt.Println(starts)
	// Output:
	// 6
}

func ExampleMixture() {
	f := table().Session.Mixture(5)
	labels, err := f.Predict(table().Session)
	fmt.Println(f.Err(), err, f.Components, len(labels))
	fmt.Printf("sigma %.2f\n", f.Sigma)
	// Output:
	// <nil> <nil> 5 1000
	// sigma 0.05
}

func ExampleMixtureOptions() {
	f := table().Session.Mixture(5, symmom.MixtureOptions{Covariance: symmom.CovarianceDiagonal})
	fmt.Println(f.Covariance)
	// Output:
	// diag
}

func ExampleMixtures() {
	m := table().Session.Mixtures(4, 6)
	fmt.Println(m.Err(), m.Best.Components)
	says, _, _ := strings.Cut(m.Conclusion, ",")
	fmt.Println(says)
	// Output:
	// <nil> 5
	// the lowest BIC is that of 5 components
}

func ExampleMixtureErrors() {
	e := table().Session.Mixture(5).Bootstrap(10, 0)
	fmt.Println(e.Err(), e.Draws)
	// Output:
	// <nil> 10
}

func ExampleNoise() {
	fit := table().Session.Moment(3).Debias(symmom.Noise{Sigma: .05}).Decompose(5)
	fmt.Printf("%.2f\n", fit.Sigma)
	// Output:
	// 0.05
}

func ExampleICA() {
	// Two square waves, mixed.
	rows := make([][]float64, 400)
	for l := range rows {
		a, b := float64(l/7%2*2-1), float64(l/11%2*2-1)
		rows[l] = []float64{a + .5*b, .3*a - b}
	}
	c := symmom.FromRows(rows).ICA(2)
	r, k := c.Unmixing.Dims()
	fmt.Println(c.Err(), r, k, c.Kurtosis[0] < -1.5)
	// Output:
	// <nil> 2 2 true
}

func ExampleRankSuggestion() {
	s := table().Session.Moment(3).SuggestRank(6)
	fmt.Println(s.Rank)
	// Output:
	// 5
}

func ExampleRankEvidence() {
	s := table().Session.Moment(3).SuggestRank(6)
	for _, e := range s.Evidence {
		if e.Kind == symmom.EvidenceSpectrum {
			fmt.Println(e.Rank, e.Sure)
		}
	}
	// Output:
	// 5 sure
}

func ExampleProgress() {
	phases := map[string]bool{}
	o := symmom.Options{Progress: func(p symmom.Progress) { phases[p.Phase] = true }}
	table().Session.Moment(3).Implicit().With(o).Decompose(5)
	fmt.Println(phases[symmom.PhaseSearch], phases[symmom.PhaseNorm])
	// Output:
	// true true
}

func ExampleWarning() {
	for _, w := range symmom.FromRows([][]float64{{1, 5000}, {2, 9000}, {4, 7000}}).Warnings() {
		fmt.Println(w.Code, w.Help)
	}
	// Output:
	// scales [Standardize]
}

func ExampleArgumentError() {
	err := table().Session.Moment(3).Decompose(0).Err()
	if bad, ok := errors.AsType[*symmom.ArgumentError](err); ok {
		fmt.Println(bad.Argument, bad.Value, bad.Want)
	}
	// Output:
	// rank 0 at least 1
}

func ExampleParseError() {
	err := symmom.Read(strings.NewReader("a,b\n1,2\n3,x\n"), "csv").Err()
	if bad, ok := errors.AsType[*symmom.ParseError](err); ok {
		fmt.Println(bad.Line, bad.Column, bad.Name, bad.Value)
	}
	// Output:
	// 3 2 b x
}

func ExampleHelp() {
	missing := symmom.Read(strings.NewReader("a,b\n1,\n3,4\n"), "csv").Err()
	large := table().Session.Moment(12).Explicit().With(symmom.Options{MemoryLimit: 1 << 20}).Decompose(2).Err()
	fmt.Println(errors.Is(missing, symmom.ErrMissing), symmom.Help(missing))
	fmt.Println(errors.Is(large, symmom.ErrTooLarge), symmom.Help(large))
	// Output:
	// true [Missing Columns]
	// true [Implicit MemoryLimit]
}

func ExampleSaveError() {
	m, err := symmom.NewModel(3, []float64{1}, mat.NewDense(2, 1, []float64{1, 0}))
	if err != nil {
		fmt.Println(err)
		return
	}
	var save *symmom.SaveError
	fmt.Println(errors.As(m.Save(filepath.Join(os.TempDir(), "no such directory", "m.json")), &save))
	// Output:
	// true
}

func ExampleICAOptions() {
	rows := make([][]float64, 400)
	for l := range rows {
		a, b := float64(l/7%2*2-1), float64(l/11%2*2-1)
		rows[l] = []float64{a + .5*b, .3*a - b}
	}
	c := symmom.FromRows(rows).ICA(2, symmom.ICAOptions{Starts: 1, CumulantOnly: true})
	fmt.Println(c.Err(), len(c.Kurtosis))
	// Output:
	// <nil> 2
}

func ExampleMixture_Score() {
	data := table()
	s := data.Session.Mixture(5).Score(data.Means)
	fmt.Println(s.Err(), len(s.Pairs), s.Distance < .02)
	// Output:
	// <nil> 5 true
}

func ExampleLabels() {
	table := "width,kind\n0.1,rose\n9.1,lily\n0.2,rose\n9.0,\n"
	data := symmom.Read(strings.NewReader(table), "csv", symmom.LoadOptions{Labels: "kind"})
	fmt.Println(data.Labels(), data.Labels().Of)
	// Output: labels kind: 3 groups: lily 1, rose 2, (missing) 1 [1 0 1 2]
}

func ExampleAgreement() {
	data := symmom.FromRows([][]float64{{0, .1}, {.1, 0}, {5, 5}, {5.1, 5}}).WithLabels("kind", []string{"rose", "rose", "lily", "lily"})
	fmt.Println(data.Mixture(2).Agreement(data).AdjustedRand)
	// Output: 1
}

func ExampleDescription() {
	dir, err := os.MkdirTemp("", "symmom")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "plants.csv")
	if err := os.WriteFile(path, []byte("height,kind\n1.5,rose\ntall,lily\n2,rose\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range symmom.Describe(path).Columns {
		fmt.Println(c.Name, c.Type, c.Kind)
	}
	// Output:
	// height mixed mixed
	// kind text text
}

// A table in several files: each has the columns of the first.
func ExampleShard() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"a.csv": "x,y\n1,2\n3,4\n", "b.csv": "y,x\n6,5\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	s := symmom.Load(filepath.Join(dir, "*.csv"))
	for _, f := range s.Summary().Shards {
		fmt.Println(filepath.Base(f.Name), f.Rows)
	}
	fmt.Println(s.Matrix().RawRowView(2))
	// Output:
	// a.csv 2
	// b.csv 1
	// [5 6]
}

func ExampleMoment_Distinct() {
	// Two groups whose variables have spreads of their own in each.
	rng := rand.New(rand.NewPCG(1, 1))
	means := mat.NewDense(6, 2, []float64{2, -1, 1, 1, 0, 2, -1, 1, 2, 1, 1, -2})
	spread := [][]float64{{.1, 2, .5, 1, 2, .1}, {1, .2, 3, .5, .1, 2}}
	var rows [][]float64
	for l := range 5000 {
		row := make([]float64, 6)
		for i := range row {
			row[i] = means.At(i, l%2) + spread[l%2][i]*rng.NormFloat64()
		}
		rows = append(rows, row)
	}
	data := symmom.FromRows(rows)
	distinct, plain := data.Moment(3).Distinct().Decompose(2), data.Moment(3).Decompose(2)
	fmt.Println(distinct.Score(means).Value > .99, plain.Score(means).Value > .99)
	// Output: true false
}

func ExamplePhaseTime() {
	fit := table().Session.Moment(4).Compressed(10).Decompose(5)
	passes := 0
	for _, p := range fit.Phases {
		if p.Phase != symmom.PhaseLoad {
			passes += p.Passes
		}
	}
	fmt.Println(fit.Phases[0].Phase, passes == fit.DataPasses)
	// Output:
	// load true
}

func ExampleResult() {
	fit := symmom.FromRows(nil).Moment(3).Decompose(2)
	fmt.Println(errors.Is(fit.Err(), symmom.ErrNoData))
	fmt.Println(strings.HasPrefix(fit.String(), "failed fit: "), strings.HasPrefix(fit.HTML(), "<pre>failed fit: "))
	// Output:
	// true
	// true true
}

func ExampleWarningCode() {
	for _, w := range symmom.FromRows([][]float64{{1, 5000}, {2, 9000}, {4, 7000}}).Warnings() {
		if w.Code == symmom.WarnScales {
			fmt.Println(w.Help)
		}
	}
	// Output:
	// [Standardize]
}

func ExampleFitErrors() {
	data := symmom.FromRows([][]float64{{1, 2}, {2, 4.1}, {3, 5.9}, {4, 8.2}, {5, 9.8}, {6, 12.1}})
	errors := data.Moment(3).Decompose(1).Bootstrap(50, 1)
	fmt.Println(errors.Draws, errors.Lambda[0] > 0, errors.Factors.At(0, 0) < .01)
	// Output: 50 true true
}
