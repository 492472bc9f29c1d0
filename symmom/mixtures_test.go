package symmom

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// clusters draws observations of n variables around r centers that are apart in units of the
// noise.
func clusters(n, r, p int, apart float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 5))
	centers := make([]float64, r*n)
	for i := range centers {
		centers[i] = apart * rng.NormFloat64()
	}
	v := mat.NewDense(p, n, nil)
	for l := range p {
		for i := range n {
			v.Set(l, i, centers[l%r*n+i]+rng.NormFloat64())
		}
	}
	return v
}

// A fit of a range is the fit alone, whatever the fits share: a covariance with all of its
// eigenvectors, with the leading ones of many variables, or nothing where there is none; from
// memory and from disk.
func TestMixturesAreMixtures(t *testing.T) {
	slow.Test(t)
	path := filepath.Join(t.TempDir(), "v.npy")
	if err := SaveMatrix(path, clusters(4, 3, 600, 3, 1)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		s *Session
		o MixtureOptions
	}{
		"few variables":  {FromMatrix(clusters(4, 3, 600, 3, 1)), MixtureOptions{Covariance: "spherical, tied,diag,full", Starts: 3}},
		"from disk":      {Stream(path), MixtureOptions{Covariance: "diag,full", Starts: 3}},
		"moments alone":  {FromMatrix(clusters(4, 2, 600, 3, 1)), MixtureOptions{MomentsOnly: true}},
		"many variables": {FromMatrix(clusters(320, 3, 500, 1, 2)), MixtureOptions{Covariance: "spherical,diag", Starts: 2}},
		"far away":       {FromMatrix(clusters(4, 3, 600, 3, 1)).Append(mat.NewDense(1, 4, []float64{1e7, 1e7, 1e7, 1e7})), MixtureOptions{Starts: 2}},
	} {
		m := c.s.Mixtures(2, 3, c.o)
		if m.Err() != nil {
			t.Errorf("%s: %v", name, m.Err())
		}
		if want := 2 * (strings.Count(c.o.Covariance, ",") + 1); len(m.Fits) != want {
			t.Errorf("%s: %d results, want %d", name, len(m.Fits), want)
		}
		passes, alonePasses := 0, 0
		for _, r := range m.Fits {
			o := c.o
			o.Covariance = r.Covariance
			f, alone := r, c.s.Mixture(r.Components, o)
			passes, alonePasses = passes+f.DataPasses, alonePasses+alone.DataPasses
			if !slices.Equal(f.Weights, alone.Weights) || !mat.Equal(f.Means, alone.Means) || !mat.Equal(f.Covariances(), alone.Covariances()) ||
				f.LogLikelihood != alone.LogLikelihood || f.BIC != alone.BIC || f.ICL != alone.ICL || f.Start != alone.Start || f.Iterations != alone.Iterations ||
				f.Converged != alone.Converged || f.AtBest != alone.AtBest || f.Starts != alone.Starts || len(f.Warnings) != len(slices.DeleteFunc(alone.Warnings, func(w Warning) bool { return w.Code == WarnCovariance })) {
				t.Errorf("%s: %d components, %s:\n%v\nalone:\n%v", name, r.Components, r.Covariance, f, alone)
			}
			if r.BIC != f.BIC || r.ICL != f.ICL {
				t.Errorf("%s: the result has other criteria than its fit", name)
			}
		}
		if passes >= alonePasses {
			t.Errorf("%s: %d passes, alone %d: nothing is shared", name, passes, alonePasses)
		}
	}
}

// ICL is BIC minus twice the sum of the logarithms of the responsibilities of the most likely
// components, of weighted observations with their weights, of mean 1.
func TestICL(t *testing.T) {
	v := clusters(2, 3, 300, 1.2, 3)
	weights := make([]float64, 300)
	mean := 0.
	for l := range weights {
		weights[l] = .5 + float64(l%4)
		mean += weights[l] / 300
	}
	for _, weighted := range []bool{false, true} {
		s := FromMatrix(v)
		if weighted {
			s = s.WithWeights(weights)
		}
		for _, covariance := range covariances {
			f := s.Mixture(3, MixtureOptions{Covariance: covariance, Starts: 3})
			z, err := f.Responsibilities(s)
			if err != nil {
				t.Fatal(err)
			}
			want := f.BIC
			for l := range 300 {
				w := 1.
				if weighted {
					w = weights[l] / mean
				}
				want -= 2 * w * math.Log(slices.Max(z.RawRowView(l)))
			}
			// the likelihoods of two passes with other centers, rounded
			if !(math.Abs(f.ICL-want) <= 1e-9*math.Abs(want)) || f.ICL < f.BIC+1 {
				t.Errorf("%s, weighted %v: ICL %v, want %v; BIC %v", covariance, weighted, f.ICL, want, f.BIC)
			}
		}
		if f := s.Mixture(1); f.ICL != f.BIC {
			t.Errorf("one component: ICL %v, BIC %v", f.ICL, f.BIC)
		}
	}
}

