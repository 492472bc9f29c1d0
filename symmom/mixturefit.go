package symmom

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/gmm"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
)

// MixtureOptions configure the fit of a Gaussian mixture. The zero value of every
// field is its documented default.
type MixtureOptions struct {
	// Covariance of the components: "spherical" (default), one variance each;
	// "tied", one matrix for all; "diag", n variances each; "full", one matrix
	// each. Session.Mixtures takes several: "diag,full".
	Covariance string

	// MomentsOnly leaves out the polish by EM: the mixture is that of the moments
	// of order 1, 2 and 3, with one covariance for all components; of "diag", where there are
	// enough, that of their entries with distinct indices.
	MomentsOnly bool

	// Nonparametric assumes no form of the distributions within components, but that variables are
	// independent there: see Session.Mixture. Covariance is "diag" then, RegCovar and Tolerance are not used,
	// and Starts (default 5) is how many of the best fits of the moments are polished.
	Nonparametric bool

	// Converge runs the EM polish until it converges also for data on disk, however many
	// passes that takes. Default: until it converges for data in memory, ten passes
	// at most for data on disk.
	Converge bool

	// Starts is the number of k-means++ starts that EM tries besides that of the moments; as many
	// are fits of moments over distinct indices, where these tell enough, until three agree; and
	// as many are scattered, if the table has at most 65,536 numbers, and two observations or more
	// for each parameter. With these observations they are made in rounds of five, and components of the
	// best mixtures of a round are exchanged while that finds better ones. Default (0): five, and
	// as many rounds as it takes until three of all found the best mixture, up to 100 or what takes some
	// ten seconds; ten where its likelihood has no maximum, or it has fewer than two observations for each
	// parameter, and of several mixtures (Mixtures). Negative: none.
	Starts int
	open   bool // it was left open

	// Seed of the starts. Default (0) is seed 1.
	Seed uint64

	// Tolerance ends EM once the log-likelihood is expected to rise by less than this
	// for each observation. Default (0): 1e-10 if the table has at most 65,536 numbers, else
	// 1e-6.
	Tolerance float64

	// RegCovar is the least variance of a component in any direction, in squared units of the
	// data. Default (0): 1e-6 of the mean variance of a variable; and where a variable takes few
	// values, h apart, h^2 / (2 pi) of it, so that no density exceeds 1 / h. A number above 0 replaces
	// both. It is a bound, where scikit-learn's reg_covar is added.
	RegCovar float64

	// MaxIterations of EM. Default 1,000; for data on disk ten, unless Converge is set.
	MaxIterations int

	// Threads is the number of processor cores to use. Default: all. Results
	// are the same bits for any number.
	Threads int

	// MemoryLimit in bytes for copies of the observations besides the data.
	// Default: three quarters of the memory that is free.
	MemoryLimit uint64

	// Progress, if set, is called when something new begins and after every step
	// of EM, whose log-likelihood is Progress.Objective.
	Progress func(Progress)
}

// Default values of MixtureOptions.
const (
	DefaultMixtureTolerance  = 1e-10 // of tables of at most 65,536 numbers; 1e-6 of larger ones
	DefaultMixtureIterations = 1000
)

// Names of the covariances (MixtureOptions.Covariance).
const (
	CovarianceSpherical = "spherical"
	CovarianceTied      = "tied"
	CovarianceDiagonal  = "diag"
	CovarianceFull      = "full"
)

var covariances = []string{CovarianceSpherical, CovarianceTied, CovarianceDiagonal, CovarianceFull}

// withDefaults replaces zero values by defaults and checks the others.
func (o MixtureOptions) withDefaults() (MixtureOptions, error) {
	if o.Nonparametric {
		switch {
		case o.Covariance != "" && o.Covariance != CovarianceDiagonal:
			return o, &ArgumentError{Argument: "Covariance", Value: o.Covariance, Want: "\"diag\" or nothing with Nonparametric, whose components have independent variables"}
		case o.RegCovar != 0 || o.Tolerance != 0:
			return o, &ArgumentError{Argument: "RegCovar and Tolerance", Value: fmt.Sprintf("%g and %g", o.RegCovar, o.Tolerance), Want: "0 with Nonparametric, where no covariance is fitted and steps end when means settle"}
		}
		o.Covariance = CovarianceDiagonal
	}
	if err := oneOf(&o.Covariance, "Covariance", covariances...); err != nil {
		return o, err
	}
	o.Converge = o.Converge || o.MaxIterations > 0
	if err := setDefaults(&o.Seed, &o.Threads, whole{&o.MaxIterations, "MaxIterations", DefaultMixtureIterations}); err != nil {
		return o, err
	}
	if o.open = o.Starts == 0; o.open {
		o.Starts = DefaultStarts
	}
	o.Starts = max(0, o.Starts)
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0) {
		return o, &ArgumentError{Argument: "Tolerance", Value: o.Tolerance, Want: "a finite number above 0, or 0 for the default"}
	}
	if !(o.RegCovar >= 0) || math.IsInf(o.RegCovar, 0) {
		return o, &ArgumentError{Argument: "RegCovar", Value: o.RegCovar, Want: "a finite number above 0, or 0 for the default"}
	}
	return o, nil
}

