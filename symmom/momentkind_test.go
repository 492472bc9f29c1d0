package symmom

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

const kindTable = "age,height,mass\n31,170.2,70\n25,181,80.5\n47,165,61\n52,172,90\n19,190,77\n33,168,66\n61,159,58\n44,177,85\n29,186,79\n38,163,72\n"

// kinds are moments of order 4 of the table, each of which differs from all others.
func kinds(t *testing.T) map[string]*Moment {
	t.Helper()
	s := Read(strings.NewReader(kindTable), "csv")
	covariance := mat.NewDense(3, 3, []float64{2, .5, 0, .5, 1, .1, 0, .1, 3})
	return map[string]*Moment{
		"plain":                   s.Moment(4),
		"centered":                s.Center().Moment(4),
		"standardized":            s.Standardize().Moment(4),
		"standardized, selected":  s.Standardize().Select("mass", "age", "height").Moment(4),
		"whitened":                s.Whiten(3).Moment(4),
		"whitened to 2":           s.Whiten(2).Moment(4),
		"standardized, whitened":  s.Standardize().Whiten(2).Moment(4),
		"selected, whitened":      s.Standardize().Select("mass", "age", "height").Whiten(2).Moment(4),
		"cumulant":                s.Cumulant(4),
		"cumulant, standardized":  s.Standardize().Cumulant(4),
		"cumulant, whitened":      s.Whiten(2).Cumulant(4),
		"estimated noise":         s.Center().Moment(4).Debias(Noise{}),
		"noise of every variable": s.Moment(4).Debias(Noise{Variances: []float64{1, 2, 3}}),
		"noise of a covariance":   s.Moment(4).Debias(Noise{Covariance: covariance}),
	}
}

// A model of every kind of moment, in every format that says of which it is, has the
// error that the fit has where it is evaluated on the same moment, and is refused by all
// others, with what to do.
func TestModelsAreComparedWithTheirMoment(t *testing.T) {
	all := kinds(t)
	alike := map[string]string{"standardized": "standardized, selected", "standardized, selected": "standardized",
		"standardized, whitened": "selected, whitened", "selected, whitened": "standardized, whitened",
		"noise of every variable": "noise of a covariance", "noise of a covariance": "noise of every variable"}
	for name, m := range all {
		f := mustFit(t, m.With(Options{Starts: 2, MaxIterations: 30}).Decompose(2))
		for _, ext := range []string{".json", ".mat", ".npz"} {
			model := reloaded(t, f, ext)
			if !slices.Equal(model.Center, f.Model.Center) || !slices.Equal(model.Scale, f.Model.Scale) {
				t.Errorf("%s%s: center %v, scale %v", name, ext, model.Center, model.Scale)
			}
			// The polish ends within the rounding of f; degenerate terms are larger than X.
			if e := m.Evaluate(model); e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) || len(e.Warnings) > 0 {
				t.Errorf("%s%s: %v\nwant relative error %.12g and no warning", name, ext, e, f.RelativeError)
			}
			for other, o := range all {
				e := o.Evaluate(model)
				switch {
				case other == name:
				case other != alike[name]:
					if e.Err() == nil || !strings.Contains(e.Err().Error(), "model: got a model of the 4th ") || !strings.Contains(e.Err().Error(), "; or ") {
						t.Errorf("a model of %q, evaluated as %q: %v", name, other, e)
					}
				case e.Err() != nil || strings.HasPrefix(name, "noise") != (len(e.Warnings) == 1 && e.Warnings[0].Code == WarnOtherNoise):
					t.Errorf("a model of %q, evaluated as %q: %v", name, other, e)
				}
			}
		}
		path := filepath.Join(t.TempDir(), "m.ktns")
		if err := f.Save(path); err != nil {
			t.Fatal(err)
		}
		if model, err := LoadModel(path); err != nil || model.Kind != nil || m.Evaluate(model).Err() != nil {
			t.Errorf("%s: as ktns it is %+v, %v", name, model, err)
		}
	}
}