func TestMixturesChoose(t *testing.T) {
	m := FromMatrix(clusters(3, 3, 400, 6, 4)).Mixtures(1, 5)
	if m.Err() != nil || m.Best == nil || m.Best.Components != 3 || !strings.HasPrefix(m.Conclusion, "the lowest BIC is that of 3 components, ") {
		t.Errorf("%v", m)
	}
	header, rows := m.Table()
	if len(rows) != 5 || len(rows[0]) != len(header) || rows[2][4] != "0" || !strings.Contains(m.HTML(), "<th>above lowest</th>") {
		t.Errorf("%q\n%q", header, rows)
	}
	if m := FromMatrix(clusters(3, 3, 400, 6, 4)).Mixtures(1, 2); !strings.Contains(m.Conclusion, "; more components were not tried") {
		t.Errorf("%v", m.Conclusion)
	}
}

// A fit that closes in on a few observations has no likelihood to compare.
func TestMixturesWithoutBound(t *testing.T) {
	v := clusters(2, 1, 60, 1, 6)
	for l := range 20 { // twenty observations that are the same
		v.SetRow(l, []float64{7, 7})
	}
	m := FromMatrix(v).Mixtures(1, 2, MixtureOptions{Covariance: "full"})
	if two := m.Fits[1]; m.Best != m.Fits[0] || !(two.BIC < m.Best.BIC) || !strings.Contains(m.Conclusion, "a lower one, of 2 components, does not count") {
		t.Errorf("%v", m)
	}
}

// Some numbers of components are those of a whole range, each once, ascending.
func TestMixturesOf(t *testing.T) {
	s := FromMatrix(clusters(3, 3, 400, 6, 4))
	all, some := s.Mixtures(1, 4), s.MixturesOf([]int{4, 1, 1, 3})
	if some.Err() != nil || len(some.Fits) != 3 || !strings.Contains(some.Conclusion, "2 components were not tried") {
		t.Fatal(some.Err(), some)
	}
	for i, r := range []int{1, 3, 4} {
		if f := some.Fits[i]; f.Components != r || f.BIC != all.Fits[r-1].BIC {
			t.Errorf("%d components: %v, want %v", r, f, all.Fits[r-1])
		}
	}
}

func TestMixturesRefuse(t *testing.T) {
	s := FromMatrix(clusters(2, 2, 50, 3, 7))
	for want, m := range map[string]*Mixtures{
		"components: got 0..2, want from..to with 1 <= from <= to":                   s.Mixtures(0, 2),
		"components: got 3..2, want from..to with 1 <= from <= to":                   s.Mixtures(3, 2),
		"components: got [], want one or several numbers, each at least 1":           s.MixturesOf(nil),
		"components: got [0 2], want one or several numbers, each at least 1":        s.MixturesOf([]int{2, 0}),
		"components: got 50, want fewer than the 50 observations":                    s.Mixtures(1, 50),
		"Covariance: got round, want one of spherical, tied, diag, full":             s.Mixtures(1, 2, MixtureOptions{Covariance: "diag,round"}),
		"Covariance: got diag,diag, want each covariance once":                       s.Mixtures(1, 2, MixtureOptions{Covariance: "diag,diag"}),
		"options: got 2, want at most one MixtureOptions":                            s.Mixtures(1, 2, MixtureOptions{}, MixtureOptions{}),
		"mixture: 2 covariances of 1 to 2 components of 1,100 variables would take ": FromMatrix(clusters(1100, 1, 5, 1, 1)).Mixtures(1, 2, MixtureOptions{Covariance: "diag,full", MemoryLimit: 1 << 25}),
		"Covariance: got diag,full, want one of spherical, tied, diag, full":         {Result: Result{err: s.Mixture(2, MixtureOptions{Covariance: "diag,full"}).Err()}},
	} {
		if m.Err() == nil || !strings.HasPrefix(m.Err().Error(), want) || len(m.Fits) > 0 {
			t.Errorf("%v, want %s", m.Err(), want)
		}
	}
	var none Mixtures
	if none.String() != "empty result" || none.Conclusion != "" || none.Warnings != nil || none.Best != nil {
		t.Errorf("%q", none.String())
	}
}

// An interrupt keeps the fits that are complete; one that was begun is no candidate.
func TestMixturesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := FromMatrix(clusters(3, 3, 400, 1, 8)).WithContext(ctx)
	m := s.Mixtures(1, 5, MixtureOptions{Progress: func(p Progress) {
		if p.Rank == 3 && p.Phase == PhaseEM && p.Iterations > 0 {
			cancel()
		}
	}})
	if !errors.Is(m.Err(), ErrInterrupted) || len(m.Fits) < 2 || len(m.Fits) > 3 || m.Best == nil || m.Best.Components > 2 {
		t.Fatalf("%v", m)
	}
	alone := FromMatrix(clusters(3, 3, 400, 1, 8)).Mixture(2)
	if two := m.Fits[1]; two.Err() != nil || two.LogLikelihood != alone.LogLikelihood {
		t.Errorf("%v\nalone %v", two, alone)
	}
	if len(m.Fits) == 3 && !strings.Contains(m.String(), "unfinished") {
		t.Errorf("%v", m)
	}
}
