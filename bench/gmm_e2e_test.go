//go:build e2e

package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/symmom"
)

// Both sides' log-likelihoods are of the same density: scikit-learn computes
// symmom's value from symmom's parameters, for every covariance.
func TestLikelihoodIsTheirs(t *testing.T) {
	b := &bench{ctx: t.Context(), dir: t.TempDir(), quick: true}
	var err error
	if b.peer, err = startPeer(context.Background(), os.Getenv("SYMMOM_PYTHON"), b.dir, gmmSource, -1, 1); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.peer.close(); err != nil {
			t.Error(err)
		}
	}()
	g := gaussianData{n: 8, p: 1000, sigma: .3}
	x, truth, err := g.draw(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, covariance := range []string{symmom.CovarianceSpherical, symmom.CovarianceTied, symmom.CovarianceDiagonal, symmom.CovarianceFull} {
		path := filepath.Join(b.dir, "data.npy")
		if err := symmom.SaveMatrix(path, x); err != nil {
			t.Fatal(err)
		}
		if err := b.peer.ask(request{"do": "load", "path": path}, nil); err != nil {
			t.Fatal(err)
		}
		f, _, err := ourGaussian(symmom.FromMatrix(x), gaussians, symmom.MixtureOptions{Covariance: covariance})
		if err != nil {
			t.Fatal(err)
		}
		var theirs struct{ LogLikelihood float64 }
		if err := b.peer.ask(request{"do": "judge", "covariance": covariance, "weights": f.Weights, "means": f.Means, "covariances": f.Covariances}, &theirs); err != nil {
			t.Fatal(err)
		}
		if math.Abs(theirs.LogLikelihood-f.LogLikelihood) > 1e-10*math.Abs(f.LogLikelihood) {
			t.Errorf("%s: log-likelihood %.12g, scikit-learn's of the same mixture %.12g", covariance, f.LogLikelihood, theirs.LogLikelihood)
		}
		for _, method := range []string{methodKMeans, methodGaussian} {
			f, err := b.theirGaussian(method, gaussians, covariance, 1)
			if err != nil {
				t.Fatal(err)
			}
			// Means of norm 1 and cosine .5 are 3.3 sigma apart: about 200
			// observations determine each of them to .3 sqrt(8/200) = .06.
			if e, _ := judgeMeans(f.Means, truth); len(f.Labels) != g.p || !(e < .3) {
				t.Errorf("%s, %s: %d labels, error of means %g", method, covariance, len(f.Labels), e)
			}
		}
	}
	if _, err := b.theirGaussian(methodGaussian, gaussians, "round", 1); err == nil || !strings.Contains(err.Error(), "round") {
		t.Errorf("a covariance that is none: %v", err)
	}
}

// The whole program, with one section; the test does not judge the measurements.
func TestRunWritesTheMixtures(t *testing.T) {
	out := filepath.Join(t.TempDir(), "mixtures.md")
	if err := run(t.Context(), []string{"gmm", "-seeds", "1", "-only", "diag", "-out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Gaussian mixtures: symmom beside scikit-learn", "peer: scikit-learn 1.", "few seeds", "## Unequal diagonal covariances", "| GaussianMixture |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