// reloaded is the model of a fit from a file with an ending.
func reloaded(t *testing.T, f *Fit, ext string) *Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m"+ext)
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	m, err := LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A saved model says how to whiten observations as they were loaded, whatever they were moved
// by before.
func TestSavedWhitening(t *testing.T) {
	s := Read(strings.NewReader(kindTable), "csv")
	w := make([]float64, s.Observations())
	for l := range w {
		w[l] = float64(1 + l%3)
	}
	loaded := s.Matrix()
	for name, s := range map[string]*Session{"plain": s, "centered": s.Center(), "standardized": s.Standardize(),
		"weighted": s.WithWeights(w).Standardize(), "twice": s.Center().Standardize().Center()} {
		white := s.Whiten(2)
		f := mustFit(t, white.Moment(3).Decompose(1))
		for _, ext := range []string{".json", ".mat", ".npz"} {
			model := reloaded(t, f, ext)
			k := model.Kind
			for l := range s.Observations() {
				for i, row := range k.Whitening {
					got := 0.
					for j, v := range row {
						x := loaded.At(l, j) - k.Mean[j]
						if k.Scale != nil {
							x /= k.Scale[j]
						}
						got += v * x
					}
					// Coordinates are about 1, and what cancels in x is a hundred times as large.
					if want := white.Matrix().At(l, i); !(math.Abs(got-want) <= 1e-12) {
						t.Fatalf("%s%s: coordinate %d of observation %d is %v, the file says %v", name, ext, i, l, want, got)
					}
				}
			}
		}
	}
}

// Data in other units are the same once they are standardized: a warning says that they were
// standardized by other numbers than the model's, those of the variable that differs most.
func TestModelOfDataStandardizedOtherwise(t *testing.T) {
	s := Read(strings.NewReader(kindTable), "csv")
	f := mustFit(t, s.Standardize().Moment(3).Decompose(2))
	x := mat.DenseCopyOf(s.Matrix())
	for l := range s.Observations() {
		x.Set(l, 1, 100*x.At(l, 1)-5)
		x.Set(l, 2, x.At(l, 2)+1)
	}
	var table strings.Builder
	table.WriteString("mass,height,age\n")
	for l := range s.Observations() {
		fmt.Fprintf(&table, "%v,%v,%v\n", x.At(l, 2), x.At(l, 1), x.At(l, 0))
	}
	other := Read(strings.NewReader(table.String()), "csv")
	e := other.Standardize().Moment(3).Evaluate(f.Model)
	if e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) || len(e.Warnings) != 1 || e.Warnings[0].Code != WarnOtherScale || !strings.Contains(e.Warnings[0].Text, "(of height ") {
		t.Errorf("in other units: %v", e)
	}
	// Means of their own are what moments about the mean are about.
	f = mustFit(t, s.Center().Moment(3).Decompose(2))
	if e := FromMatrix(x).Center().Moment(3).Evaluate(f.Model); e.Err() != nil || len(e.Warnings) > 0 {
		t.Errorf("centered: %v", e)
	}
}