func (o MixtureOptions) shape() gmm.Shape {
	return gmm.Shape(slices.Index(covariances, o.Covariance))
}

// Mixture is a Gaussian mixture, or a nonparametric one, that was fitted to data. The fields of a
// failed fit are zero, and Err says why; an interrupted fit has both a usable
// mixture and an error that wraps ErrInterrupted, unless nothing was found yet.
// Methods compute with the mixture as it was found: changed fields change what String
// shows, and with Names, Coordinates, Center and Scale which data they take.
type Mixture struct {
	Result // Err, String and HTML

	Components    int          // r
	N             int          // variables
	Observations  int          // p
	Covariance    string       // "spherical", "tied", "diag" or "full"
	Nonparametric bool         // no form was assumed of distributions: there is no BIC
	Means         *NamedMatrix // n x r, one component a column, the heaviest first
	Weights       []float64    // r, of sum 1
	// Sigma is the root of the mean variance of a variable within components.
	Sigma float64

	LogLikelihood float64 // of all observations, weights with mean 1, natural logarithm; NaN if interrupted before it was known
	BIC           float64 // -2 LogLikelihood + Parameters log p: the lower the better
	ICL           float64 // BIC - 2 sum log z of the responsibilities z of the most likely components (Biernacki, Celeux & Govaert 2000); NaN from a file
	Parameters    int     // that are free
	Comparable    bool    // by BIC with others: see Mixtures.Best

	// Coordinates that means and covariances are in: "" for the data's own,
	// "centered", "standardized" or "whitened", as the session was.
	Coordinates string
	// Center was subtracted from the variables, which were then divided by Scale; n numbers each,
	// nil if not.
	Center, Scale []float64

	// Start says where the mixture was found from: "moments", "moments 3" (over distinct indices),
	// "k-means++ 3" or "scattered 3", whose components may have been exchanged.
	Start      string
	Converged  bool // EM ended because the log-likelihood rose no more
	Iterations int  // of EM on all observations
	DataPasses int  // over all observations
	AtBest     int  // starts that ended at this mixture
	Starts     int  // that EM tried; 0 from a file
	Elapsed    time.Duration
	Names      []string // of the variables
	Warnings   []Warning

	gmm                 *gmm.Mixture   // in the data's coordinates
	densities           *gmm.Densities // nil of a Gaussian mixture
	options             MixtureOptions
	least               []float64 // of the variance of each variable within components; nil from a file
	moved               frame.Move
	session             *Session
	source, fingerprint string // of the data, from a file
}

