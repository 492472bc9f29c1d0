package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"symmom/symmom"
)

// realData are scikit-learn's data sets with known classes.
var realData = []string{"wine", "breast_cancer", "iris", "digits"}

var gaussianShapes = []string{symmom.CovarianceSpherical, symmom.CovarianceTied, symmom.CovarianceDiagonal, symmom.CovarianceFull}

// realSeeds is the number of seeds: the data are the same for all.
func (b *bench) realSeeds() uint64 { return min(3, b.seeds) }

// sameIndex is a difference between two adjusted Rand indices that is not
// meaningful: one of the 178 observations of wine changes the index by .017.
const sameIndex = .02

// realRuns are the adjusted Rand indices, the values that chose between
// covariances, and the share of the smallest component, over the seeds.
type realRuns struct{ Index, LogLikelihood, BIC, Least sample }

func (r *realRuns) see(index float64, f gaussianFit) {
	r.Index, r.LogLikelihood, r.BIC = append(r.Index, index), append(r.LogLikelihood, f.LogLikelihood), append(r.BIC, f.BIC)
	r.Least = append(r.Least, slices.Min(f.Weights))
}

// gmmReal compares labels on real data.
func (b *bench) gmmReal() (*section, error) {
	s := &section{title: "Real data", header: []string{"data", "covariance", "symmom", "GaussianMixture", "KMeans", "log-likelihood, symmom", "GaussianMixture's", "lower, because", "index below, because"}}
	s.note("adjusted Rand index of the labels with the known classes, as many components as there are classes; medians of %d seeds; log-likelihood: of an observation; wine, breast_cancer and iris standardized, digits as they are", b.realSeeds())
	s.note("a difference of less than %g is not called one; \"likelihood prefers it\": symmom's mixture has fewer labels right and the higher likelihood, so that this covariance does not fit the classes; \"by BIC\": of the covariance that has the lowest BIC, on either side", sameIndex)
	s.note("a full covariance of n variables that was fitted to n + 2 observations or fewer gives others no finite expected log-likelihood, so symmom takes another mixture, though the likelihood of the observations themselves is higher there, and rises without bound the fewer they are")
	for _, name := range realData {
		if err := b.realRows(s, name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

// realFits are the fits of all seeds to one data set.
type realFits struct {
	P, N, Classes int
	KMeans        sample
	Ours, Theirs  []realRuns // by covariance
}

func (b *bench) realFits(name string) (all realFits, err error) {
	path := filepath.Join(b.dir, name+".npy")
	if err := b.peer.ask(request{"do": "dataset", "name": name, "path": path}, &all); err != nil {
		return all, err
	}
	r := all.Classes
	x := symmom.Load(path).WithContext(b.ctx)
	index := func(labels []int) (float64, error) {
		var a struct{ Index float64 }
		err := b.peer.ask(request{"do": "rand", "labels": labels}, &a)
		return a.Index, err
	}
	all.Ours, all.Theirs = make([]realRuns, len(gaussianShapes)), make([]realRuns, len(gaussianShapes))
	for seed := range b.realSeeds() {
		f, err := b.theirGaussian(methodKMeans, r, "", seed+1)
		if err != nil {
			return all, err
		}
		v, err := index(f.Labels)
		if err != nil {
			return all, err
		}
		all.KMeans = append(all.KMeans, v)
		for i, covariance := range gaussianShapes {
			f, fit, err := ourGaussian(x, r, symmom.MixtureOptions{Covariance: covariance, Seed: seed + 1})
			if err != nil {
				return all, fmt.Errorf("%s: %w", covariance, err)
			}
			if f.Labels, err = fit.Predict(x); err != nil {
				return all, err
			}
			g, err := b.theirGaussian(methodGaussian, r, covariance, seed+1)
			if err != nil {
				return all, err
			}
			for _, side := range []struct {
				runs *realRuns
				fit  gaussianFit
			}{{&all.Ours[i], f}, {&all.Theirs[i], g}} {
				if v, err = index(side.fit.Labels); err != nil {
					return all, err
				}
				side.runs.see(v, side.fit)
			}
		}
		progress("%s, seed %d", name, seed+1)
	}
	return all, nil
}

func (b *bench) realRows(s *section, name string) error {
	all, err := kept(b, fmt.Sprintf("%s, %d seeds", name, b.realSeeds()), func() (realFits, error) { return b.realFits(name) })
	if err != nil {
		return err
	}
	kmeans, ours, theirs := all.KMeans, all.Ours, all.Theirs
	about := fmt.Sprintf("%s, %d x %d, %d classes", name, all.P, all.N, all.Classes)
	var best [2]float64
	for i, covariance := range gaussianShapes {
		o, g := ours[i], theirs[i]
		s.row(about, covariance, fmt.Sprintf("%.3f", o.Index.median()), fmt.Sprintf("%.3f", g.Index.median()), fmt.Sprintf("%.3f", kmeans.median()),
			fmt.Sprintf("%.4f", o.LogLikelihood.median()), fmt.Sprintf("%.4f", g.LogLikelihood.median()), whyLower(o, g, covariance, all.P, all.N, name == "digits"), whyBelow(o, g, kmeans))
		about = ""
		best[0], best[1] = math.Max(best[0], o.Index.median()), math.Max(best[1], g.Index.median())
	}
	o, g := chosenByBIC(ours), chosenByBIC(theirs)
	s.row("", "by BIC: "+gaussianShapes[o]+", "+gaussianShapes[g], fmt.Sprintf("%.3f", ours[o].Index.median()), fmt.Sprintf("%.3f", theirs[g].Index.median()), fmt.Sprintf("%.3f", kmeans.median()), "", "", "", "")
	s.judge(atLeast(name+": adjusted Rand index by BIC, over GaussianMixture's", ours[o].Index.median()-theirs[g].Index.median(), -sameIndex, "%.3f"))
	s.judge(atLeast(name+": adjusted Rand index of the best covariance, over the best of GaussianMixture and KMeans", best[0]-math.Max(best[1], kmeans.median()), -sameIndex, "%.3f"))
	return nil
}

// whyLower explains why the likelihood of symmom is lower than GaussianMixture's,
// if it is. Values that are whole numbers have a larger bound of variances in symmom.
func whyLower(o, g realRuns, covariance string, p, n int, whole bool) string {
	few := g.Least.median() * float64(p)
	switch {
	case o.LogLikelihood.median() >= g.LogLikelihood.median()-likelihoodSlack:
		return ""
	case whole:
		return "the bound of variances is that of whole numbers"
	case covariance == symmom.CovarianceFull && few < float64(n+3):
		return fmt.Sprintf("GaussianMixture has a component of %.0f observations", few)
	}
	return "its starts found a better one"
}

// whyBelow explains why fewer labels of symmom are right than of the others, if so.
func whyBelow(o, g realRuns, kmeans sample) string {
	mine, gaussian := o.Index.median(), g.Index.median()
	switch likely := o.LogLikelihood.median() >= g.LogLikelihood.median()-likelihoodSlack; {
	case mine >= math.Max(gaussian, kmeans.median())-sameIndex:
		return ""
	case likely:
		return "likelihood prefers it"
	case mine >= gaussian-sameIndex:
		return "GaussianMixture has no more, either"
	}
	return "**its likelihood is lower**"
}

// chosenByBIC returns the index of the covariance with the lowest median BIC.
func chosenByBIC(runs []realRuns) (best int) {
	for i, r := range runs {
		if r.BIC.median() < runs[best].BIC.median() {
			best = i
		}
	}
	return best
}
