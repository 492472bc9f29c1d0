package symmom

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/gmm"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/system/memory"
	"symmom/internal/test/slow"
)

// drawMixture draws p observations of components with the given means (columns),
// weights and standard deviations (n x r).
func drawMixture(means, sigma *mat.Dense, weights []float64, p int, seed uint64) (*Session, []int) {
	n, r := means.Dims()
	rng := draw.Source(seed)
	labels := draw.Labels(p, r, weights, rng)
	v := mat.NewDense(p, n, nil)
	for l, j := range labels {
		for i := range n {
			v.Set(l, i, means.At(i, j)+sigma.At(i, j)*rng.NormFloat64())
		}
	}
	return FromMatrix(v), labels
}

func constant(n, r int, v float64) *mat.Dense {
	m := mat.NewDense(n, r, nil)
	m.Apply(func(int, int, float64) float64 { return v }, m)
	return m
}

// unequal are means of norms 1, 1.5 and 2 and cosine .5.
func unequal(n int, seed uint64) *mat.Dense {
	means := draw.CongruentColumns(n, 3, .5, rand.New(rand.NewPCG(seed, 0)))
	means.Apply(func(_, j int, v float64) float64 { return v * (1 + float64(j)/2) }, means)
	return means
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// The moments alone find norms, weights and sigma of 20 draws of overlapping
// components: the medians of the errors are at most 5% of a norm, .03 of a weight
// and 1% of sigma. The sampling error of a norm is sigma/sqrt(w p) = 1%, that of
// a third moment a few times as large.
func TestMixtureMoments(t *testing.T) {
	slow.Test(t)
	const n, p, sigma = 30, 12_000, .6
	weights := []float64{.5, .3, .2}
	var norms, shares, sigmas []float64
	for seed := range uint64(20) {
		means := unequal(n, seed)
		s, _ := drawMixture(means, constant(n, 3, sigma), weights, p, seed+1)
		f := s.Mixture(3, MixtureOptions{MomentsOnly: true})
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		e := f.Score(means)
		if e.Err() != nil {
			t.Fatal(e.Err())
		}
		for _, pair := range e.Pairs {
			want := 1 + float64(pair.Truth)/2
			norms = append(norms, math.Abs(mat.Norm(f.Means.ColView(pair.Found), 2)-want)/want)
			shares = append(shares, math.Abs(f.Weights[pair.Found]-weights[pair.Truth]))
		}
		sigmas = append(sigmas, math.Abs(f.Sigma-sigma)/sigma)
	}
	for what, x := range map[string]struct {
		errors []float64
		most   float64
	}{"norms": {norms, .05}, "weights": {shares, .03}, "sigma": {sigmas, .01}} {
		m := median(x.errors)
		t.Logf("%s: median error %.4f", what, m)
		if m > x.most {
			t.Errorf("%s: median error %.4f, want at most %g", what, m, x.most)
		}
	}
}

// A fit of the debiased third or fourth moment becomes the same mixture.
func TestFitMixture(t *testing.T) {
	const n, p, sigma = 30, 12_000, .6
	means := unequal(n, 3)
	s, _ := drawMixture(means, constant(n, 3, sigma), []float64{.5, .3, .2}, p, 4)
	for d := 3; d <= 4; d++ {
		f := s.Moment(d).Debias(Noise{Sigma: sigma}).Decompose(3)
		m := f.Mixture(MixtureOptions{MomentsOnly: true})
		if m.Err() != nil {
			t.Fatal(m.Err())
		}
		// Those of order 4 have the larger sampling errors.
		if e := m.Score(means); !(e.Distance < .06*float64(d-1)) {
			t.Errorf("order %d: error %g of the means", d, e.Distance)
		}
		var sum float64
		for _, w := range m.Weights {
			sum += w
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Errorf("order %d: the weights sum to %g", d, sum)
		}
		polished, direct := f.Mixture(MixtureOptions{Starts: -1}), s.Mixture(3, MixtureOptions{})
		// Both have converged to 1e-6 an observation and step.
		if !(math.Abs(polished.LogLikelihood-direct.LogLikelihood) <= 1e-4*p) {
			t.Errorf("order %d: log-likelihood %g, want %g", d, polished.LogLikelihood, direct.LogLikelihood)
		}
	}
	if err := s.Moment(3).Decompose(3).Mixture(MixtureOptions{}).Err(); err == nil || !strings.Contains(err.Error(), "debiased") {
		t.Errorf("a fit of the plain moment: %v", err)
	}
}

// Components whose variances differ, in every shape that can model them.
func TestMixtureDiagonal(t *testing.T) {
	slow.Test(t)
	const n, r, p = 20, 3, 50_000
	rng := rand.New(rand.NewPCG(9, 9))
	means, sigma := mat.NewDense(n, r, nil), mat.NewDense(n, r, nil)
	for i := range n {
		for j := range r {
			means.Set(i, j, rng.NormFloat64()/2)
			sigma.Set(i, j, .5+rng.Float64())
		}
	}
	s, _ := drawMixture(means, sigma, []float64{.5, .3, .2}, p, 1)
	f := s.Mixture(r, MixtureOptions{Covariance: CovarianceDiagonal})
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	e := f.Score(means)
	if e.Err() != nil {
		t.Fatal(e.Err())
	}
	if e.Distance > .1 {
		t.Errorf("error of the means %g, want at most .1", e.Distance)
	}
	for _, pair := range e.Pairs {
		c := f.CovarianceOf(pair.Found)
		for i := range n {
			want := sigma.At(i, pair.Truth) * sigma.At(i, pair.Truth)
			if d := math.Abs(c.At(i, i)-want) / want; d > .1 {
				t.Errorf("variance %d of component %d: %g, want %g", i, pair.Truth, c.At(i, i), want)
			}
		}
	}
	full := s.Mixture(r, MixtureOptions{Covariance: CovarianceFull})
	if full.Err() != nil || full.LogLikelihood < f.LogLikelihood {
		t.Errorf("full: %v, log-likelihood %g below that of diag, %g", full.Err(), full.LogLikelihood, f.LogLikelihood)
	}
	if full.BIC < f.BIC {
		t.Errorf("BIC prefers full (%g) to diag (%g), which made the data", full.BIC, f.BIC)
	}
}

// A fitted mixture labels observations, draws new ones, and is saved and loaded.
func TestMixtureUse(t *testing.T) {
	slow.Test(t)
	means := unequal(10, 1)
	means.Scale(3, means)
	s, labels := drawMixture(means, constant(10, 3, .5), []float64{.5, .3, .2}, 3000, 2)
	for _, covariance := range covariances {
		t.Run(covariance, func(t *testing.T) {
			f := s.Mixture(3, MixtureOptions{Covariance: covariance})
			if f.Err() != nil {
				t.Fatal(f.Err())
			}
			found, err := f.Predict(s)
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for l, j := range found { // the heaviest first, as the labels
				if j != labels[l] {
					wrong++
				}
			}
			if wrong > 30 { // they are 3 and more sigma apart
				t.Errorf("%d of 3,000 labels are wrong", wrong)
			}
			z, err := f.Responsibilities(s)
			if err != nil {
				t.Fatal(err)
			}
			for l, j := range found[:100] {
				row := z.RawRowView(l)
				if !(math.Abs(row[0]+row[1]+row[2]-1) <= 1e-12) || row[j] < slices.Max(row) {
					t.Fatalf("responsibilities %v, label %d", row, j)
				}
			}
			// The same sum, about other centers.
			if v, err := f.LogLikelihoodOf(s); err != nil || !(math.Abs(v-f.LogLikelihood) <= 1e-9*math.Abs(v)) {
				t.Errorf("log-likelihood %.12g, %v, want %.12g", v, err, f.LogLikelihood)
			}
			path := filepath.Join(t.TempDir(), "mixture.json")
			if err := f.Save(path); err != nil {
				t.Fatal(err)
			}
			g, err := LoadMixture(path)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(g.Means, f.Means) || !mat.Equal(g.Covariances(), f.Covariances()) || g.LogLikelihood != f.LogLikelihood || g.BIC != f.BIC {
				t.Error("the file has other numbers")
			}
			if first, err := os.ReadFile(path); err != nil || g.Save(path) != nil {
				t.Fatal(err)
			} else if second, err := os.ReadFile(path); err != nil || !bytes.Equal(first, second) {
				t.Errorf("a mixture that was loaded is saved as another (%v):\n%s", err, second)
			}
			if _, err := LoadModel(path); err == nil || !strings.Contains(err.Error(), "it holds a mixture") {
				t.Errorf("a mixture read as a model: %v", err)
			}
			if !strings.Contains(f.String(), " over the data, ") || strings.Contains(g.String(), " over the data, ") { // no file keeps it
				t.Errorf("fitted:\n%v\nfrom its file:\n%v", f, g)
			}
			draws, from := g.Sample(20_000, 3)
			again := draws.Mixture(3, MixtureOptions{Covariance: covariance})
			// The error of a mean is .5 sqrt(10/4000) of norms of 3 and more.
			if e := again.Score(f.Means); e.Err() != nil || e.Distance > .02 {
				t.Errorf("means of draws are off by %v, %v", e, e.Err())
			}
			if len(from) != 20_000 {
				t.Errorf("%d labels", len(from))
			}
		})
	}
}

// Memory, disk, float32 and weights.
func TestMixtureStorage(t *testing.T) {
	slow.Test(t)
	means := unequal(40, 1)
	s, _ := drawMixture(means, constant(40, 3, .6), []float64{.5, .3, .2}, 6000, 2)
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := SaveMatrix(path, s.Matrix()); err != nil {
		t.Fatal(err)
	}
	want := s.Mixture(3, MixtureOptions{})
	got := Stream(path).Mixture(3, MixtureOptions{Converge: true})
	if want.Err() != nil || got.Err() != nil {
		t.Fatal(want.Err(), got.Err())
	}
	// Both have converged to 1e-6 an observation and step.
	if !(math.Abs(got.LogLikelihood-want.LogLikelihood) <= 1e-4*6000) {
		t.Errorf("streamed: log-likelihood %g, want %g", got.LogLikelihood, want.LogLikelihood)
	}
	if few := Stream(path).Mixture(3, MixtureOptions{}); few.Iterations > gmm.StreamPasses {
		t.Errorf("%d iterations over a stream", few.Iterations)
	}
	// A number that is asked for holds also for a stream, and the warning names what ended it.
	for steps, c := range map[int]struct {
		o    MixtureOptions
		help string
	}{15: {MixtureOptions{MaxIterations: 15, Tolerance: 1e-300}, "MaxIterations"}, gmm.StreamPasses: {MixtureOptions{Tolerance: 1e-300}, "Converge"}} {
		f := Stream(path).Mixture(3, c.o)
		if f.Err() != nil || f.Iterations != steps || !slices.ContainsFunc(f.Warnings, func(w Warning) bool { return w.Code == WarnNotConverged && slices.Equal(w.Help, []string{c.help}) }) {
			t.Errorf("%d iterations of %d over a stream: %v", f.Iterations, steps, f.Warnings)
		}
	}
	if f := Load(path, LoadOptions{Float32: true}).Mixture(3, MixtureOptions{}); f.Err() != nil || !(math.Abs(f.LogLikelihood-want.LogLikelihood) <= 1e-4*6000) {
		t.Errorf("float32: log-likelihood %g, %v, want %g", f.LogLikelihood, f.Err(), want.LogLikelihood)
	}
	// A weight counts as that many repetitions.
	half := mat.DenseCopyOf(s.Matrix().Dense.Slice(0, 3000, 0, 40))
	var twice mat.Dense
	twice.Stack(half, half.Slice(0, 1000, 0, 40))
	w := make([]float64, 3000)
	for l := range w {
		w[l] = 1
		if l < 1000 {
			w[l] = 2
		}
	}
	a, b := FromMatrix(&twice).Mixture(3, MixtureOptions{}), FromMatrix(half).WithWeights(w).Mixture(3, MixtureOptions{})
	if !(math.Abs(a.LogLikelihood/4000-b.LogLikelihood/3000) <= 1e-4) {
		t.Errorf("weights: %g an observation, repeated %g", b.LogLikelihood/3000, a.LogLikelihood/4000)
	}
}

// Passes over data on disk are few: some observations that are held go on
// between them, to where EM over all of them ends.
func TestMixturePasses(t *testing.T) {
	slow.Test(t)
	const p = 40_000
	s, _ := drawMixture(unequal(40, 1), constant(40, 3, .7), []float64{.5, .3, .2}, p, 2)
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := SaveMatrix(path, s.Matrix()); err != nil {
		t.Fatal(err)
	}
	want := s.Mixture(3, MixtureOptions{Tolerance: 1e-9})
	got := Stream(path).Mixture(3, MixtureOptions{MemoryLimit: 4 << 20})
	if want.Err() != nil || got.Err() != nil {
		t.Fatal(want.Err(), got.Err())
	}
	// The last pass raised the likelihood by less than 1e-6 an observation; those
	// after it would have by less in all than ten times that.
	if d := (want.LogLikelihood - got.LogLikelihood) / p; !(math.Abs(d) <= 1e-5) {
		t.Errorf("log-likelihood %.9g less an observation", d)
	}
	if !got.Converged || got.DataPasses > 8 {
		t.Errorf("%d passes, converged: %v; EM in memory took %d", got.DataPasses, got.Converged, want.Iterations)
	}
}

// An offset and a unit change the parameters as they must, and nothing else.
func TestMixtureUnits(t *testing.T) {
	means := unequal(12, 1)
	s, _ := drawMixture(means, constant(12, 3, .5), []float64{.5, .3, .2}, 2000, 2)
	moved := s.Matrix()
	moved.Dense.Apply(func(_, _ int, v float64) float64 { return 1e6 * (v + 100) }, moved.Dense)
	a, b := s.Mixture(3, MixtureOptions{}), FromMatrix(moved).Mixture(3, MixtureOptions{})
	if b.Err() != nil {
		t.Fatal(b.Err())
	}
	// EM ends where a step raises the likelihood by 1e-6 an observation, not at
	// the same place: within half a standard error of a weight, sqrt(.25 / 2000).
	for j, w := range a.Weights {
		if !(math.Abs(w-b.Weights[j]) <= .0055) {
			t.Errorf("weights %g and %g", w, b.Weights[j])
		}
	}
	// The density of 12 variables in a unit of 1e-6.
	if want := a.LogLikelihood - 2000*12*math.Log(1e6); !(math.Abs(b.LogLikelihood-want) <= 1e-2*2000) {
		t.Errorf("log-likelihood %g, want %g", b.LogLikelihood, want)
	}
	if !(math.Abs(b.Sigma/1e6-a.Sigma) <= 1e-3) {
		t.Errorf("sigma %g and %g", a.Sigma, b.Sigma)
	}
}

func TestMixtureThreads(t *testing.T) {
	s, _ := drawMixture(unequal(12, 1), constant(12, 3, .5), nil, 3000, 2)
	a, b := s.Mixture(3, MixtureOptions{Threads: 1}), s.Mixture(3, MixtureOptions{Threads: 4})
	if a.LogLikelihood != b.LogLikelihood || !mat.Equal(a.Means, b.Means) {
		t.Error("four threads give other bits than one")
	}
}

// Changing the fields of a mixture does not affect the results of its methods, and no
// number of components or variables makes them panic.
func TestMixtureFieldsAreCopies(t *testing.T) {
	s, _ := drawMixture(unequal(4, 2), constant(4, 3, .5), nil, 200, 2)
	dir := t.TempDir()
	for _, covariance := range covariances {
		whole := s.Mixture(2, MixtureOptions{Covariance: covariance, Starts: 1})
		changed := s.Mixture(2, MixtureOptions{Covariance: covariance, Starts: 1})
		if whole.Err() != nil || changed.Err() != nil {
			t.Fatal(whole.Err(), changed.Err())
		}
		changed.Means.Dense.Set(0, 0, 1e6)
		changed.Weights[0] = 7
		changed.N, changed.Components, changed.Covariance = 9, 5, "other"
		path, other := filepath.Join(dir, "m.json"), filepath.Join(dir, "c.json")
		if err := errors.Join(whole.Save(path), changed.Save(other)); err != nil {
			t.Fatal(err)
		}
		a, errA := os.ReadFile(path)
		b, errB := os.ReadFile(other)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: saved as %.300s, want %.300s", covariance, b, a)
		}
		drawn, of := whole.Sample(20, 3)
		again, ofAgain := changed.Sample(20, 3)
		if !mat.Equal(drawn.Matrix(), again.Matrix()) || !slices.Equal(of, ofAgain) {
			t.Errorf("%s: other draws", covariance)
		}
		za, _ := whole.Responsibilities(s)
		if zb, err := changed.Responsibilities(s); err != nil || !mat.Equal(za, zb) {
			t.Errorf("%s: other responsibilities (%v)", covariance, err)
		}
		if e := changed.Score(whole.Means); e.Err() != nil || e.Distance != 0 {
			t.Errorf("%s: %+v, %v; want the means that were found", covariance, e, e.Err())
		}
		if !mat.Equal(changed.CovarianceOf(1), whole.CovarianceOf(1)) || !changed.CovarianceOf(2).IsEmpty() || !mat.Equal(changed.Covariances(), whole.Covariances()) {
			t.Errorf("%s: other covariances", covariance)
		}
		if e := changed.Bootstrap(2, 0); e.Err() != nil {
			t.Error(e.Err())
		}
	}
}

