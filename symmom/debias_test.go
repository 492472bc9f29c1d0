package symmom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/draw"
	"symmom/internal/test/slow"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Every form finds the same debiased decomposition, from memory and from disk,
// and its weights are those of the components.
func TestDebias(t *testing.T) {
	x := drawGaussians(draw.Mixture{N: 30, Components: 3, Observations: 12_000, Sigma: .6, Congruence: .5, Weights: []float64{5, 3, 2}})
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := SaveMatrix(path, x.Session.Matrix()); err != nil {
		t.Fatal(err)
	}
	m := x.Session.Moment(3).Debias(Noise{})
	want := m.Explicit().Decompose(3)
	if want.Err() != nil {
		t.Fatal(want.Err())
	}
	// Sampling: a variance is known to sqrt(2/(n p)), here .0024.
	if !(math.Abs(want.Sigma-.6) <= .005) {
		t.Errorf("sigma %g, want .6", want.Sigma)
	}
	// lambda is the weight, the means have norm 1; without debiasing it is .7 and
	// more. The sampling error of a mean is sigma sqrt(n/(w p)), up to .07.
	for j, w := range []float64{.5, .3, .2} {
		if !(math.Abs(want.Model.Lambda[j]-w) <= .03) {
			t.Errorf("lambda[%d] = %g, want %g", j, want.Model.Lambda[j], w)
		}
	}
	stream := Stream(path).Moment(3).Debias(Noise{})
	for name, m := range map[string]*Moment{"implicit": m.Implicit(), "compressed": m.Compressed(12), "automatic": m,
		"streamed": stream.Implicit(), "streamed, compressed": stream.Compressed(12)} {
		fit := m.Decompose(3)
		if fit.Err() != nil {
			t.Fatal(name, fit.Err())
		}
		// Both have converged to a cosine of 1e-4; f differs by its square.
		if !(math.Abs(fit.RelativeError-want.RelativeError) <= 1e-6) {
			t.Errorf("%s: relative error %.9g, want %.9g", name, fit.RelativeError, want.RelativeError)
		}
		if !(math.Abs(fit.Sigma-want.Sigma) <= 1e-3) {
			t.Errorf("%s: sigma %g, want %g", name, fit.Sigma, want.Sigma)
		}
	}
	e := x.Session.Moment(3).Debias(Noise{Sigma: want.Sigma}).Evaluate(want.Model)
	if e.Err() != nil || !(math.Abs(e.RelativeError-want.RelativeError) <= 1e-9) {
		t.Errorf("Evaluate: %g, %v, want %g", e.RelativeError, e.Err(), want.RelativeError)
	}
}

// A known covariance that differs between directions is removed, too.
func TestDebiasKnownCovariance(t *testing.T) {
	const n, p = 6, 40_000
	rng := rand.New(rand.NewPCG(5, 5))
	root, s := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			root.Set(i, j, rng.NormFloat64()/2)
		}
	}
	s.Mul(root, root.T())
	means := draw.CongruentColumns(n, 2, 0, rng)
	v := mat.NewDense(p, n, nil)
	noise, e := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for l := range p {
		for i := range n {
			e.SetVec(i, rng.NormFloat64())
		}
		noise.MulVec(root, e)
		for i := range n {
			v.Set(l, i, 2*means.At(i, l%2)+noise.AtVec(i))
		}
	}
	m := FromMatrix(v).Moment(3)
	for name, m := range map[string]*Moment{"explicit": m.Explicit(), "implicit": m.Implicit(), "compressed": m.Compressed(4)} {
		fit := m.Debias(Noise{Covariance: s}).Decompose(2)
		if fit.Err() != nil {
			t.Fatal(fit.Err())
		}
		// The error of a mean is sqrt(tr S / (p/2)) = .02 of its norm 2.
		if score := fit.Score(means).Value; score < .999 {
			t.Errorf("%s: score %g", name, score)
		}
		for j, l := range fit.Model.Lambda { // .5 times 2^3
			if !(math.Abs(l-4) <= .2) {
				t.Errorf("%s: lambda[%d] = %g, want 4", name, j, l)
			}
		}
	}
}

