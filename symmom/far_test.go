package symmom

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
)

// nearAndFar draws groups of observations about the origin and moves them 1e12 deviations from
// it, by a power of 2, which leaves their differences as they are.
func nearAndFar(p int, seed uint64) (near, far *mat.Dense) {
	const n, offset = 3, 1 << 40
	rng := draw.Source(seed)
	near, far = mat.NewDense(p, n, nil), mat.NewDense(p, n, nil)
	for l := range p {
		group := float64(4 * rng.IntN(2))
		for i := range n {
			v := math.Round((group+rng.ExpFloat64())*0x1p10) / 0x1p10
			near.Set(l, i, v)
			far.Set(l, i, offset+v)
		}
	}
	return near, far
}

// Sources of other data do not depend on where the data are either.
func TestSourcesFarFromTheOrigin(t *testing.T) {
	near, far := nearAndFar(300, 1)
	near2, far2 := nearAndFar(40, 2)
	for _, data := range [][2]*mat.Dense{{near, far}, {near2, far2}} {
		want, err := FromMatrix(near).ICA(3).Sources(FromMatrix(data[0]))
		got, err2 := FromMatrix(far).ICA(3).Sources(FromMatrix(data[1]))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for i := range 3 {
			sign := math.Copysign(1, want.At(0, i)*got.At(0, i))
			for l := range want.RawMatrix().Rows {
				if d := want.At(l, i) - sign*got.At(l, i); !(math.Abs(d) <= 1e-9) {
					t.Fatalf("source %d of observation %d is off by %.3g", i, l, d)
				}
			}
		}
	}
}

// Nor does what a mixture of centered or standardized data says of other data as they were
// loaded, also from a file, nor what is appended to such data.
func TestMovedFarFromTheOrigin(t *testing.T) {
	near, far := nearAndFar(300, 1)
	near2, far2 := nearAndFar(40, 2)
	for name, move := range map[string]func(*Session) *Session{
		"centered": (*Session).Center, "standardized": (*Session).Standardize,
		"centered twice":          func(s *Session) *Session { return s.Center().Center() },
		"centered, standardized":  func(s *Session) *Session { return s.Center().Standardize() },
		"standardized, in a file": func(s *Session) *Session { return s.Standardize() },
	} {
		a, b := move(FromMatrix(near)), move(FromMatrix(far))
		x, y := a.Append(near2).Matrix(), b.Append(far2).Matrix()
		for l := range x.RawMatrix().Rows {
			for i, v := range x.RawRowView(l) {
				if d := v - y.At(l, i); !(math.Abs(d) <= 1e-9) {
					t.Fatalf("%s: observation %d appended is off by %.3g", name, l, d)
				}
			}
		}
		f, g := a.Mixture(2), b.Mixture(2)
		if strings.HasSuffix(name, "file") {
			path := filepath.Join(t.TempDir(), "m.json")
			if err := g.Save(path); err != nil {
				t.Fatal(err)
			}
			g, _ = LoadMixture(path)
			file, _ := os.ReadFile(path)
			bad := strings.Replace(string(file), "\"center_rest\": [", "\"center_rest\": [0,", 1)
			if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := LoadMixture(path); err == nil || !strings.Contains(err.Error(), `"center_rest" of 4 for a center of 3`) {
				t.Errorf("a rest of other variables: %v", err)
			}
		}
		want, err := f.LogLikelihoodOf(FromMatrix(near2))
		got, err2 := g.LogLikelihoodOf(FromMatrix(far2))
		if err != nil || err2 != nil || !(math.Abs(got-want) <= 1e-9*math.Abs(want)) {
			t.Errorf("%s: the log-likelihood of other data is %.12g, want %.12g (%v, %v)", name, got, want, err, err2)
		}
	}
}

// Data that were centered by a mean some deviations from that of a mixture are not in its
// coordinates, however small that is beside the mean.
func TestCenteredFarFromTheOrigin(t *testing.T) {
	_, far := nearAndFar(300, 1)
	_, other := nearAndFar(40, 2)
	f := FromMatrix(far).Center().Mixture(2)
	if _, err := f.Predict(f.Session()); err != nil {
		t.Error(err)
	}
	if _, err := f.Predict(FromMatrix(other).Center()); err == nil || !strings.Contains(err.Error(), "centered by other numbers") {
		t.Errorf("data centered by other numbers: %v", err)
	}
}

// How many eigenvalues stand out does not depend on where the data are.
func TestSummaryFarFromTheOrigin(t *testing.T) {
	rng := draw.Source(5)
	x := mat.NewDense(400, 4, nil)
	for l := range 400 {
		group := rng.IntN(3)
		for i := range 4 {
			v := 1e8 + math.Round(rng.NormFloat64()*0x1p10)/0x1p11
			if i == group {
				v += 5
			}
			x.Set(l, i, v)
		}
	}
	if s := FromMatrix(x).Summary(); s.Stand != 3 || !(s.Eigenvalues[3] > .2 && s.Eigenvalues[3] < .3) || len(s.Warnings) > 0 {
		t.Errorf("%d of %v stand out, %v", s.Stand, s.Eigenvalues, s.Warnings)
	}
	e := FromMatrix(x).Moment(3).SuggestRank(1).Evidence[0]
	if e.Rank != 3 || strings.Contains(e.Text, "rounding") {
		t.Errorf("%+v", e)
	}
	wide := mat.NewDense(3, 600, nil)
	for l := range 3 {
		for i := range 600 {
			wide.Set(l, i, 1e8+rng.NormFloat64())
		}
	}
	s := FromMatrix(wide).Summary()
	if !slices.ContainsFunc(s.Warnings, func(w Warning) bool { return w.Code == WarnOffset }) {
		t.Errorf("eigenvalues %v without a doubt: %v", s.Eigenvalues[:3], s.Warnings)
	}
}
