package symmom

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestModelRoundTrip(t *testing.T) {
	s := Read(strings.NewReader("x,y,z\n1,2,3\n4,5,7\n7,8,8\n1,0,2\n"), "csv")
	f := mustFit(t, s.Moment(3).With(Options{Starts: 2, Seed: 7}).Decompose(2))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	m, err := LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	if m.Order != 3 || !mat.Equal(m.Factors, f.Model.Factors) || fmt.Sprintf("%x", m.Lambda) != fmt.Sprintf("%x", f.Model.Lambda) {
		t.Error("the model changed on the way")
	}
	if strings.Join(m.Names, "") != "xyz" {
		t.Errorf("names %v", m.Names)
	}
	o := m.Origin
	if o.Fingerprint != s.Fingerprint() || o.Options.Starts == 0 || o.Options.Seed != 7 || o.Options.Starts != 2 || o.Options.Tolerance != 1e-4 ||
		o.Observations != 4 || *o.RelativeError != f.RelativeError {
		t.Errorf("origin %+v, options %+v", o, o.Options)
	}
	// Other languages read it: plain JSON with these keys.
	var plain map[string]any
	data, _ := os.ReadFile(path)
	if err := json.Unmarshal(data, &plain); err != nil || plain["format"] != "symmom-model" || plain["version"] != 1. || len(plain["factors"].([]any)) != 2 {
		t.Errorf("%v in\n%s", err, data)
	}
}

// The contents of a file are taken exactly, unnormalized too.
func TestModelTakenExactly(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{3, 0, 4, -2})
	m, err := NewModel(3, []float64{-1, 2}, a)
	if err != nil {
		t.Fatal(err)
	}
	a.Set(0, 0, 99)
	path := filepath.Join(t.TempDir(), "m.json")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Lambda[0] != -1 || got.Factors.At(0, 0) != 3 || got.Factors.At(1, 1) != -2 {
		t.Errorf("lambda %v, factors %v", got.Lambda, got.Factors)
	}
	// ||M||^2 = 5^6 + 4*2^6 - 4 <a1,a2>^3, by hand.
	if want := math.Pow(5, 6) + 4*64 - 4*math.Pow(-8, 3); got.NormSquared() != want {
		t.Errorf("||M||^2 = %g, want %g", got.NormSquared(), want)
	}
	if !strings.Contains(got.String(), "2 components of 2 variables") {
		t.Errorf("shows %q", got)
	}
}

