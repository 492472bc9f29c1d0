package symmom

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/draw"
	"symmom/internal/math/ktensor"

	"gonum.org/v1/gonum/mat"
)

// sources draws p observations of k sources of variance 1, uniform and Laplace
// in turns, and mixes them.
func sources(p, n, k int, seed uint64) (s *Session, mixing *mat.Dense) {
	rng := draw.Source(seed)
	mixing = mat.NewDense(n, k, nil)
	mixing.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, mixing)
	z := mat.NewDense(p, k, nil)
	for l := range p {
		for j := range k {
			switch u := rng.Float64(); {
			case j%2 == 0:
				z.Set(l, j, math.Sqrt(12)*(u-.5))
			default:
				z.Set(l, j, math.Copysign(rng.ExpFloat64()/math.Sqrt2, u-.5))
			}
		}
	}
	var v mat.Dense
	v.Mul(z, mixing.T())
	v.Apply(func(_, j int, x float64) float64 { return x + float64(j) }, &v)
	return FromMatrix(&v), mixing
}

// momentsOf returns the mean, and the moments of order 2 and 4, of column j.
func momentsOf(z *mat.Dense, j int) (mean, second, fourth float64) {
	column := mat.Col(nil, j, z)
	p := float64(len(column))
	for _, v := range column {
		mean += v / p
		second += v * v / p
		fourth += v * v * v * v / p
	}
	return mean, second, fourth
}

func TestICA(t *testing.T) {
	const p, n, k = 20_000, 10, 8
	s, mixing := sources(p, n, k, 1)
	for _, o := range []ICAOptions{{}, {CumulantOnly: true}} {
		c := s.ICA(k, o)
		if c.Err() != nil || !c.Converged || len(c.Warnings) > 0 {
			t.Fatal(c, c.Warnings)
		}
		var both mat.Dense
		both.Mul(c.Unmixing, mixing)
		// An entry is off by about 1/sqrt(p) = .007 times a factor up to 2, of
		// cumulants alone some more.
		if d := ktensor.Amari(both.RawMatrix().Data, k); d > .02 {
			t.Errorf("%+v: Amari distance %g", o, d)
		}
		both.Mul(c.Unmixing, c.Mixing)
		for i := range k {
			for j := range k {
				want := 0.
				if i == j {
					want = 1
				}
				if !(math.Abs(both.At(i, j)-want) <= 1e-10) {
					t.Errorf("unmixing times mixing has %g at (%d, %d)", both.At(i, j), i, j)
				}
			}
		}
		for j := range k {
			if column := mat.Col(nil, j, c.Mixing); mat.Max(c.Mixing.ColView(j)) != mat.Norm(c.Mixing.ColView(j), math.Inf(1)) {
				t.Errorf("the largest entry of column %d of the mixing is not positive: %g", j, column)
			}
		}
		z, err := c.Sources(s)
		if err != nil {
			t.Fatal(err)
		}
		for j := range k { // Laplace has 3, uniform -1.2
			mean, second, fourth := momentsOf(z.Dense, j)
			if !(math.Abs(mean) <= 1e-9) || !(math.Abs(second-1) <= 1e-9) || !(math.Abs(fourth-3-c.Kurtosis[j]) <= 1e-6) {
				t.Errorf("source %d: mean %g, variance %g, kurtosis %g and %g", j, mean, second, fourth-3, c.Kurtosis[j])
			}
			want := -1.2
			if c.Kurtosis[j] > 0 {
				want = 3
			}
			if !(math.Abs(c.Kurtosis[j]-want) <= .5) { // the kurtosis of Laplace: sqrt(2,400/p)
				t.Errorf("kurtosis %g of source %d", c.Kurtosis[j], j)
			}
		}
	}
	// The decomposition of the cumulant says the same.
	w := s.Whiten(k)
	fit := w.Cumulant(4).Implicit().Decompose(k)
	if fit.Err() != nil {
		t.Fatal(fit.Err())
	}
	columns, err := w.Unwhiten(fit.Model.Factors)
	if err != nil {
		t.Fatal(err)
	}
	model, _ := NewModel(4, fit.Model.Lambda, columns)
	if score := model.Score(mixing).Value; score < .999 {
		t.Errorf("score of the decomposition %g\n%s", score, fit)
	}
}

