package symmom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// Tables in which nothing varies, or nearly all rows are 0, and moments of which nothing is
// left but higher orders, give results or errors that say so, in memory and from disk.
func TestNothingThere(t *testing.T) {
	slow.Test(t)
	ones, zeros, few := mat.NewDense(50, 400, nil), mat.NewDense(50, 400, nil), mat.NewDense(60000, 100, nil)
	ones.Apply(func(int, int, float64) float64 { return 1 }, ones)
	rng := rand.New(rand.NewPCG(3, 3))
	for _, l := range []int{17, 40001, 59990} {
		few.SetRow(l, normals(rng, 100))
	}
	for name, x := range map[string]*mat.Dense{"ones": ones, "zeros": zeros, "few rows": few} {
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := SaveMatrix(path, x); err != nil {
			t.Fatal(err)
		}
		for where, s := range map[string]*Session{"memory": FromMatrix(x), "stream": Stream(path)} {
			name := name + ", " + where
			if name != "few rows, memory" && name != "few rows, stream" {
				for what, err := range map[string]error{"whiten": s.Whiten(2).Err(), "ica": s.ICA(2).Err()} {
					if err == nil || where == "memory" && !strings.Contains(err.Error(), "do not differ") {
						t.Errorf("%s: %s: %v", name, what, err)
					}
				}
				if err := s.Mixture(2).Err(); err == nil || !strings.Contains(err.Error(), "do not differ") {
					t.Errorf("%s: mixture: %v", name, err)
				}
			}
			o := Options{Starts: 3, MaxIterations: 20}
			for form, m := range map[string]*Moment{"automatic": s.Moment(3), "compressed": s.Moment(3).Compressed(0), "debiased": s.Moment(3).Debias(Noise{})} {
				f := m.With(o).Decompose(2)
				switch {
				case x == zeros:
					if f.Err() == nil || !strings.Contains(f.Err().Error(), "every value is zero") {
						t.Errorf("%s: %s: %v", name, form, f.Err())
					}
				case f.Err() != nil:
					t.Errorf("%s: %s: %v", name, form, f.Err())
				case x == ones && math.Abs(f.NormSquared.Value-math.Pow(400, 3)) > 1e-9*math.Pow(400, 3): // (1'1)^3
					t.Errorf("%s: %s: ||X||^2 = %v", name, form, f.NormSquared)
				case x == ones && math.Abs(f.RelativeError) > 1e-9:
					t.Errorf("%s: %s: relative error %g", name, form, f.RelativeError)
				}
			}
			s.Moment(3).SuggestRank(0)
			s.Summary()
		}
	}
}

// The noise can be all of the second moment: of rows 8 e_i and -8 e_i with the variances
// taken out, the fourth moment is left.
func TestSecondMomentIsNoise(t *testing.T) {
	const n = 32
	x := mat.NewDense(2*n, n, nil)
	variances := make([]float64, n)
	for i := range n {
		x.Set(2*i, i, 8)
		x.Set(2*i+1, i, -8)
		variances[i] = 2 * 64. / (2 * n)
	}
	m := FromMatrix(x).Moment(4).Debias(Noise{Variances: variances})
	f, full := mustFit(t, m.Compressed(0).Decompose(2)), mustFit(t, m.Implicit().Decompose(2))
	if !strings.Contains(joined(f.Warnings, "\n"), "second moment is 0") || !(math.Abs(f.RelativeError-full.RelativeError) <= 1e-6) {
		t.Errorf("relative error %g, %g in the implicit form, warnings %v", f.RelativeError, full.RelativeError, f.Warnings)
	}
}