// Mixture fits a mixture of r Gaussian components: means, weights on the
// simplex and covariances.
//
// The moments of orders 1, 2 and 3 give the start. The third moment about the
// overall mean is free of a common spherical covariance, and in the r-1 leading
// eigenvectors of the covariance it determines all means. With a constant t
// appended to each observation, moments of all orders up to 3 are entries of one,
//
//	X = sum_j w_j (mu_j, t)^(x 3),
//
// and its r components, which are independent if no mean lies in the affine span of
// the others, give means and weights at once: mu = t a / a_t, w = lambda a_t^3/t^3
// (after Hsu & Kakade 2013). The noise is the mean of the n-r+1 smallest
// eigenvalues of the covariance.
//
// For spherical and diagonal covariances the entries of the moments whose indices all differ,
//
//	E[x_i x_k x_l] = sum_j w_j mu_ij mu_kj mu_lj,
//
// hold whatever the variances of the components are, and whatever their distributions, if the
// variables are independent within components (Zhang & Kileel 2022). Where orders 1 to 3, or 1 to 4,
// have twice as many of them as there are unknowns, fits of these by Levenberg and Marquardt's method
// give more starts.
//
// EM polishes the likelihood from there and from k-means++ starts; for small tables also from
// means of four observations, with different variances ("scattered"). For spherical
// covariances and many variables it first runs in the leading eigenvectors, besides
// which only the distance from their span matters, then on all of the data. Between
// passes over many observations EM continues on some of them, corrected by the sums
// over all from the last pass, so that few passes are needed. The log-likelihood
// never falls.
//
// The likelihood is unbounded if a component shrinks onto repeated values, or onto a few
// observations. Variances therefore have a lower bound (MixtureOptions.RegCovar). Mixtures on
// the bound, with a component that only repeated values separate from another, or with a component of
// too few observations, are set aside in favour of others, among starts and among numbers of
// components (Mixtures). Among starts a component that many observations make narrower than the bound
// is accepted, and the expected likelihood of other observations counts. WarnSetAside reports starts of a
// higher likelihood that were set aside, WarnLeastVariance and WarnFewMembers such a mixture if no
// better one was found.
//
// With Nonparametric nothing is assumed of the distributions of the variables within components, but that
// they are independent. Fits of these moments give means and weights; the densities of variable i follow from
//
//	E[1_c(x_i) x_k x_l] = sum_j w_j E_j[1_c(x_i)] mu_kj mu_lj,  k, l != i,
//
// linear equations for the shares of the components in each of 256 cells (Zhang & Kileel 2022), smoothed by
// normal kernels; and steps like those of EM, with these densities, polish all of them (Benaglia, Chauveau &
// Hunter 2009), with the kernels that predict observations best; values that many observations have are not smoothed.
// MomentsOnly leaves these steps out. The best likelihood of Starts fits is kept. It is that of densities that are
// constant in cells, and compares with no Gaussian mixture's where values are tied. Compare numbers of components by
// LogLikelihoodOf observations that were not fitted. WarnDependent, WarnOverlap and WarnFewMembers say where it is not
// to be trusted. A step is one pass of 6 p n r operations.
//
// Cost: two passes, of p n^2 and p n r^2 operations (for many variables four
// cheaper ones in place of the first), and 4 p n r per iteration of EM, 8 p n r for
// diag, 4 p n^2 r for full.
func (s *Session) Mixture(r int, options ...MixtureOptions) *Mixture {
	began := time.Now()
	f := made(&Mixture{Means: noMatrix(nil), session: s, Result: Result{err: s.Err()}})
	if f.err != nil {
		return f
	}
	o, err := completed(options, MixtureOptions.withDefaults)
	if f.err = err; err != nil {
		return f
	}
	if f.err = s.checkMixture(r); f.err != nil {
		return f
	}
	if o.Nonparametric && s.far() {
		f.err = fmt.Errorf("mixture: %s: a nonparametric mixture reads the observations themselves, and only sums come from there: load or stream a part of them", s.data.Source)
		return f
	}
	f.tryOthers(f.run(r, o, nil, nil, began))
	f.Elapsed = time.Since(began)
	return f
}

// run fits, from a given mixture or from the moments, with the spread of the data if that is
// known, and returns it.
func (f *Mixture) run(r int, o MixtureOptions, given *gmm.Mixture, spread *tables.Spread, began time.Time) *tables.Spread {
	s := f.session
	f.options = o
	found, err := gmm.Fit(s.context(), s.data, r, &gmm.Options{Shape: o.shape(), MomentsOnly: o.MomentsOnly, Nonparametric: o.Nonparametric, Unlimited: o.Converge,
		Starts: o.Starts, Open: o.open, Seed: o.Seed, Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, RegCovar: o.RegCovar, Threads: o.Threads, MemoryLimit: o.MemoryLimit,
		Given: given, Spread: spread, Progress: reports(s.watcher(o.Progress), began)})
	f.Start, f.Converged, f.Iterations, f.DataPasses, f.AtBest, f.Starts = found.Start, found.Converged, found.Iterations, found.Passes, found.Hits, found.Tried
	if g := found.Mixture; g != nil {
		f.Names = s.Columns()
		f.describe(g)
		f.setDensities(found.Densities)
		f.Observations, f.Coordinates = s.data.P, s.coordinates
		f.Center, f.Scale = slices.Clone(s.move.Center), slices.Clone(s.move.Scale)
		f.moved, f.least = s.move, found.Least
		if o.MomentsOnly && g.Shape != gmm.Tied && !o.Nonparametric { // they have one covariance
			f.Parameters -= (g.R - 1) * g.OwnParameters()
		}
		f.scored(found.LogLikelihood, found.Overlap)
		f.Warnings = warned(slices.Concat(s.data.Warnings, s.classCodes(), found.Warnings)...)
	}
	f.err = interrupted("mixture", err)
	f.Elapsed = time.Since(began)
	return found.Spread
}