// The kurtoses are those of the sources, in their order, also where these still moved.
func TestKurtosisOfUnsettledSources(t *testing.T) {
	const p, k = 64, 4
	s, _ := sources(p, k, k, 3)
	for _, iterations := range []int{1, 2, 200} {
		for _, only := range []bool{false, true} {
			c := s.ICA(k, ICAOptions{CumulantOnly: only, MaxIterations: iterations})
			z, err := c.Sources(s)
			if err != nil {
				t.Fatal(err)
			}
			for j := range k {
				_, second, fourth := momentsOf(z.Dense, j)
				// Whitening leaves a rounding of 1e-9 at most, see TestICA; fourth is below 64.
				if got, want := c.Kurtosis[j], fourth/(second*second)-3; !(math.Abs(got-want) <= 1e-6) {
					t.Errorf("%d iterations, cumulant only %v, source %d: kurtosis %g, got %g", iterations, only, j, want, got)
				}
				if j > 0 && !(math.Abs(c.Kurtosis[j]) <= math.Abs(c.Kurtosis[j-1])) {
					t.Errorf("%d iterations: kurtoses %v, want the largest first", iterations, c.Kurtosis)
				}
			}
		}
	}
}

// More iterations are advised for sources that still moved, but not where normal ones can be
// turned for ever.
func TestAdviceOnUnsettledSources(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	advised := func(draw func() float64) (moved, more bool) {
		rows := make([][]float64, 500)
		for l := range rows {
			rows[l] = []float64{draw(), draw(), draw()}
		}
		for _, w := range FromRows(rows).ICA(3, ICAOptions{MaxIterations: 1}).Warnings {
			if w.Code == WarnNotConverged {
				moved, more = true, slices.Contains(w.Help, "MaxIterations")
			}
		}
		return moved, more
	}
	if moved, more := advised(rng.Float64); !moved || !more {
		t.Errorf("uniform sources: warned %v, advised %v", moved, more)
	}
	if moved, more := advised(rng.NormFloat64); !moved || more {
		t.Errorf("normal sources: warned %v, advised %v", moved, more)
	}
}

// A source with heavy tails is reported with the share of the weight that makes half of its
// kurtosis. With weights the standard error of a kurtosis is larger.
func TestFewMakeTheKurtosis(t *testing.T) {
	const p = 400
	rng := rand.New(rand.NewPCG(8, 1))
	rows := make([][]float64, p)
	for l := range rows {
		rows[l] = []float64{rng.NormFloat64(), rng.NormFloat64()}
	}
	for l := range 100 {
		rows[l][0] += 8
	}
	light := make([]float64, p)
	for l := range light {
		light[l] = 1e-6
	}
	light[p-1], light[p-2] = 1, 1
	even := make([]float64, p)
	for l := range even {
		even[l] = 1
	}
	for _, w := range [][]float64{light, even} {
		s := FromRows(rows).WithWeights(w)
		if w[0] == 1 {
			rows[5][1] = 1000 // alone
			s = FromRows(rows)
		}
		c := s.ICA(2)
		z, err := c.Sources(s)
		if err != nil {
			t.Fatal(err)
		}
		var percent, kurtosis float64
		var source int
		found := false
		for _, warning := range c.Warnings {
			if warning.Code == WarnFewOutliers && strings.HasPrefix(warning.Text, "at most") {
				found = true
				if _, err := fmt.Sscanf(warning.Text, "at most %g%% of the weight makes half of the kurtosis of source %d, %g:", &percent, &source, &kurtosis); err != nil {
					t.Fatal(warning, err)
				}
			}
		}
		if !found {
			t.Fatalf("no warning: %s", c)
		}
		order, total, fourth := make([]int, p), 0., 0.
		for l := range order {
			order[l] = l
			total += w[l]
			fourth += w[l] * math.Pow(z.At(l, source-1), 4)
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Compare(math.Abs(z.At(b, source-1)), math.Abs(z.At(a, source-1)))
		})
		share, part := 0., 0.
		for _, l := range order {
			if part >= fourth/2 {
				break
			}
			share, part = share+w[l]/total, part+w[l]*math.Pow(z.At(l, source-1), 4)
		}
		if percent/100*1.05 < share || !(math.Abs(kurtosis-c.Kurtosis[source-1]) <= 1e-3*kurtosis) {
			t.Errorf("%g%% reported, in two digits, %g%% found: %s", percent, 100*share, c)
		}
	}
	s, _ := sources(p, 2, 2, 1)
	w := make([]float64, p)
	for l := range w {
		w[l] = 1e-3
		if l < 20 {
			w[l] = 1
		}
	}
	for _, c := range []struct {
		s    *Session
		want bool
	}{{s, false}, {s.WithWeights(w), true}} {
		found := c.s.ICA(2)
		// The kurtoses of uniform and Laplace sources, -1.2 and 3, are more than four standard
		// errors of 400 observations, sqrt(24/400) = .24, and less than those of 20.
		if got := strings.Contains(joined(found.Warnings, " "), "sources look normal"); got != c.want {
			t.Errorf("kurtoses %v: warnings %q", found.Kurtosis, found.Warnings)
		}
	}
}

