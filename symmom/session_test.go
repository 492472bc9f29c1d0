package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/progress"
	"symmom/internal/text/diag"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadOptions(t *testing.T) {
	path := write(t, "t.csv", "a;b;w\n1;2;1\n3;NA;2\n5;6;1\n")
	s := Load(path, LoadOptions{Missing: "mean", Weights: "w", Delimiter: ";", Header: "yes"})
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	if want := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}); !mat.Equal(s.Matrix(), want) {
		t.Errorf("values %v", mat.Formatted(s.Matrix()))
	}
	if w := s.Weights(); len(w) != 3 || w[0] != .25 || w[1] != .5 {
		t.Errorf("weights %v", w)
	}
	if s.Columns()[1] != "b" || s.N() != 2 || s.Observations() != 3 || !strings.HasSuffix(s.Source(), "t.csv") {
		t.Errorf("columns %v of %s", s.Columns(), s.Source())
	}
	if !strings.Contains(s.String(), "weights from 0.25 to 0.5") {
		t.Errorf("shows %q", s)
	}
	dropped := Load(path, LoadOptions{Missing: "DROP", Columns: []string{"b"}})
	if dropped.Observations() != 2 || dropped.N() != 1 {
		t.Errorf("dropped: %v", dropped)
	}
	weights := write(t, "w.csv", "3\n1\n4\n")
	// Filled with the mean of the observations by weight, the others keep theirs.
	gap, three := write(t, "gap.csv", "a,w\n1,1\n,1\n10,100\n"), write(t, "three.csv", "1\n1\n100\n")
	for _, o := range []LoadOptions{{Columns: []string{"a"}, WeightsFile: three}, {Weights: "w"}} {
		o.Missing = "mean"
		filled := Load(gap, o)
		if filled.Err() != nil {
			t.Fatal(filled.Err())
		}
		if v := filled.Summary().Variables[0]; !(math.Abs(v.Mean-1001./101) <= 1e-14) || !(math.Abs(filled.Matrix().At(1, 0)-1001./101) <= 1e-14) {
			t.Errorf("%+v: mean %v, filled with %v, want %v", o, v.Mean, filled.Matrix().At(1, 0), 1001./101)
		}
	}
	if w := Load(path, LoadOptions{Missing: "mean", WeightsFile: weights}).Weights(); len(w) != 3 || w[2] != .5 {
		t.Errorf("weights from a file: %v", w)
	}
	var missing *diag.MissingError
	if err := Load(path).Err(); !errors.As(err, &missing) {
		t.Errorf("missing values: %v", err)
	}
	// The text names the options for which the command names flags.
	for _, shown := range []fmt.Stringer{Load(path), Load(path).Moment(3).Decompose(1), Load(path).Summary()} {
		if text := shown.String(); !strings.HasSuffix(text, "or choose other columns (Missing, Columns)") {
			t.Errorf("shows %q", text)
		}
	}
	for _, bad := range []LoadOptions{{Header: "maybe"}, {Missing: "guess"}, {Delimiter: "ab"}, {Delimiter: `"`}} {
		var arg *ArgumentError
		if err := Load(path, bad).Err(); !errors.As(err, &arg) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if Load(path, LoadOptions{}, LoadOptions{}).Err() == nil {
		t.Error("two LoadOptions were taken")
	}
	var parse *ParseError
	if err := Load(write(t, "bad.csv", "1,2\n3,x\n")).Err(); !errors.As(err, &parse) || parse.Line != 2 || parse.Column != 2 {
		t.Errorf("a word in a table: %v", err)
	}
	if r := Read(strings.NewReader("1\t2\n3\t4\n"), "tsv", LoadOptions{Delimiter: `\t`}); r.Err() != nil || r.N() != 2 {
		t.Errorf("read: %v", r)
	}
}

func TestSessionIsImmutable(t *testing.T) {
	s := FromRows([][]float64{{1, 2}, {3, 5}, {4, 4}})
	before := s.Fingerprint()
	z := s.Standardize()
	w := s.WithWeights([]float64{1, 2, 3})
	s.Matrix().Dense.Set(0, 0, 99)
	if s.Fingerprint() != before || FromMatrix(s.Matrix()).Fingerprint() != before {
		t.Error("the session changed")
	}
	if z.Fingerprint() == before || w.Fingerprint() == before {
		t.Error("other data with the same fingerprint")
	}
	for i := range 2 {
		col := mat.Col(nil, i, z.Matrix())
		var mean, v float64
		for _, x := range col {
			mean += x / 3
			v += x * x / 3
		}
		if !(math.Abs(mean) <= 1e-15) || !(math.Abs(v-1) <= 1e-15) {
			t.Errorf("standardized column %d: mean %g, variance %g", i, mean, v)
		}
	}
	if w.WithWeights([]float64{1, 2}).Err() == nil {
		t.Error("two weights for three observations")
	}
}

func TestHostContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	h := progress.Host{Context: func() context.Context { return ctx }}
	host := LoadOptions{Context: h.In()}
	s := FromRows([][]float64{{1, 2}, {3, 4}}).WithContext(h.In())
	cancel()
	if f := s.Moment(3).Decompose(1); !errors.Is(f.Err(), ErrInterrupted) {
		t.Errorf("in a cancelled cell: %v", f.Err())
	}
	ctx = context.Background() // the next cell
	if f := s.Moment(3).Decompose(1); f.Err() != nil {
		t.Errorf("in the next cell: %v", f.Err())
	}
	if f := s.WithContext(context.Background()).Moment(3).Decompose(1); f.Err() != nil {
		t.Error(f.Err())
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	if err := Load(write(t, "t.csv", "1,2\n"), host).Err(); !errors.Is(err, ErrInterrupted) {
		t.Errorf("load in a cancelled cell: %v", err)
	}
	ctx = nil
	if s := Read(strings.NewReader("1,2\n3,4\n"), "csv", host); s.Err() != nil {
		t.Errorf("a host without a context: %v", s.Err())
	}
}

func TestMomentArguments(t *testing.T) {
	s := FromRows([][]float64{{1, 2}, {3, 4}})
	for what, err := range map[string]error{
		"order: got 0, want 1 to 100":                             s.Moment(0).Err(),
		"rank: got 0, want at least 1":                            s.Moment(3).Decompose(0).Err(),
		"ranks: got 3..2, want from..to with 1 <= from <= to":     s.Moment(3).Sweep(3, 2).Err(),
		"Starts: got -1, want at least 1":                         s.Moment(3).With(Options{Starts: -1}).Err(),
		"Scale: got both, want one of auto, none":                 s.Moment(3).With(Options{Scale: "both"}).Err(),
		"Init: got zeros, want one of rrf, plain, gaussian":       s.Moment(3).With(Options{Init: "zeros"}).Err(),
		"Tolerance: got NaN, want a finite number":                s.Moment(3).With(Options{Tolerance: math.NaN()}).Err(),
		"every value is zero":                                     FromRows([][]float64{{0, 0}, {0, 0}}).Moment(3).Decompose(1).Err(),
		"model: got an empty model":                               s.Moment(3).Evaluate(nil).Err(),
		"model: got order 2 of 2 variables, want order 3 of 2 va": s.Moment(3).Evaluate(model(t, 2, 2)).Err(),
		"model: got order 3 of 4 variables, want order 3 of 2 va": s.Moment(3).Evaluate(model(t, 3, 4)).Err(),
	} {
		if err == nil || !strings.Contains(err.Error(), what) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, what)
		}
	}
	if _, err := s.Moment(0).NormSquared(); err == nil {
		t.Error("norm of a failed moment")
	}
	big := model(t, 3, 2)
	big.Lambda[0] = 1e300
	big.Factors.Dense.Scale(1e300, big.Factors.Dense)
	if e := s.Moment(3).Evaluate(big); e.Err() == nil || !strings.Contains(e.Err().Error(), "not finite") {
		t.Errorf("a model of 1e300: %v", e)
	}
}

func model(t *testing.T, d, n int) *Model {
	t.Helper()
	a := mat.NewDense(n, 1, nil)
	a.Set(0, 0, 1)
	m, err := NewModel(d, []float64{1}, a)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMomentString(t *testing.T) {
	m := FromMatrix(mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})).Moment(3)
	if got := m.String(); !strings.Contains(got, "3rd moment (order 3)") || !strings.Contains(got, "27 entries, 216 bytes") ||
		!strings.Contains(got, "form chosen automatically") || !strings.Contains(got, "27 entries") || m.fit.Order != 3 {
		t.Errorf("shows %q", got)
	}
}

// ||X||^2 is estimated where exact is too dear, and says so everywhere.
func TestEstimatedNormIsMarked(t *testing.T) {
	s := drawUniform(14, 50_000, 1)
	m := s.Moment(9) // 497,420 distinct entries, 14*50000^2/2 operations: both too many
	n, err := m.NormSquared()
	if err != nil {
		t.Fatal(err)
	}
	if n.Exact() || n.Pairs < 1e5 || !(n.StdErr > 0 && n.StdErr < .05*n.Value) || !strings.Contains(n.String(), "estimate") {
		t.Errorf("norm %v", n)
	}
	if again, _ := m.NormSquared(); again != n {
		t.Error("asked twice, computed twice")
	}
	f := mustFit(t, m.With(Options{Starts: 1, MaxIterations: 2}).Decompose(1))
	for what, text := range map[string]string{"fit": f.String(), "sweep": m.With(Options{Starts: 1, MaxIterations: 2}).Sweep(1, 1).String(),
		"evaluation": m.Evaluate(f.Model).String()} {
		if !strings.Contains(text, "estimate") {
			t.Errorf("the %s does not say that ||X||^2 is an estimate:\n%s", what, text)
		}
	}
}