// The result of a fit does not depend on earlier fits of the same moment.
func TestNotOfFitsBefore(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func(p, n int) *Session {
		v := normals(rng, p*n)
		for i := range v {
			v[i] += float64(i%n%3) * .3
		}
		return FromMatrix(mat.NewDense(p, n, v))
	}
	result := func(f *Fit) string {
		if f.Err() != nil {
			t.Fatal(f.Err())
		}
		return fmt.Sprint(f.ObjectiveShifted, f.NormSquared, f.RelativeError, f.Model.Lambda)
	}
	s, o := draw(60000, 40), Options{Starts: 1, MaxIterations: 5}
	s6, o6 := draw(6000, 10), Options{Starts: 2, MaxIterations: 100}
	m := s.Moment(3).With(o)
	for _, form := range []struct {
		name string
		of   func(*Moment) *Moment
	}{{"explicit", (*Moment).Explicit}, {"implicit", (*Moment).Implicit}, {"explicit", (*Moment).Explicit}} {
		if a, b := result(form.of(m).Decompose(2)), result(form.of(s.Moment(3).With(o)).Decompose(2)); a != b {
			t.Errorf("%s after others: %s, alone %s", form.name, a, b)
		}
	}
	m = s6.Moment(6).With(o6)
	m.Implicit().Decompose(2)
	if a, b := result(m.Sampled(100).Decompose(2)), result(s6.Moment(6).With(o6).Sampled(100).Decompose(2)); a != b {
		t.Errorf("sampled after implicit: %s, alone %s", a, b)
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := SaveMatrix(path, draw(20000, 60).Matrix()); err != nil {
		t.Fatal(err)
	}
	stream, many := Stream(path), Options{Starts: 10, MaxIterations: 30}
	swept := stream.Moment(4).Compressed(0)
	swept.With(Options{Starts: 1, MaxIterations: 30}).Sweep(1, 2)
	after, alone := swept.With(many).Sweep(1, 2), stream.Moment(4).Compressed(0).With(many).Sweep(1, 2)
	for i, r := range after.Fits {
		if a, b := result(r), result(alone.Fits[i]); a != b {
			t.Errorf("sweep after one with fewer starts, rank %d: %s, alone %s", r.Rank, a, b)
		}
	}
}

// Arguments that are nil or do not fit together are refused.
func TestIncomplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	s := FromMatrix(mat.NewDense(100, 5, normals(rng, 500)))
	_, unwhitened := s.Whiten(2).Unwhiten(nil)
	_, unselected := s.Select("1-2").Unselect(nil)
	for what, err := range map[string]error{"Unwhiten": unwhitened, "Unselect": unselected, "Score": s.Mixture(2).Score(nil).Err()} {
		if err == nil || !strings.Contains(err.Error(), "got ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, m := range []*Model{{Order: 3, Lambda: []float64{1}}, {Order: 3, Lambda: []float64{1}, Factors: &NamedMatrix{Dense: mat.NewDense(5, 2, nil)}}} {
		if m.Rank() != 0 || m.NormSquared() != 0 || m.Save(filepath.Join(t.TempDir(), "m.json")) == nil || s.Moment(3).Evaluate(m).Err() == nil || m.Diagnostics() == nil {
			t.Errorf("a model of %d weights and factors %v", len(m.Lambda), m.Factors)
		}
	}
	for _, kind := range []string{"null", `{"coordinates":"whitened","whitening":[[1],[1,2]],"mean":[1,2]}`, `{"noise":{"sigma":1,"covariance":[[1],[1,2]]}}`} {
		path := filepath.Join(t.TempDir(), "m.json")
		text := `{"format":"symmom-model","version":1,"order":3,"n":2,"rank":1,"lambda":[1],"factors":[[1,0]],"moment":` + kind + `,"origin":{}}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadModel(path); (err == nil) != (kind == "null") {
			t.Errorf("moment %s: %v", kind, err)
		}
	}
}

// ||X||^2 is exact where its tensor's distinct entries take less than 1e10 operations, though
// all n^d would not fit.
func TestNormOfManyIndices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(40000, 20, normals(rng, 800000))
	norm, err := FromMatrix(x).Moment(6).NormSquared()
	if err != nil || !norm.Exact() {
		t.Errorf("%v, %v", norm, err)
	}
}

// A moment that vanishes is refused before it is searched.
func TestVanishingIsSeenEarly(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const p, n = 6000, 60
	x := mat.NewDense(p, n, normals(rng, p*n))
	for l := p / 2; l < p; l++ {
		for i, v := range x.RawRowView(l - p/2) {
			x.Set(l, i, -v)
		}
	}
	path := filepath.Join(t.TempDir(), "a.npy")
	if err := SaveMatrix(path, x); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*Moment{"stream": Stream(path).Moment(5), "memory": FromMatrix(x).Moment(5).Implicit()} {
		evaluations := 0
		o := Options{Progress: func(p Progress) {
			if p.Phase == PhaseSearch {
				evaluations = max(evaluations, p.Evaluations)
			}
		}}
		err := m.With(o).Decompose(5).Err()
		if err == nil || !strings.Contains(err.Error(), "is zero to within rounding") || evaluations > 0 {
			t.Errorf("%s: %v after %d evaluations", name, err, evaluations)
		}
	}
	// A cumulant is called one; nobody took noise out of it.
	err := FromRows([][]float64{{1, 2}, {3, 5}}).Cumulant(3).Decompose(1).Err()
	if err == nil || !strings.Contains(err.Error(), "the cumulant of order 3 is zero to within rounding") || strings.Contains(err.Error(), "noise") {
		t.Errorf("a cumulant that vanishes: %v", err)
	}
	err = FromRows([][]float64{{1, 2}, {3, 5}}).Center().Moment(1).Decompose(1).Err()
	if err == nil || !strings.Contains(err.Error(), "it is the mean, which is 0 in centered data") {
		t.Errorf("the mean of centered data: %v", err)
	}
}