func TestICARefuses(t *testing.T) {
	s, _ := sources(300, 4, 3, 1)
	for want, err := range map[string]error{
		"at most 3":    s.ICA(4).Err(),
		"1 to 4":       s.ICA(5).Err(),
		"at least 1":   s.ICA(3, ICAOptions{Starts: -1}).Err(),
		"3, 4 or 5":    s.Cumulant(2).Err(),
		"not whitened": func() error { _, err := s.Unwhiten(mat.NewDense(4, 1, nil)); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	normal := mat.NewDense(2000, 3, nil)
	rng := rand.New(rand.NewPCG(1, 1))
	normal.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, normal)
	if c := FromMatrix(normal).ICA(3); c.Err() != nil || !strings.Contains(joined(c.Warnings, " "), "sources look normal") {
		t.Errorf("normal sources: %v", c)
	}
}

// Signals are often the rows of a table: nothing can be separated then, and a warning says why.
func TestSignalsAsRows(t *testing.T) {
	s, _ := sources(2000, 6, 3, 5)
	for turned, c := range map[bool]*ICA{false: s.ICA(3), true: FromMatrix(s.Matrix().T()).ICA(3)} {
		if c.Err() != nil || strings.Contains(joined(c.Warnings, " "), "transpose a table whose rows are the signals") != turned {
			t.Errorf("turned %v: %v", turned, c)
		}
	}
}

// ||K||^2 by the formulas, and the third cumulant of components.
func TestCumulant(t *testing.T) {
	s, _ := sources(120, 4, 4, 2)
	x := s.Center().Matrix()
	p, n := x.Dims()
	var cov mat.Dense
	cov.Mul(x.T(), x)
	cov.Scale(1/float64(p), &cov)
	// ||K_4||^2 = nu'[X'X]^4 nu - 6 sum nu (x'Sx)^2 + 3 (tr S^2)^2 + 6 tr S^4
	var pairs, quad float64
	for l := range p {
		u := mat.NewVecDense(n, mat.Row(nil, l, x))
		for m := range p {
			pairs += math.Pow(mat.Dot(u, mat.NewVecDense(n, mat.Row(nil, m, x))), 4) / float64(p*p)
		}
		var su mat.VecDense
		su.MulVec(&cov, u)
		quad += math.Pow(mat.Dot(u, &su), 2) / float64(p)
	}
	var s2, s4 mat.Dense
	s2.Mul(&cov, &cov)
	s4.Mul(&s2, &s2)
	want := pairs - 6*quad + 3*math.Pow(mat.Trace(&s2), 2) + 6*mat.Trace(&s4)
	norm, err := s.Cumulant(4).NormSquared()
	// The terms are a hundred times what is left of them.
	if err != nil || !(math.Abs(norm.Value-want) <= 1e-10*pairs) {
		t.Errorf("||K_4||^2 = %.12g, %v, want %.12g", norm.Value, err, want)
	}
	third, err := s.Cumulant(3).NormSquared()
	plain, err2 := s.Center().Moment(3).NormSquared()
	if err != nil || err2 != nil || !(math.Abs(third.Value-plain.Value) <= 1e-10*plain.Value) {
		t.Errorf("||K_3||^2 = %.12g, of the moment about the mean %.12g", third.Value, plain.Value)
	}
	// White data have a covariance of 1.
	w := s.Whiten(3).Matrix()
	var white mat.Dense
	white.Mul(w.T(), w)
	for i := range 3 {
		for j := range 3 {
			want := 0.
			if i == j {
				want = float64(p)
			}
			if !(math.Abs(white.At(i, j)-want) <= 1e-9*float64(p)) {
				t.Errorf("covariance of white data %g at (%d, %d)", white.At(i, j)/float64(p), i, j)
			}
		}
	}
}