// An interrupted run may have compared no pairs: then nothing is stated of the error, and no
// warning says that it may be larger than stated.
func TestNormOfUnknownError(t *testing.T) {
	n := Norm{Value: 8, StdErr: math.Inf(1), Doubtful: true}
	if got := n.String() + n.relative(.25, -6, ""); got != "8 (estimate whose error is not known)0.25 ± ?" {
		t.Error(got)
	}
	if got := (Norm{Value: 2}).relative(.25, -1.5, isEstimate); got != "0.25" {
		t.Errorf("exact: %q", got)
	}
	// 1.5/4*.25
	if got := (Norm{Value: 2, StdErr: .25, Pairs: 100}).relative(.25, -1.5, isEstimate); got != "0.25 ± 0.094 (||X||^2 is an estimate)" {
		t.Errorf("estimate: %q", got)
	}
}

// A zero fit can tell what it knows, and an interrupted one that not all its starts ended.
func TestFacts(t *testing.T) {
	of := func(f *Fit) map[string]string {
		all := map[string]string{}
		for _, l := range f.Facts() {
			all[l[0]] = l[1]
		}
		return all
	}
	done := of(&Fit{GradientNorm: .5, Cosine: 2e-5, Status: "max_iterations", Starts: make([]Start, 3), AtBest: 2})
	if done["gradient norm"] != "0.5, cosine 2e-05 (max iterations)" || done["starts"] != "2 of 3 found the best" {
		t.Errorf("got %q", done)
	}
	begun := of(&Fit{Cosine: math.NaN(), Status: "stalled", Starts: make([]Start, 3), Result: Result{err: ErrInterrupted}})
	if begun["gradient norm"] != "0 (stalled)" || begun["starts"] != "0 of 3 begun found the best" || of(&Fit{})["starts"] != "- found the best" {
		t.Errorf("got %q", begun)
	}
}

func TestSummary(t *testing.T) {
	s := FromRows([][]float64{{1, 10}, {2, 10}, {6, 10}}).WithWeights([]float64{1, 1, 2})
	r := s.Summary()
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	v := r.Variables[0]
	// Weights 1/4, 1/4, 1/2: mean 3.75, variance .25*7.5625 + .25*3.0625 + .5*5.0625.
	if v.Mean != 3.75 || !(math.Abs(v.Std*v.Std-5.1875) <= 1e-14) || v.Min != 1 || v.Max != 6 || r.Variables[1].Std != 0 {
		t.Errorf("summary %+v", r.Variables)
	}
	// The second moment is [[.25+1+18, 37.5], [37.5, 100]].
	trace, det := 19.25+100, 19.25*100-37.5*37.5
	root := math.Sqrt(trace*trace/4 - det)
	if !(math.Abs(r.Eigenvalues[0]-(trace/2+root)) <= 1e-12*trace) || !(math.Abs(r.Eigenvalues[1]-(trace/2-root)) <= 1e-12*trace) {
		t.Errorf("eigenvalues %v, want %g and %g", r.Eigenvalues, trace/2+root, trace/2-root)
	}
	if text := r.String(); !strings.Contains(text, "column 2") || !strings.Contains(text, "constant") || !strings.Contains(r.HTML(), "3.75") {
		t.Errorf("shows\n%s", text)
	}
	if text := drawUniform(30, 10, 1).Summary().String(); !strings.Contains(text, "and 18 more") {
		t.Errorf("30 variables:\n%s", text)
	}
	two := drawUniform(3000, 2, 1)
	square := mat.Norm(two.Matrix(), 2) // the eigenvalues' sum is the mean square norm
	if r := two.Summary(); r.Err() != nil || len(r.Eigenvalues) != 3000 || !(math.Abs(r.Eigenvalues[0]+r.Eigenvalues[1]-square*square/2) <= 1e-12*square*square) || r.Eigenvalues[2] != 0 {
		t.Errorf("3000 variables: %v of %d eigenvalues, %v", r.Eigenvalues[:3], len(r.Eigenvalues), r.Err())
	}
	if r := drawUniform(2300, 2300, 1).Summary(); r.Err() != nil || len(r.Eigenvalues) != 1 || !strings.Contains(r.String(), "largest eigenvalue of the second moment") {
		t.Errorf("2300 variables: %d eigenvalues, %v", len(r.Eigenvalues), r.Err())
	}
}

// Whatever holds no observation matches ErrNoData, in its own words.
func TestNoData(t *testing.T) {
	for name, s := range map[string]*Session{
		"nil rows":      FromRows(nil),
		"no rows":       FromRows([][]float64{}),
		"empty matrix":  FromMatrix(&mat.Dense{}),
		"empty file":    Load(write(t, "empty.csv", "")),
		"only a header": Load(write(t, "header.csv", "a,b\n")),
		"all dropped":   Load(write(t, "gone.csv", "a,b\n1,NA\nNA,2\n"), LoadOptions{Missing: "drop"}),
		"streamed":      Stream(write(t, "stream.csv", "a,b\n")),
		"no session":    {},
	} {
		if !errors.Is(s.Err(), ErrNoData) || !errors.Is(s.Moment(3).Decompose(1).Err(), ErrNoData) {
			t.Errorf("%s: %v", name, s.Err())
		}
	}
	if err := FromRows([][]float64{{}}).Err(); err == nil || errors.Is(err, ErrNoData) {
		t.Errorf("a row without values: %v", err)
	}
}