func TestDebiasRefuses(t *testing.T) {
	s := drawGaussians(draw.Mixture{N: 4, Components: 2, PerComponent: 20, Sigma: .1}).Session
	for want, err := range map[string]error{
		"one of Sigma":  s.Moment(3).Debias(Noise{Sigma: 1, Variances: make([]float64, 4)}).Err(),
		"Sigma: got -1": s.Moment(3).Debias(Noise{Sigma: -1}).Err(),
		"4 of them":     s.Moment(3).Debias(Noise{Variances: make([]float64, 3)}).Err(),
		"symmetric":     s.Moment(3).Debias(Noise{Covariance: mat.NewDense(4, 4, []float64{1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})}).Err(),
		"2 to 12":       s.Moment(1).Debias(Noise{}).Err(),
		"another form":  s.Moment(3).Sampled(0).Debias(Noise{}).Decompose(2).Err(),
		"rank: got 5, want at most 4 for noise that is estimated in 4 variables; or give its sigma": s.Moment(3).Debias(Noise{}).Decompose(5).Err(),
		"ranks: got 2..5, want at most 4": s.Moment(3).Debias(Noise{}).Sweep(2, 5).Err(),
		"Max: got 4, want at most 3":      s.Moment(3).Debias(Noise{}).SuggestRank(4).Err(),
		"or a cumulant":                   s.Cumulant(3).Sampled(0).Decompose(2).Err(),
		"an estimate take":                func() error { _, err := s.Moment(3).Debias(Noise{}).NormSquared(); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Noise that is estimated is another one at each rank, so that its ranks are of different
// moments: a sweep says so, names none of them as that of all, and asks for no better fit of
// a higher rank, whose f may well be higher. What needs no estimate is refused by no rank.
func TestSweepOfEstimatedNoise(t *testing.T) {
	slow.Test(t)
	// Of kurtosis below that of the noise, whose estimate falls with the rank.
	m := drawUniform(5, 400, 1).Center().Moment(4)
	s := m.Debias(Noise{}).Sweep(1, 4)
	if s.Err() != nil || !strings.Contains(s.Kind.Describe(4), "without its noise") {
		t.Fatalf("%v, of %s", s.Err(), s.Kind.Describe(4))
	}
	for i, r := range s.Fits {
		alone := mustFit(t, m.Debias(Noise{}).Decompose(r.Rank))
		if r.RelativeError != alone.RelativeError || r.Sigma != alone.Sigma {
			t.Errorf("rank %d: relative error %g without noise of sigma %g, alone %g and %g", r.Rank, r.RelativeError, r.Sigma, alone.RelativeError, alone.Sigma)
		}
		if i == 0 {
			continue
		}
		before := s.Fits[i-1]
		want := fmt.Sprintf("with sigma %.6g for rank %d and %.6g for rank %d:", before.Sigma, r.Rank-1, r.Sigma, r.Rank)
		warned := slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == WarnOtherNoise && strings.Contains(w.Text, want) })
		if !warned || strings.Contains(fmt.Sprint(r.Warnings), "fits worse") {
			t.Errorf("rank %d, f %g after %g: %v, want %q", r.Rank, r.ObjectiveShifted, before.ObjectiveShifted, r.Warnings, want)
		}
	}
	for _, r := range m.Debias(Noise{Sigma: .1}).Sweep(1, 6).Fits {
		if strings.Contains(fmt.Sprint(r.Warnings), "estimated for each rank") || r.Sigma != .1 {
			t.Errorf("given: %v", r.Warnings)
		}
	}
}

// The standard error of the estimated noise holds: it is that of its spread over tables where
// components are far apart, and covers what weak ones take with them.
func TestSigmaStdErr(t *testing.T) {
	for _, c := range []struct {
		n, p, r    int
		components int
		apart      float64
		within     bool // the spread alone
	}{{10, 300, 4, 4, 20, true}, {60, 40, 4, 4, 20, true}, {50, 60, 20, 20, 1, false}, {50, 60, 20, 20, .5, false}, {10, 100, 5, 1, 0, false}, {5, 100, 4, 4, 3, false}} {
		const tables = 30
		square := 0.
		for seed := range uint64(tables) {
			rng := rand.New(rand.NewPCG(seed, 62))
			means := mat.NewDense(c.components, c.n, nil)
			means.Apply(func(_, _ int, _ float64) float64 { return c.apart * rng.NormFloat64() }, means)
			x := mat.NewDense(c.p, c.n, nil)
			x.Apply(func(l, i int, _ float64) float64 { return means.At(l%c.components, i) + rng.NormFloat64() }, x)
			f := mustFit(t, FromMatrix(x).Moment(3).Debias(Noise{}).With(Options{Starts: 1, MaxIterations: 3}).Decompose(c.r))
			z := (f.Sigma - 1) / f.SigmaStdErr
			square += z * z / tables
			// Of 30 normal numbers one is beyond 4 in one of 500 tests; sigma alone is up to 13 off.
			if math.Abs(z) > 4 {
				t.Errorf("%+v, seed %d: sigma %.4g ± %.2g, want 1", c, seed, f.Sigma, f.SigmaStdErr)
			}
			if text := fmt.Sprintf("noise of sigma %.4g ± %.2g removed", f.Sigma, f.SigmaStdErr); !strings.Contains(f.String(), text) {
				t.Errorf("no %q in %v", text, f)
			}
		}
		// The root of a mean of 30 squares has a standard error of 1/sqrt(60) = .13. Where there
		// is no component at all they take up to twice as much.
		if root := math.Sqrt(square); root > 2 || c.within && (root < .6 || root > 1.4) {
			t.Errorf("%+v: sigma is off by %.3g standard errors on average", c, root)
		}
	}
	f := mustFit(t, drawUniform(4, 50, 1).Moment(3).Debias(Noise{Sigma: .1}).Decompose(1))
	if f.SigmaStdErr != 0 || !strings.Contains(f.String(), "noise of sigma 0.1 removed") {
		t.Errorf("of a given sigma: %g, %v", f.SigmaStdErr, f)
	}
}

// Noise adds its covariance times the mean to the third moment: nothing for centered data,
// which gives a warning.
func TestDebiasOfCenteredData(t *testing.T) {
	x := drawGaussians(draw.Mixture{N: 6, Components: 3, PerComponent: 100, Sigma: .5, Congruence: .5}).Session
	for _, c := range []struct {
		s    *Session
		d    int
		same bool
	}{{x, 3, false}, {x.Center(), 3, true}, {x.Standardize(), 3, true}, {x.Center(), 4, false}} {
		plain, without := mustFit(t, c.s.Moment(c.d).Decompose(2)), mustFit(t, c.s.Moment(c.d).Debias(Noise{}).Decompose(2))
		// f and ||X||^2 are sums of at most 300^2 terms of their size.
		same := math.Abs(plain.NormSquared.Value-without.NormSquared.Value) <= 1e-12*plain.NormSquared.Value
		if warned := slices.ContainsFunc(without.Warnings, func(w Warning) bool { return w.Code == WarnNoNoise }); same != c.same || warned != same {
			t.Errorf("%s, order %d: ||X||^2 %g, without noise %g, warnings %q", c.s.Coordinates(), c.d, plain.NormSquared.Value, without.NormSquared.Value, without.Warnings)
		}
	}
}

// More noise than a variable's variance is reported wherever the moment is debiased; noise
// that is present, and chance in few observations, are not.
func TestDebiasOfMoreThanThereIs(t *testing.T) {
	x := drawGaussians(draw.Mixture{N: 6, Components: 3, PerComponent: 100, Sigma: .5, Congruence: .5}).Session
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := SaveMatrix(path, x.Matrix()); err != nil {
		t.Fatal(err)
	}
	none := drawGaussians(draw.Mixture{N: 300, Components: 1, PerComponent: 5, Sigma: 1}).Session
	uneven := make([]float64, 300) // as if there were three observations
	for l := range uneven {
		uneven[l] = math.Pow(.5, float64(l))
	}
	for name, c := range map[string]struct {
		s      *Session
		noise  Noise
		warned bool
	}{
		"there":        {x, Noise{Sigma: .5}, false},
		"estimated":    {x, Noise{}, false},
		"too much":     {x, Noise{Sigma: 5}, true},
		"streamed":     {Stream(path), Noise{Sigma: 5}, true},
		"other units":  {x.Standardize(), Noise{Sigma: 5}, true},
		"one variable": {x, Noise{Variances: []float64{.2, .2, 0, .2, .2, 9}}, true},
		"chance":       {none, Noise{Sigma: 1}, false},
		"few":          {x.WithWeights(uneven), Noise{Sigma: 1}, false},
	} {
		m := c.s.Moment(4).With(Options{Starts: 2}).Debias(c.noise)
		fit := mustFit(t, m.Decompose(2))
		all := map[string][]Warning{"fit": fit.Warnings, "evaluation": m.Evaluate(fit.Model).Warnings}
		if c.noise.Sigma == 5 && c.s == x {
			all["rank"] = m.SuggestRank(2).Warnings
		}
		for where, warnings := range all {
			if warned := slices.ContainsFunc(warnings, func(w Warning) bool { return w.Code == WarnMoreNoise }); warned != c.warned {
				t.Errorf("%s: %s: %q", name, where, warnings)
			}
		}
	}
}

// The estimated noise is that of the data on average, also where they are few beside their
// variables, or weighted.
func TestSigmaHasNoBias(t *testing.T) {
	for _, c := range []struct {
		n, p, r  int
		weighted bool
	}{{10, 100, 5, false}, {60, 40, 4, false}, {20, 200, 1, false}, {30, 120, 6, true}} {
		const tables = 20
		sum, squares := 0., 0.
		for seed := range uint64(tables) {
			rng := rand.New(rand.NewPCG(seed, 61))
			x, w := mat.NewDense(c.p, c.n, nil), make([]float64, c.p)
			for l := range c.p {
				w[l] = rng.ExpFloat64() + .1
				for i := range c.n {
					x.Set(l, i, rng.NormFloat64())
				}
				if j := l % c.r; j < c.n {
					x.Set(l, j, x.At(l, j)+20)
				}
			}
			s := FromMatrix(x)
			if c.weighted {
				s = s.WithWeights(w)
			}
			f := s.Moment(3).Debias(Noise{}).With(Options{Starts: 1, MaxIterations: 3}).Decompose(c.r)
			if f.Err() != nil {
				t.Fatal(f.Err())
			}
			sum += f.Sigma / tables
			squares += f.Sigma * f.Sigma / tables
		}
		// Without the correction it is up to 13 of these below.
		if err := math.Sqrt((squares - sum*sum) / (tables - 1)); !(math.Abs(sum-1) <= 3*err) {
			t.Errorf("%+v: sigma %.4f on average, want 1 to ±%.4f", c, sum, err)
		}
	}
}

// The estimated sigma is that of the smallest eigenvalues of the covariance, for p effective
// observations, (sum w)^2 / sum w^2, wherever the weighted observations are.
func TestSigmaOfWeights(t *testing.T) {
	const n, p = 6, 70
	rng := rand.New(rand.NewPCG(33, 12))
	x, w := mat.NewDense(p, n, nil), make([]float64, p)
	var text strings.Builder
	var sum, squares float64
	for l := range p {
		w[l] = 1 + 4*rng.Float64()
		sum, squares = sum+w[l], squares+w[l]*w[l]
		for i := range n {
			x.Set(l, i, rng.NormFloat64())
		}
		x.Set(l, l%3, x.At(l, l%3)+5)
		for i := range n {
			fmt.Fprintf(&text, "%v,", x.At(l, i))
		}
		fmt.Fprintln(&text, w[l])
	}
	path := filepath.Join(t.TempDir(), "weighted.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, x, w)
	cov.ScaleSym((sum-1)/sum, &cov) // it divides by sum - 1
	var e mat.EigenSym
	e.Factorize(&cov, false)
	values, effective := e.Values(nil), sum*sum/squares
	for name, s := range map[string]*Session{
		"in memory": FromMatrix(x).WithWeights(w), "loaded": Load(path, LoadOptions{Weights: "7"}), "on disk": Stream(path, LoadOptions{Weights: "7"}),
	} {
		for r := 1; r <= 4; r++ {
			want := 0.
			for _, v := range values[:n-r+1] {
				want += v / float64(n-r+1)
			}
			want = math.Sqrt(want * effective / (effective - float64(r)))
			f := s.Moment(3).Debias(Noise{}).With(Options{Starts: 1, MaxIterations: 2}).Decompose(r)
			// Covariances round to 1e-16 of the largest values.
			if !(math.Abs(f.Sigma-want) <= 1e-12) {
				t.Errorf("%s, rank %d: sigma %.15g, want %.15g (%v)", name, r, f.Sigma, want, f.Err())
			}
		}
	}
}

// An odd moment of centered data is lost in the rounding of noise that is far more than the data
// vary, and refused: its relative error would be any number. With less noise it is as exact as
// that of the data themselves.
func TestDebiasLostInRounding(t *testing.T) {
	rng := draw.Source(7)
	x := mat.NewDense(60, 3, nil)
	for l := range 60 {
		for i := range 3 {
			x.Set(l, i, 5+rng.ExpFloat64())
		}
	}
	centered := FromMatrix(x).Center()
	for _, d := range []int{3, 5, 7} {
		for name, m := range map[string]*Moment{"explicit": centered.Moment(d).Explicit(), "implicit": centered.Moment(d).Implicit()} {
			fit := m.Debias(Noise{Sigma: 1e7}).Decompose(2)
			if err := fit.Err(); err == nil || !strings.Contains(err.Error(), "lost in the rounding of the removed noise") {
				t.Errorf("order %d, %s: relative error %g, %v", d, name, fit.RelativeError, err)
			}
			if _, err := m.Debias(Noise{Sigma: 1e7}).NormSquared(); err == nil {
				t.Errorf("order %d, %s: ||X||^2 is given", d, name)
			}
		}
	}
	plain, err := centered.Moment(3).NormSquared()
	debiased, err2 := centered.Moment(3).Debias(Noise{Sigma: 30}).NormSquared()
	if err != nil || err2 != nil || math.Abs(debiased.Value-plain.Value) > 1e-9*plain.Value {
		t.Errorf("without noise of sigma 30 ||X||^2 is %v (%v), with none removed %v (%v)", debiased, err2, plain, err)
	}
}