func TestMixtureRefuses(t *testing.T) {
	slow.Test(t)
	s, _ := drawMixture(unequal(6, 1), constant(6, 3, .5), nil, 100, 2)
	same := FromRows([][]float64{{1, 2}, {1, 2}, {1, 2}})
	for want, err := range map[string]error{
		"at least 1":       s.Mixture(0, MixtureOptions{}).Err(),
		"fewer than the":   s.Mixture(100, MixtureOptions{}).Err(),
		"one of spherical": s.Mixture(2, MixtureOptions{Covariance: "round"}).Err(),
		"do not differ":    same.Mixture(2, MixtureOptions{}).Err(),
		"above 0":          s.Mixture(2, MixtureOptions{Tolerance: -1}).Err(),
		"no observations":  FromRows(nil).Mixture(2, MixtureOptions{}).Err(),
		"as the mixture":   func() error { _, err := s.Mixture(2, MixtureOptions{}).Predict(same); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	// A covariance of the moments without an inverse is that of no mixture, whose likelihood
	// would not be known.
	flat := FromRows([][]float64{{1, 5}, {2, 5}, {4, 5}, {9, 5}, {3, 5}})
	for _, covariance := range []string{CovarianceFull, CovarianceTied} {
		f := flat.Mixture(2, MixtureOptions{MomentsOnly: true, Covariance: covariance})
		if f.Err() == nil || !strings.Contains(f.Err().Error(), "not positive definite") || f.Components != 0 || f.LogLikelihood != 0 || f.BIC != 0 || f.Save(filepath.Join(t.TempDir(), "m.json")) == nil {
			t.Errorf("%s: %v, %d components, BIC %g", covariance, f.Err(), f.Components, f.BIC)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if f := s.WithContext(gone).Mixture(2, MixtureOptions{}); !errors.Is(f.Err(), ErrInterrupted) || f.Components != 0 {
		t.Errorf("interrupted: %v", f.Err())
	}
	if f := s.Mixture(1, MixtureOptions{}); f.Err() != nil || f.Weights[0] != 1 {
		t.Errorf("one component: %v", f)
	}
	if f := s.Mixture(9, MixtureOptions{}); f.Err() != nil { // more than variables
		t.Errorf("nine components of six variables: %v", f.Err())
	}
}

// Few observations of many variables: EM from some starts puts a component
// around a handful of them, where the likelihood rises without bound. Such a
// start is not taken: no component has fewer observations than a covariance
// needs, n + 2, and the labels are right, except for one draw in ten at most, where
// another mixture has the higher likelihood and the higher one to expect.
func TestMixtureFewObservations(t *testing.T) {
	const n, p = 13, 180
	wrong := 0
	for seed := range uint64(10) {
		means := unequal(n, seed)
		means.Scale(3, means)
		s, labels := drawMixture(means, constant(n, 3, 1), nil, p, seed+1)
		f := s.Mixture(3, MixtureOptions{Covariance: CovarianceFull, Seed: seed + 1})
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		if few := p * slices.Min(f.Weights); few <= n+2 {
			t.Errorf("seed %d: a component has %.1f observations", seed, few)
		}
		found, err := f.Predict(s)
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]float64, 9)
		for l, j := range found {
			counts[3*labels[l]+j]++
		}
		share, _ := ktensor.Match(counts, 3, 3)
		// Of 60 each; overlap and 90 parameters for each take one in five at most.
		if share < 48 {
			t.Logf("seed %d: %v observations by label and component", seed, counts)
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("labels of %d draws of 10 are wrong", wrong)
	}
}

// Covariances that do not fit in memory are refused before anything is computed; those that
// take no n x n matrix are not.
func TestMixtureMemory(t *testing.T) {
	slow.Test(t)
	s, _ := drawMixture(unequal(600, 1), constant(600, 3, .7), []float64{.5, .3, .2}, 30, 2)
	for covariance, fits := range map[string]bool{"full": false, "tied": true, "diag": true, "spherical": true} {
		// Six matrices of 600 x 600 are 17 MB, those of three components 46 MB.
		o := MixtureOptions{Covariance: covariance, MemoryLimit: 20 << 20, Starts: -1, MaxIterations: 1}
		var large *memory.Error
		if err := s.Mixture(3, o).Err(); errors.As(err, &large) == fits {
			t.Errorf("%s: %v", covariance, err)
		} else if large != nil && !slices.Equal(large.Options, []string{"Covariance", "Columns"}) {
			t.Errorf("%s: %v", covariance, large.Options)
		}
	}
}

// Weights so uneven that BIC would take noise for components give a warning, also where
// each counts less than twice; nearly equal ones do not.
func TestMixtureTellsOfUnevenWeights(t *testing.T) {
	x := drawUniform(3, 200, 98)
	for spread, want := range map[float64]bool{0: false, .3: false, .65: true, 1: true} {
		w, rng := make([]float64, 200), rand.New(rand.NewPCG(98, 1))
		for l := range w {
			w[l] = math.Exp(spread * rng.NormFloat64())
		}
		f := x.WithWeights(w).Mixture(1)
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		if got := slices.ContainsFunc(f.Warnings, func(w Warning) bool { return w.Code == WarnFewOutliers }); got != want {
			t.Errorf("logarithms of weights of deviation %g: %q", spread, f.Warnings)
		}
	}
}

// Rows at hand have the components that Predict finds for them, in whatever coordinates and
// order of variables they are.
func TestPredictRows(t *testing.T) {
	v := clusters(4, 3, 500, 1.5, 9)
	v.Apply(func(_, j int, x float64) float64 { return float64(j+1)*x + 5 }, v)
	s := FromMatrix(v)
	f := s.Standardize().Mixture(3)
	for name, of := range map[string]*Session{"as loaded": s, "standardized": s.Standardize(), "other order": s.Select("4", "2", "1", "3")} {
		all, err := f.Predict(of)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows, index, err := of.Subsample(60, 3)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.PredictRows(of, rows)
		if err != nil || !slices.Equal(got, linalg.Picked(all, index)) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := f.PredictRows(s.Center(), v); err == nil {
		t.Error("rows that are centered are taken for standardized ones")
	}
	if _, err := f.PredictRows(s, v.Slice(0, 9, 0, 3)); err == nil || err.Error() != "rows: got a 9 x 3 matrix, want 4 columns, as the mixture has variables" {
		t.Errorf("%v", err)
	}
	if _, err := (&Mixture{}).PredictRows(s, v); err == nil {
		t.Error("an empty mixture predicts")
	}
	bad := mat.NewDense(1, 4, []float64{1, 2, math.NaN(), 4})
	if _, err := f.PredictRows(s, bad); err == nil {
		t.Error("a value that is missing has a component")
	}
}

// Observations that were appended to ones with weights have their mean.
func TestMixtureOfAppendedToWeights(t *testing.T) {
	x, _ := nearAndFar(60, 3)
	block, _ := nearAndFar(20, 4)
	weights := make([]float64, 80)
	var sum float64
	for l := range 60 {
		weights[l] = 1 + float64(l%3)
		sum += weights[l]
	}
	for l := 60; l < 80; l++ {
		weights[l] = sum / 60
	}
	var all mat.Dense
	all.Stack(x, block)
	got := FromMatrix(x).WithWeights(weights[:60]).Append(block).Mixture(2)
	want := FromMatrix(&all).WithWeights(weights).Mixture(2)
	if got.Err() != nil || want.Err() != nil || !(math.Abs(got.LogLikelihood-want.LogLikelihood) <= 1e-6*math.Abs(want.LogLikelihood)) {
		t.Errorf("the log-likelihood is %.9g (%v), loaded together %.9g (%v)", got.LogLikelihood, got.Err(), want.LogLikelihood, want.Err())
	}
}
