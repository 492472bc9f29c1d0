package symmom

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
)

// Matrices that are not there, and numbers that are not finite, end in errors.
func TestCarelessMatrices(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 3, Components: 2, Observations: 200, Sigma: .1, Congruence: .5, Seed: 1})
	s := m.Session
	fit, mixture := mustFit(t, s.Moment(3).Decompose(2)), s.Mixture(2)
	white := s.Whiten(2)
	missing, err := LoadMatrix(filepath.Join(t.TempDir(), "missing.npy"))
	if err == nil || missing == nil {
		t.Fatalf("%v, %v", missing, err)
	}
	for name, x := range map[string]mat.Matrix{"nil": nil, "nil pointer": (*mat.Dense)(nil), "empty": &mat.Dense{}, "missing": missing,
		"NaN": mat.NewDense(3, 2, []float64{1, 2, 3, math.NaN(), 5, 6}), "Inf": mat.NewDense(3, 2, []float64{1, 2, 3, math.Inf(-1), 5, 6})} {
		_, modelErr := NewModel(3, []float64{1, 1}, x)
		errs := map[string]error{"Score": fit.Score(x).Err(), "Sweep.Score": s.Moment(3).Sweep(1, 2).Score(x).Err(), "Mixture.Score": mixture.Score(x).Err(), "NewModel": modelErr,
			"FromMatrix": FromMatrix(x).Err(), "Append": s.Append(x).Err()}
		if name != "NaN" && name != "Inf" {
			_, errs["Unwhiten"] = white.Unwhiten(x)
			_, errs["Unselect"] = s.Select("1").Unselect(x)
			if name != "nil" { // estimates
				errs["Debias"] = s.Moment(3).Debias(Noise{Covariance: x}).Err()
			}
		}
		for what, err := range errs {
			if err == nil {
				t.Errorf("%s: %s is taken", what, name)
			}
		}
	}
	broken := &Model{Order: 3, Lambda: []float64{1}, Factors: &NamedMatrix{Dense: mat.NewDense(3, 1, []float64{math.Inf(1), 2, 3})}}
	if broken.Score(m.Means).Err() == nil {
		t.Error("a model that is not finite is scored")
	}
	// Distances out of range are compared all the same.
	var large mat.Dense
	large.Scale(1e300, m.Means)
	if e := mixture.Score(&large); e.Err() != nil || !(math.Abs(e.Distance-1) <= 1e-12) {
		t.Errorf("means that are far too large: %+v, %v", e, e.Err())
	}
}

// A model made by hand is saved so that it can be loaded, or not at all.
func TestCarelessModels(t *testing.T) {
	one := func() *Model {
		return &Model{Order: 3, Lambda: []float64{1}, Factors: &NamedMatrix{Dense: mat.NewDense(3, 1, []float64{1, 2, 3})}}
	}
	for name, change := range map[string]func(*Model){
		"as it is": func(*Model) {}, "center": func(m *Model) { m.Center = []float64{1} }, "scale": func(m *Model) { m.Scale = []float64{1, 1} },
		"names": func(m *Model) { m.Names = []string{"a"} }, "order": func(m *Model) { m.Order = -5 }, "factors": func(m *Model) { m.Factors.Dense.Set(0, 0, math.NaN()) },
		"kind": func(m *Model) { m.Kind = &MomentKind{Coordinates: "whitened"} }, "unknown kind": func(m *Model) { m.Kind = &MomentKind{Coordinates: "rotated"} },
	} {
		for _, ending := range []string{".json", ".mat", ".npz", ".ktns"} {
			path := filepath.Join(t.TempDir(), "m"+ending)
			m := one()
			change(m)
			err := m.Save(path)
			if (err == nil) != (name == "as it is") {
				t.Errorf("%s%s: %v", name, ending, err)
			}
			if _, stat := os.Stat(path); err != nil && stat == nil {
				t.Errorf("%s%s: a file was written", name, ending)
			}
			if err == nil {
				if _, err := LoadModel(path); err != nil {
					t.Errorf("%s%s: %v", name, ending, err)
				}
			}
		}
	}
	if (&SaveError{}).Error() == "" {
		t.Error("no text")
	}
	if err := FromCSR(3, nil, nil, nil).Err(); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
}

// Cumulants have no noise to take out, and what is whitened can be mapped back with other
// weights and without zeros, too.
func TestCarelessChains(t *testing.T) {
	s := drawUniform(4, 300, 1)
	for _, noise := range []Noise{{}, {Sigma: .5}} {
		if err := s.Cumulant(4).Debias(noise).Decompose(2).Err(); err == nil {
			t.Errorf("noise %+v was removed from a cumulant", noise)
		}
	}
	w := make([]float64, 300)
	for l := range w {
		w[l] = 1 + float64(l%2)
	}
	white, directions := s.Whiten(2), mat.NewDense(2, 1, []float64{1, 2})
	want, err := white.Unwhiten(directions)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*Session{"weights": white.WithWeights(w), "sparse": white.Sparse(), "appended": white.Append(mat.NewDense(1, 2, []float64{1, 2}))} {
		if got, err := c.Unwhiten(directions); err != nil || !mat.Equal(got, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// With other weights they are not white: the cumulant takes the covariance that they have.
	a, b := white.WithWeights(w).Cumulant(4), FromMatrix(white.Matrix()).WithWeights(w).Cumulant(4)
	if x, y := mustFit(t, a.Decompose(1)).ObjectiveShifted, mustFit(t, b.Decompose(1)).ObjectiveShifted; !(math.Abs(x-y) <= 1e-9*math.Abs(y)) {
		t.Errorf("cumulant of reweighted whitened data: f %g, want %g", x, y)
	}
}