func TestBadModels(t *testing.T) {
	good := `{"format":"symmom-model","version":1,"order":3,"n":2,"rank":1,"lambda":[1],"factors":[[1,0]]}`
	if _, err := LoadModel(write(t, "good.json", good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{"{", "}", "invalid character"},
		{"symmom-model", "other", `"format" is "other"`},
		{`"version":1`, `"version":2`, "reads up to 1"},
		{`"order":3`, `"order":0`, "order: got 0"},
		{`"rank":1`, `"rank":2`, `"rank" is 2, with 1 weight and 1 factor`},
		{`"n":2`, `"n":3000000000`, `factor 1 has 2 entries`},
		{"[[1,0]]", "[[1,0,0]]", "factor 1 has 3 entries"},
		{"[1]", "[]", "0 weights"},
		{`"n":2`, `"n":2,"names":["a"]`, "1 name for 2 variables"},
		{"[1,0]", `["a",0]`, "cannot unmarshal"},
		{"[1,0]", `[1,null]`, "a list holds null, which many programs write for NaN"},
	} {
		_, err := LoadModel(write(t, "bad.json", strings.Replace(good, c[0], c[1], 1)))
		if err == nil || !strings.Contains(err.Error(), c[2]) || !strings.Contains(err.Error(), "bad.json") {
			t.Errorf("%s -> %s: %v, want %q", c[0], c[1], err, c[2])
		}
	}
	if m, err := LoadModel("testdata/none.json"); err == nil || m == nil || m.String() != "empty model" {
		t.Errorf("no file: %v, %v", m, err)
	}
	a := mat.NewDense(2, 1, []float64{math.NaN(), 1})
	for _, f := range []func() (*Model, error){
		func() (*Model, error) { return NewModel(3, []float64{1}, a) },
		func() (*Model, error) { return NewModel(3, []float64{1, 2}, a) },
		func() (*Model, error) { return NewModel(3, nil, nil) },
		func() (*Model, error) { return NewModel(0, []float64{1}, a) },
	} {
		if m, err := f(); err == nil || m == nil || m.Rank() != 0 {
			t.Errorf("made %v", m)
		}
	}
}

func TestSaveKeepsTheOldFile(t *testing.T) {
	m := model(t, 3, 2)
	dir := t.TempDir()
	path := filepath.Join(dir, "m.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for lambda, want := range map[float64]string{math.Inf(1): "divide", 1e-320: "multiply"} {
		for j := range m.Lambda {
			m.Lambda[j] = lambda
		}
		if err := m.Save(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("saved the weight %g: %v", lambda, err)
		}
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("the old file is now %q", data)
	}
	m.Lambda[0] = 1
	if err := m.Save(filepath.Join(dir, "no", "m.json")); err == nil {
		t.Error("saved into a folder that is not there")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestScore(t *testing.T) {
	truth := mat.NewDense(3, 2, []float64{1, 0, 0, 2, 0, 0})
	found := mat.NewDense(3, 3, []float64{0, 0, -3, -.5, 0, 4, 0, 1, 0})
	m, err := NewModel(3, []float64{1, 1, 1}, found)
	if err != nil {
		t.Fatal(err)
	}
	s := m.Score(truth)
	// Cosines with e1: 0, 0, .6; with e2: 1, 0, .8.
	if s.Err() != nil || !(math.Abs(s.Value-.8) <= 1e-15) || s.Pairs[0] != (Pair{0, 2, s.Pairs[0].Cosine}) || s.Pairs[1].Found != 0 || !(math.Abs(s.Cosines.At(1, 2)-.8) <= 1e-15) {
		t.Errorf("score %v, cosines %v", s, s.Cosines)
	}
	if !strings.Contains(s.String(), "Score 0.80000") || !strings.Contains(s.HTML(), "cosine") {
		t.Errorf("shows %q", s)
	}
	// Fewer found than true: the mean is over those found.
	one, _ := NewModel(3, []float64{1}, mat.NewDense(3, 1, []float64{3, 4, 0}))
	if v := one.Score(truth).Value; !(math.Abs(v-.8) <= 1e-15) {
		t.Errorf("one of two: %g", v)
	}
	for what, bad := range map[string]mat.Matrix{"transposed": truth.T(), "a 0 x 0 matrix": nil, "2 x 1": mat.NewDense(2, 1, nil),
		"not finite": mat.NewDense(3, 1, []float64{math.NaN(), 1, 2})} {
		if s := m.Score(bad); s.Err() == nil || !strings.Contains(s.Err().Error(), what) {
			t.Errorf("%s: %v", what, s.Err())
		}
	}
}

func TestSweep(t *testing.T) {
	m := mixture(t, 12, 3, .02)
	sw := m.Session.Moment(3).With(Options{Starts: 3}).Sweep(2, 4)
	if sw.Err() != nil || len(sw.Fits) != 3 || !math.IsNaN(sw.Scores[0]) {
		t.Fatalf("%v", sw)
	}
	scored := sw.Score(m.Means)
	if !math.IsNaN(sw.Scores[1]) || !(scored.Scores[1] > .999) {
		t.Errorf("scores %v", scored)
	}
	r := scored.Fits
	if !(r[0].RelativeError > 10*r[1].RelativeError) || r[2].Rank != 4 {
		t.Errorf("errors do not drop at the true rank:\n%v", scored)
	}
	of := "rank 2: only 1 of 3 starts found this fit" // of rank 3 all did, of rank 4 two
	if text := scored.String(); strings.Count(text, "\n") != 5 || !strings.Contains(text, "\n  warning: "+of) || !strings.Contains(scored.HTML(), "warning: "+of) {
		t.Errorf("shows\n%s\n%s", text, scored.HTML())
	}
	for i, want := range []int{1, 3, 2} {
		if n := r[i].AtBest; n != want {
			t.Errorf("%d starts found the best of rank %d, want %d", n, r[i].Rank, want)
		}
	}
	if bad := sw.Score(mat.NewDense(2, 2, nil)); bad.Err() == nil || !strings.Contains(bad.String(), "error") {
		t.Errorf("truth of another dimension: %v", bad.Err())
	}
}