func TestAdviceForOtherMoments(t *testing.T) {
	all := kinds(t)
	for _, c := range []struct{ model, moment, want, help string }{
		{"standardized", "plain", "of standardized data, want one of the 4th moment of the data as they are; or standardize the data first", "Standardize"},
		{"plain", "centered", "want one of the 4th moment of centered data; or leave the data as they are", ""},
		{"cumulant", "plain", "a model of the 4th cumulant, want one of the 4th moment of the data as they are; or take the cumulant", "Cumulant"},
		{"cumulant", "centered", "; or take the cumulant", "Cumulant"},
		{"centered", "cumulant", "; or center the data first and take the moment, not the cumulant", "Center"},
		{"whitened to 2", "plain", "; or whiten the data to 2 coordinates first", "Whiten"},
		{"whitened to 2", "whitened", "; or whiten the data to 2 coordinates first", "Whiten"},
		{"standardized, whitened", "whitened to 2", "a model of the 4th moment of standardized data whitened to 2 coordinates, want one of the 4th moment of data whitened to 2 coordinates; or standardize the data and whiten them to 2 coordinates", "Standardize Whiten"},
		{"whitened to 2", "standardized, whitened", "; or whiten the data to 2 coordinates without standardizing them", ""},
		{"estimated noise", "centered", "; or take the noise out", "Debias"},
		{"centered", "estimated noise", "want one of the 4th moment of centered data without its noise; or leave the noise in", ""},
	} {
		model := mustFit(t, all[c.model].With(Options{Starts: 1, MaxIterations: 5}).Decompose(2)).Model
		err := all[c.moment].Evaluate(model).Err()
		if err == nil || !strings.HasSuffix(err.Error(), c.want) || strings.Join(Help(err), " ") != c.help {
			t.Errorf("%s, %s: %v, help %q", c.model, c.moment, err, Help(err))
		}
	}
	// The cumulant of order 3 is the moment about the mean.
	s := Read(strings.NewReader(kindTable), "csv")
	f := mustFit(t, s.Cumulant(3).Decompose(2))
	if e := s.Center().Moment(3).Evaluate(f.Model); e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) {
		t.Errorf("%v, want relative error %g", e, f.RelativeError)
	}
	// Whitened coordinates are those of some data.
	w := mustFit(t, s.Whiten(2).Moment(3).Decompose(2))
	other := Read(strings.NewReader("age,height,mass\n1,2,3\n3,1,2\n7,3,4\n-1,0,9\n"), "csv").Whiten(2).Moment(3)
	for what, err := range map[string]error{"evaluated": other.Evaluate(w.Model).Err(), "a start": other.With(Options{InitialModel: w.Model}).Decompose(2).Err()} {
		if err == nil || !strings.Contains(err.Error(), "a model in other whitened coordinates") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// A start may be of another moment, not of data in other coordinates.
	plain := mustFit(t, s.Moment(3).Decompose(2)).Model
	if err := s.Moment(3).Debias(Noise{Sigma: .1}).With(Options{InitialModel: plain}).Decompose(2).Err(); err != nil {
		t.Error(err)
	}
	if err := s.Center().Moment(3).With(Options{InitialModel: plain}).Decompose(2).Err(); err == nil || !strings.Contains(err.Error(), "leave the data as they are") {
		t.Errorf("a start in other coordinates: %v", err)
	}
}

// Variables are matched by name, and by place only where there are none.
func TestVariablesAreMatchedByName(t *testing.T) {
	s := Read(strings.NewReader(kindTable), "csv").Center()
	x := s.Matrix()
	f := mustFit(t, s.Select("age", "height").Moment(3).With(Options{Starts: 2}).Decompose(2))
	turned := s.Select("height", "age")
	e := turned.Moment(3).Evaluate(f.Model)
	if e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) || len(e.Warnings) > 0 {
		t.Errorf("%v, want relative error %g", e, f.RelativeError)
	}
	truth := mat.NewDense(2, 2, nil) // the factors, as the data have their variables
	truth.SetRow(0, f.Model.Factors.RawRowView(1))
	truth.SetRow(1, f.Model.Factors.RawRowView(0))
	if score := e.Score(truth); !(math.Abs(score.Value-1) <= 1e-12) {
		t.Errorf("%v, want 1", score)
	}
	again := turned.Moment(3).With(Options{InitialModel: f.Model}).Implicit().Decompose(2)
	if again.Err() != nil || !(math.Abs(again.Starts[0].Trace[0].Objective-f.ObjectiveShifted) <= 1e-9*math.Abs(f.ObjectiveShifted)) {
		t.Errorf("started from f = %v, want %g (%v)", again.Starts[0].Trace[0], f.ObjectiveShifted, again.Err())
	}
	for what, c := range map[string][2]string{"other": {"mass,age", "model: got a model of the variables age, height, want one of mass, age, as the data have; or choose the model's"},
		"fewer": {"age,height,mass", "want order 3 of 3 variables, as the moment; or choose the model's, age, height"}} {
		err := s.Select(strings.Split(c[0], ",")...).Moment(3).Evaluate(f.Model).Err()
		if err == nil || !strings.HasSuffix(err.Error(), c[1]) || strings.Join(Help(err), "") != "Columns" {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Column numbers are no names of others.
	unnamed := FromMatrix(x).Center()
	if e := unnamed.Select("1-2").Moment(3).Evaluate(f.Model); e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) || len(e.Warnings) > 0 {
		t.Errorf("without names: %v", e)
	}
	numbers := mustFit(t, unnamed.Select("1-2").Moment(3).With(Options{Starts: 2}).Decompose(2))
	for columns, want := range map[string]string{"2,1": "column 2, column 1", "2,3": "by place: the model's are column 1, column 2, those of the data column 2, column 3"} {
		e := unnamed.Select(strings.Split(columns, ",")...).Moment(3).Evaluate(numbers.Model)
		if e.Err() != nil || len(e.Warnings) != 1 || e.Warnings[0].Code != WarnVariables || !strings.HasSuffix(e.Warnings[0].Text, want) {
			t.Errorf("columns %s: %v", columns, e)
		}
		if columns == "2,1" && !(math.Abs(e.RelativeError-numbers.RelativeError) <= 1e-9) {
			t.Errorf("turned: %v, want relative error %g", e, numbers.RelativeError)
		}
	}
}

