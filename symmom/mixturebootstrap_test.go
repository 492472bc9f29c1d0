package symmom

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// Standard errors agree with the spread of fits to fresh samples, for every
// covariance.
func TestMixtureBootstrap(t *testing.T) {
	slow.Test(t)
	const n, r, p, samples = 4, 2, 1500, 60
	means, sigma := mat.NewDense(n, r, nil), constant(n, r, 1)
	means.Set(0, 0, 3)
	means.Set(1, 1, 1)
	for _, covariance := range covariances {
		t.Run(covariance, func(t *testing.T) {
			var fits []*Mixture
			for seed := range uint64(samples) {
				s, _ := drawMixture(means, sigma, []float64{.65, .35}, p, seed+1)
				f := s.Mixture(r, MixtureOptions{Covariance: covariance, Starts: -1})
				if f.Err() != nil {
					t.Fatal(f.Err())
				}
				fits = append(fits, f)
			}
			e := fits[0].Bootstrap(samples, 0)
			if e.Err() != nil || e.Draws != samples {
				t.Fatal(e.Draws, e.Err())
			}
			size := func(m *mat.Dense) float64 {
				rows, columns := m.Dims()
				return mat.Norm(m, 2) / math.Sqrt(float64(rows*columns))
			}
			for _, x := range []struct {
				what string
				got  float64
				of   func(*Mixture) *mat.Dense
			}{
				{"means", size(e.Means.Dense), func(f *Mixture) *mat.Dense { return f.Means.Dense }},
				{"weights", size(mat.NewDense(r, 1, e.Weights)),
					func(f *Mixture) *mat.Dense { return mat.NewDense(r, 1, f.Weights) }},
				{"covariances", size(e.Covariances), (*Mixture).Covariances},
				{"sigma", e.Sigma, func(f *Mixture) *mat.Dense { return mat.NewDense(1, 1, []float64{f.Sigma}) }},
			} {
				rows, columns := x.of(fits[0]).Dims()
				spread := mat.NewDense(rows, columns, nil)
				for i := range rows {
					for j := range columns {
						var v []float64
						for _, f := range fits {
							v = append(v, x.of(f).At(i, j))
						}
						spread.Set(i, j, deviation(v))
					}
				}
				// A standard deviation of 60 values is good to 9%, so the ratio of
				// two to 13%, where one parameter stands for all: three times that.
				if ratio := x.got / size(spread); ratio < .61 || ratio > 1.39 {
					t.Errorf("%s: standard error %.4g, spread of samples %.4g", x.what, x.got, size(spread))
				} else {
					t.Logf("%s: standard error over spread %.3f", x.what, ratio)
				}
			}
		})
	}
}

func deviation(v []float64) float64 {
	var sum, square float64
	for _, x := range v {
		sum += x / float64(len(v))
	}
	for _, x := range v {
		square += (x - sum) * (x - sum)
	}
	return math.Sqrt(square / float64(len(v)-1))
}

// The same bits on any number of threads, about the same from disk, and what
// was done when it is interrupted.
func TestMixtureBootstrapRuns(t *testing.T) {
	s, _ := drawMixture(unequal(6, 1), constant(6, 3, .3), nil, 1000, 2)
	f := s.Mixture(3, MixtureOptions{})
	a, b := f.Bootstrap(4, 0), f.Bootstrap(4, 0)
	if a.Err() != nil || !mat.Equal(a.Means, b.Means) || a.Sigma != b.Sigma {
		t.Errorf("threads: %v, %v", a, b)
	}
	if c := f.Bootstrap(4, 2); mat.Equal(a.Means, c.Means) {
		t.Error("another seed draws the same")
	}
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := SaveMatrix(path, s.Matrix()); err != nil {
		t.Fatal(err)
	}
	disk := Stream(path).Mixture(3, MixtureOptions{Converge: true}).Bootstrap(4, 0)
	// The draws are the same; EM ends at a ten thousandth of the rise.
	if disk.Err() != nil || !(math.Abs(disk.Sigma-a.Sigma) <= .1*a.Sigma) {
		t.Errorf("from disk: %v, want %v", disk, a)
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var lines []string
	g := s.WithContext(ctx).Mixture(3, MixtureOptions{Progress: func(p Progress) {
		if p.Phase != PhaseBootstrap {
			return
		}
		if lines = append(lines, p.String()); p.StartsDone == 4 {
			cancel()
		}
	}})
	stopped := g.Bootstrap(100, 0)
	if !errors.Is(stopped.Err(), ErrInterrupted) || stopped.Draws != 4 || !mat.Equal(stopped.Means, a.Means) {
		t.Errorf("interrupted: %v, want the first four draws", stopped)
	}
	if want := "bootstrap, draw 4 of 100"; len(lines) != 4 || lines[3] != want {
		t.Errorf("progress %q, want %q last", lines, want)
	}
	if text := stopped.String(); !strings.Contains(text, "4 bootstrap draws") || !strings.Contains(text, "interrupted") {
		t.Error(text)
	}

	file := filepath.Join(t.TempDir(), "mixture.json")
	if err := f.Save(file); err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadMixture(file)
	if err != nil {
		t.Fatal(err)
	}
	for want, e := range map[string]*MixtureErrors{
		"without data":    loaded.Bootstrap(0, 0),
		"without EM":      s.Mixture(3, MixtureOptions{MomentsOnly: true}).Bootstrap(0, 0),
		"at least 2":      f.Bootstrap(1, 0),
		"no observations": FromRows(nil).Mixture(2, MixtureOptions{}).Bootstrap(0, 0),
	} {
		if e.Err() == nil || !strings.Contains(e.Err().Error(), want) || !strings.Contains(e.String(), want) {
			t.Errorf("got %v, want %q", e, want)
		}
	}
}