// checkMixture refuses invalid arguments.
func (s *Session) checkMixture(r int) error {
	switch {
	case s.data.Forgotten() != nil:
		return fmt.Errorf("mixture: %w", s.data.Forgotten())
	case r < 1:
		return &ArgumentError{Argument: "components", Value: r, Want: "at least 1"}
	case r >= s.data.P:
		return &ArgumentError{Argument: "components", Value: r, Want: fmt.Sprintf("fewer than the %s observations", words.Count(s.data.P))}
	}
	return nil
}

// describe sets the fields that describe the mixture itself.
func (f *Mixture) describe(g *gmm.Mixture) {
	f.gmm, f.Components, f.N, f.Covariance = g, g.R, g.N, covariances[g.Shape]
	f.Weights = slices.Clone(g.Weights)
	f.Means = f.means()
	f.Sigma = math.Sqrt(g.MeanVariance())
	f.Parameters = g.Parameters()
}

// setDensities sets those of a nonparametric mixture; nil of a Gaussian one.
func (f *Mixture) setDensities(d *gmm.Densities) { f.densities, f.Nonparametric = d, d != nil }

// classifier returns what tells the components of observations.
func (f *Mixture) classifier() gmm.Classifier {
	if f.densities != nil {
		return f.densities
	}
	return f.gmm
}

// scored sets the log-likelihood, and BIC and ICL for the parameters and observations that are set.
func (f *Mixture) scored(logLikelihood, overlap float64) {
	f.LogLikelihood = logLikelihood
	f.BIC = -2*logLikelihood + float64(f.Parameters)*math.Log(float64(f.Observations))
	f.ICL = f.BIC + 2*overlap
	if f.Nonparametric {
		f.BIC, f.ICL, f.Parameters = math.NaN(), math.NaN(), 0
	}
}

// means returns the means as they were found, n x r. Entries more than a standard deviation of
// the variable from its mean are marked.
func (f *Mixture) means() *NamedMatrix {
	g := f.gmm
	d := mat.DenseCopyOf(mat.NewDense(g.R, g.N, g.Means).T())
	m := components(d, f.Names)
	mean, deviation := make([]float64, g.N), make([]float64, g.N)
	for i := range mean {
		for j, w := range g.Weights {
			mean[i] += w * d.At(i, j)
		}
		for j, w := range g.Weights {
			deviation[i] += w * (g.Variance(j, i) + (d.At(i, j)-mean[i])*(d.At(i, j)-mean[i]))
		}
		deviation[i] = math.Sqrt(deviation[i])
	}
	m.byRow = true
	m.above = [][]string{append([]string{"weight"}, words.Aligned(g.Weights)...)}
	if g.Shape == gmm.Spherical {
		m.above = append(m.above, append([]string{"deviation"}, words.Aligned(f.Deviations().RawRowView(0))...))
	}
	m.marked, m.weight = true, func(i, j int) float64 { return math.Abs(d.At(i, j)-mean[i]) / deviation[i] }
	m.note = mark + " more than a standard deviation from the variable's mean"
	return m
}

// Session returns the session that the mixture was fitted to; for a mixture from a
// file, an empty one whose Err says so. A fit keeps its data in memory.
func (f *Mixture) Session() *Session { return cmp.Or(f.session, &Session{}) }

// CovarianceOf returns the covariance of component j, counted from 0, n x n.
func (f *Mixture) CovarianceOf(j int) *mat.SymDense {
	if f.gmm == nil || j < 0 || j >= f.gmm.R {
		return &mat.SymDense{}
	}
	s := make([]float64, f.gmm.N*f.gmm.N)
	f.gmm.Matrix(s, j)
	return mat.NewSymDense(f.gmm.N, s)
}

// Deviations returns the standard deviation of each variable within each component, n x r.
func (f *Mixture) Deviations() *NamedMatrix {
	if f.gmm == nil {
		return noMatrix(f.empty())
	}
	m := components(mat.NewDense(f.gmm.N, f.gmm.R, nil), f.Names)
	m.over, m.byRow = "deviation", true
	if f.Means != nil {
		m.weight = f.Means.weight
	}
	for i := range f.gmm.N {
		for j := range f.gmm.R {
			m.Dense.Set(i, j, math.Sqrt(f.gmm.Variance(j, i)))
		}
	}
	return m
}

// Covariances returns the numbers that describe the covariances: for each component
// a row of one variance ("spherical") or of n ("diag"); n rows ("tied"); or r times
// n rows ("full").
func (f *Mixture) Covariances() *mat.Dense {
	if f.gmm == nil {
		return &mat.Dense{}
	}
	columns := f.gmm.N
	if f.gmm.Shape == gmm.Spherical {
		columns = 1
	}
	return mat.NewDense(len(f.gmm.Cov)/columns, columns, slices.Clone(f.gmm.Cov))
}