// What is standardized is kept by its numbers, for sparse data too, and is so for what is
// appended.
func TestScaleIsKept(t *testing.T) {
	s := Read(strings.NewReader(kindTable), "csv")
	x := s.Matrix()
	p, n := x.Dims()
	for name, c := range map[string]*Session{"dense": s.Standardize(), "sparse": s.Sparse().Standardize(),
		"centered": s.Center().Standardize(), "twice": s.Standardize().Center().Standardize()} {
		m := mustFit(t, c.Moment(3).With(Options{Starts: 1}).Decompose(1)).Model
		got := c.Matrix()
		for l := range p {
			for i := range n {
				if want := (x.At(l, i) - m.Center[i]) / m.Scale[i]; !(math.Abs(got.At(l, i)-want) <= 1e-12) {
					t.Fatalf("%s: observation %d, %d is %g, want %g", name, l, i, got.At(l, i), want)
				}
			}
		}
		if name == "sparse" {
			continue
		}
		if a := c.Append(x.Dense.Slice(2, 3, 0, n)).Matrix(); !(math.Abs(a.At(p, 1)-got.At(2, 1)) <= 1e-12) {
			t.Errorf("%s: appended as %g, want %g", name, a.At(p, 1), got.At(2, 1))
		}
	}
}

// Files that do not say of which moment a model is load as before, and damaged ones are
// refused.
func TestOldAndDamagedKinds(t *testing.T) {
	s := Read(strings.NewReader(kindTable), "csv")
	f := mustFit(t, s.Whiten(3).Moment(3).Decompose(2))
	path := filepath.Join(t.TempDir(), "m.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(file, moment map[string]any)) string {
		var file map[string]any
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		change(file, file["moment"].(map[string]any))
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		return write(t, "changed.json", string(text))
	}
	old, err := LoadModel(with(func(file, _ map[string]any) { delete(file, "moment") }))
	if err != nil || old.Kind != nil {
		t.Fatalf("without a kind: %+v, %v", old, err)
	}
	if e := s.Whiten(3).Moment(3).Evaluate(old); e.Err() != nil || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-9) {
		t.Errorf("without a kind: %v", e)
	}
	for want, change := range map[string]func(file, moment map[string]any){
		`coordinates that are "other"`:        func(_, m map[string]any) { m["coordinates"] = "other" },
		"a whitening of 0 rows":               func(_, m map[string]any) { delete(m, "whitening") },
		"a whitening of 3 rows":               func(_, m map[string]any) { m["coordinates"] = "centered" },
		"noise of other variables":            func(_, m map[string]any) { m["noise"] = map[string]any{"sigma": 1, "variances": []float64{1}} },
		"a scale of 2 for 3 variables":        func(f, _ map[string]any) { f["scale"] = []float64{1, 2} },
		"cannot unmarshal string into Go str": func(_, m map[string]any) { m["cumulant"] = "yes" },
	} {
		if _, err := LoadModel(with(change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A model that does not say what it is of, as old files do not, is taken to be of centered data
// if it has a center.
func TestModelWithoutKind(t *testing.T) {
	s := drawUniform(4, 300, 3)
	for name, c := range map[string]struct{ data, other *Session }{"a center": {s.Center(), s}, "none": {s, nil}} {
		model := mustFit(t, c.data.Moment(3).With(Options{Starts: 2}).Decompose(2)).Model
		model.Kind = nil
		e := c.data.Moment(3).Evaluate(model)
		if e.Err() != nil {
			t.Errorf("%s: %v", name, e.Err())
		}
		var refused *ArgumentError
		if c.other == nil {
			continue
		}
		if e := c.other.Moment(3).Evaluate(model); !errors.As(e.Err(), &refused) || !strings.Contains(e.Err().Error(), "centered data") {
			t.Errorf("%s: %v of data that are not centered", name, e.Err())
		}
	}
}
