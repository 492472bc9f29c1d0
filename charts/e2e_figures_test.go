//go:build e2e

package charts

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/chartjson"
	"symmom/internal/test/chromium"
	"symmom/symmom"
)

// shownFigures are opened in Chromium, at two widths and in both colour schemes,
// and their marks are compared with their options. To test another chart with axes,
// add a figure here. Set SYMMOM_SCREENSHOTS to a directory to keep pictures of all
// of them.
var shownFigures = map[string]func(*testing.T) *Figure{
	"convergence": func(t *testing.T) *Figure { return Convergence(syntheticFit(t, 4)) },
	"convergence of three": func(t *testing.T) *Figure {
		return Convergence(syntheticFit(t, 2), syntheticFit(t, 3), syntheticFit(t, 1))
	},
	"lambda":        func(t *testing.T) *Figure { return Lambda(syntheticFit(t, 1)) },
	"images":        func(*testing.T) *Figure { return waves(8) },
	"other kinds":   func(*testing.T) *Figure { return otherKinds() },
	"hostile names": func(*testing.T) *Figure { return hostileChart() },
	"sweep":         func(*testing.T) *Figure { return SweepLines(paperLines(), SweepOptions{TrueRank: 5}) },
	"sweep of many decades": func(*testing.T) *Figure {
		return SweepLines([]SweepLine{{Ranks: []int{1, 2, 3}, RelativeError: []float64{.1, 1e-12, -1e-16}}}, SweepOptions{})
	},
	"recovery": func(t *testing.T) *Figure {
		m := small()
		return RecoveryOf([]Recovered{{"rank 3", m.Means}}, m.Means, RecoveryOptions{Observations: m.Session, Labels: m.Labels})
	},
	"recovery grid": func(t *testing.T) *Figure {
		m := small()
		return RecoveryGrid(m.Session.Moment(3).With(symmom.Options{Starts: 2}).Sweep(2, 4), m.Means, RecoveryOptions{Principal: true, Names: []string{hostile}})
	},
	"rank evidence": func(*testing.T) *Figure { return RankEvidence(suggestion()) },
	"mixture":       func(t *testing.T) *Figure { return Mixture(twoComponents(t), MixtureOptions{Names: []string{hostile}}) },
	"densities":     func(t *testing.T) *Figure { return Densities(twoComponents(t)) },
	"sources": func(*testing.T) *Figure {
		s, kurtosis := threeSources()
		return SourcesOf(s, kurtosis, SourcesOptions{Names: []string{hostile}})
	},
	"scree": func(*testing.T) *Figure { return ScreeOf([]float64{8, 4, .1, .05, -1e-17}, 2) },
	"score matrix": func(t *testing.T) *Figure {
		return ScoreMatrix(syntheticFit(t, 1).Score(signs(4, 2)), ScoreMatrixOptions{TruthNames: []string{hostile}})
	},
	"factors as bars":     func(t *testing.T) *Figure { return FactorsOf(signs(5, 3), FactorsOptions{Names: []string{hostile}}) },
	"factors as heat map": func(t *testing.T) *Figure { return FactorsOf(signs(60, 4), FactorsOptions{}) },
	"starts": func(*testing.T) *Figure {
		return InitSuccessBars([]string{"1e-4", hostile}, []InitMethod{
			{Name: "RRF", Successes: []float64{100, 90}, Seconds: []float64{20, .05}},
			{Name: hostile, Successes: []float64{0, 30}, Seconds: []float64{3, 4}},
		}, InitSuccessOptions{Group: "σ", Runs: 100})
	},
	"beginning": func(*testing.T) *Figure { // the second line leaves the last chart after one point
		return ConvergenceLines("f", []TraceLine{
			{"short",
				[]symmom.TracePoint{{Elapsed: 100 * time.Millisecond, Objective: -1}, {Elapsed: 200 * time.Millisecond, Objective: -3}}},
			{"long",
				[]symmom.TracePoint{{Elapsed: 150 * time.Millisecond, Objective: -1}, {Elapsed: 5 * time.Second, Objective: -2}, {Elapsed: 10 * time.Second, Objective: -3}}},
		}, ConvergenceOptions{})
	},
	"dots in rows": func(*testing.T) *Figure { return dotsInRows() },
	"dots": func(*testing.T) *Figure {
		return Dots([]DotSeries{{"here", []float64{1, 2}, []float64{.9, .99}, []string{hostile, "b"}}, {"there", []float64{3}, []float64{.8}, nil}}, DotOptions{X: "seconds", Y: "score"})
	},
	"cost": func(*testing.T) *Figure { return Cost(CostOptions{N: 500, Observations: 1250}) },
	"methods": func(t *testing.T) *Figure {
		slow := syntheticFit(t, 2)
		for i := range slow.Starts {
			for k := range slow.Starts[i].Trace {
				slow.Starts[i].Trace[k].Elapsed *= 10
			}
		}
		return ConvergenceWith(ConvergenceOptions{Best: true, Names: []string{"fast", hostile}}, syntheticFit(t, 3), slow)
	},
}

// signs returns a matrix of entries of both signs.
func signs(n, r int) *mat.Dense {
	m := mat.NewDense(n, r, nil)
	m.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(1 + i*r + j)) }, m)
	return m
}

func TestFiguresInChromium(t *testing.T) {
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	for name, figure := range shownFigures {
		t.Run(name, func(t *testing.T) {
			f := figure(t)
			must(t, f.Err())
			path := filepath.Join(t.TempDir(), "figure.html")
			must(t, f.Save(path))
			chromium.EachLook(t, ctx, path, func(look string) {
				chromium.CheckCanvases(t, ctx, look, len(f.charts))
				for i, c := range f.charts {
					options, err := json.Marshal(c.(chartjson.Optioned).JSON())
					must(t, err)
					chromium.CheckMarks(t, look, options, chromium.Marks(t, ctx, i+1))
				}
			})
			seen.Quiet(t)
		})
	}
}

// The size of a page of half a million observations is tested; the time it takes to
// open is only logged.
func TestHalfAMillionObservations(t *testing.T) {
	const p, n = 500_000, 4
	means := mat.NewDense(n, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	rows := mat.NewDense(p, n, nil)
	for i := range p {
		for j := range n {
			// noise from a linear congruential generator is good enough here
			rows.Set(i, j, means.At(j, i%3)+.1*(float64((i*n+j)*1103515245%65536)/65536-.5))
		}
	}
	data := symmom.FromMatrix(rows)
	f := RecoveryOf([]Recovered{{Name: "true means", Factors: means}}, means, RecoveryOptions{Observations: data})
	must(t, f.Err())
	path := filepath.Join(t.TempDir(), "recovery.html")
	must(t, f.Save(path))
	info, err := os.Stat(path)
	must(t, err)
	if info.Size() > 5e6 {
		t.Errorf("the page has %d bytes, want less than 5 MB", info.Size())
	}
	if len(f.Notes) == 0 {
		t.Error("no note says that observations were left out")
	}
	ctx := chromium.Start(t)
	seen := chromium.Watch(t, ctx)
	start := time.Now()
	chromium.Open(t, ctx, path, 1600, "light")
	t.Logf("%.2f MB, open after %.2f s; notes %q", float64(info.Size())/1e6, time.Since(start).Seconds(), f.Notes)
	chromium.CheckCanvases(t, ctx, "half a million", len(f.charts))
	seen.Quiet(t)
}
