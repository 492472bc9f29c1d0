package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// Fits that the automatic one is compared with.
const (
	otherStarts     = 20
	otherSeed       = 12345
	otherIterations = 200 // what is reached then is a fit, too
	restartSteps    = 200
	leastIterations = 30
)

// affordable returns a number of iterations, fewer for large tables and ranks: of
// L-BFGS, which takes most of the time, and of restarts.
func (q *question) affordable(most int, numbers float64) int {
	return max(leastIterations, min(most, int(numbers/(float64(q.p)*float64(q.n)*float64(q.r)))))
}

// allPairs is the largest number of observations of which ||X||^2 is summed pair by
// pair, and pairOps the most multiplications for the check of an estimate.
const (
	allPairs = 3000
	pairOps  = 1e11
)

// verdict is the outcome of a seed.
type verdict struct {
	q       *question
	refused string            // the kind of error, or ""
	faults  map[string]string // by check
	warned  float64           // how much better another fit was, if a warning covers it

	fits     []judged
	norm     symmom.Norm
	gain     float64 // the largest from a restart, relative to the residual
	gainer   string  // the fit that gained it
	estimate bool    // ||X||^2 was estimated, and compared with all pairs
}

func (v *verdict) fail(check, fault string) {
	if fault != "" && v.faults[check] == "" {
		v.faults[check] = fault
	}
}

// examine fits what a seed asks and checks the fits. Its error is the judge's own.
func examine(ctx context.Context, seed uint64) (v *verdict, err error) {
	v = &verdict{q: ask(seed), faults: map[string]string{}}
	dir, err := os.MkdirTemp("", "symmom-fits-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path, err := v.q.write(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			v.fail(checkSane, fmt.Sprintf("panic: %v", p))
		}
	}()
	v.examine(ctx, path)
	return v, ctx.Err()
}

func (v *verdict) examine(ctx context.Context, path string) {
	q := v.q
	s := q.open(path).WithContext(ctx)
	x := q.values()
	if q.standardize {
		x = standardized(x, q.w)
	}
	m := s.Moment(q.d).With(symmom.Options{Threads: 1})
	auto := m.Decompose(q.r)
	if auto.Err() != nil {
		v.refuse(auto.Err(), x)
		return
	}
	if !q.stream() {
		v.fail(checkSane, v.held(s.Matrix().Dense, x))
		x = s.Matrix().Dense // standardized in single precision
	}
	t := newTable(x, q.w, q.d)
	plain := q.plain(x).WithContext(ctx)
	others := plain
	if q.storage == inFloat32 { // its kernels
		others = s
	}
	v.add(t, "automatic", auto)
	for _, solver := range []string{symmom.SolverGaussNewton, symmom.SolverLBFGS} {
		name := "implicit " + string(solver)
		o := symmom.Options{Starts: otherStarts, Seed: otherSeed, Solver: solver, MaxIterations: otherIterations, Threads: 1}
		if solver == symmom.SolverLBFGS {
			o.MaxIterations = q.affordable(otherIterations, 2e8)
		}
		fit := others.Moment(q.d).Implicit().With(o).Decompose(q.r)
		if fit.Err() != nil {
			v.fail(checkSane, fmt.Sprintf("%s: %v", name, fit.Err()))
			continue
		}
		v.add(t, name, fit)
	}
	var fault string
	v.warned, fault = best(v.fits[0], v.fits[1:])
	v.fail(checkBest, fault)

	v.norm = auto.NormSquared
	lengths, pairs := t.lengths(), math.NaN()
	switch {
	case q.p <= allPairs:
		pairs = t.norm()
	case !v.norm.Exact() && float64(q.n)*float64(q.p)*float64(q.p)/2 <= pairOps:
		pairs, v.estimate = t.normFast(), true
	}
	for _, j := range v.fits {
		v.fail(checkSane, finite(j.name, j.fit))
		v.fail(checkF, t.objectiveRight(j))
		norm := math.NaN() // not known, or out of range
		if n := j.fit.NormSquared.Value; n > 1e-290 && n < math.MaxFloat64 {
			norm = t.into(n)
		}
		if !math.IsNaN(pairs) {
			v.fail(checkNorm, t.normRight(j.name, j.fit.NormSquared, pairs, lengths))
		}
		if q.p <= allPairs && j.fit.NormSquared.Exact() {
			norm = pairs
		}
		if math.IsNaN(norm) {
			continue
		}
		v.fail(checkRelative, t.relativeRight(j, norm))
		if j.fit.Status == symmom.StatusConverged {
			v.restart(t, plain, j, norm)
		}
	}
	v.fail(checkEvaluate, t.evaluationRight(v.fits[0], m.Evaluate(auto.Model)))
	for _, j := range v.fits[1:] {
		v.fail(checkEvaluate, t.evaluationRight(j, others.Moment(q.d).Implicit().With(symmom.Options{Seed: otherSeed, Threads: 1}).Evaluate(j.fit.Model)))
	}
	// From the file again: nothing that was kept may matter.
	again := q.open(path).WithContext(ctx).Moment(q.d).With(symmom.Options{Threads: 3}).Decompose(q.r)
	if again.Err() != nil {
		v.fail(checkBits, fmt.Sprintf("with three threads: %v", again.Err()))
	} else {
		v.fail(checkBits, same(auto, again))
	}
}

func (v *verdict) add(t *table, name string, f *symmom.Fit) {
	v.fits = append(v.fits, judge(t, name, f))
}

// restart solves again from the model of a converged fit, with a tight tolerance.
func (v *verdict) restart(t *table, plain *symmom.Session, j judged, norm float64) {
	model, err := symmom.NewModel(v.q.d, j.fit.Model.Lambda, j.fit.Model.Factors)
	if err != nil {
		v.fail(checkRestart, fmt.Sprintf("%s: its model: %v", j.name, err))
		return
	}
	o := symmom.Options{InitialModel: model, Tolerance: 1e-9, RelativeDecrease: -1, MaxIterations: v.q.affordable(restartSteps, 2e9), Threads: 1}
	fit := plain.Moment(v.q.d).Implicit().With(o).Decompose(v.q.r)
	again := judged{fit: fit}
	if fit.Err() == nil {
		again = judge(t, "", fit)
	}
	gain, fault := t.restarted(j, again, math.Max(norm+j.f, rounded*j.gross))
	if gain > v.gain {
		v.gain, v.gainer = gain, j.name
	}
	v.fail(checkRestart, fault)
}

// held checks the numbers of a session against the judge's.
func (v *verdict) held(has, want *mat.Dense) string {
	p, n := want.Dims()
	if a, b := has.Dims(); a != p || b != n {
		return fmt.Sprintf("the session has %d x %d numbers", a, b)
	}
	slack := 0.
	if v.q.standardize {
		slack = 1e-9
		if v.q.storage == inFloat32 {
			slack = 1e-5
		}
		if v.q.offset > 0 {
			slack *= 100
		}
	}
	for l := range p {
		for i, w := range want.RawRowView(l) {
			if h := has.At(l, i); !(math.Abs(h-w) <= slack*(1+math.Abs(w))) {
				return fmt.Sprintf("the session has %.17g in row %d, column %d, in place of %.17g", h, l, i, w)
			}
		}
	}
	return ""
}

// refuse judges an error: whether the question is one to refuse.
func (v *verdict) refuse(err error, x *mat.Dense) {
	q, text := v.q, err.Error()
	v.refused = kindOf(text)
	if strings.ContainsAny(text, "\n") || strings.Contains(text, "NaN") || strings.Contains(text, "panic") {
		v.fail(checkSane, "error: "+text)
	}
	top := max(mat.Max(x), -mat.Min(x))
	sane := false
	switch {
	case strings.Contains(text, "is zero to within rounding"):
		if q.p <= allPairs {
			t := newTable(x, q.w, q.d)
			sane = math.Abs(t.norm()) <= 1e-11*t.lengths()
		} else {
			sane = q.kind.name == "symmetric" && q.d%2 == 1
		}
	case strings.Contains(text, "every value is zero"):
		sane = top == 0
	case q.storage == inFloat32:
		sane = max(mat.Max(q.x), -mat.Min(q.x)) > math.MaxFloat32
	}
	if !sane {
		v.fail(checkSane, "refused without need: "+text)
	}
}

var (
	numbers = regexp.MustCompile(`[-+]?\d+(,\d{3})*(\.\d+)?(e[-+]?\d+)?`)
	places  = regexp.MustCompile(`/\S*/data\.(npy|csv)`)
)

// kindOf returns an error's text without numbers and names.
func kindOf(text string) string {
	return numbers.ReplaceAllString(places.ReplaceAllString(text, "FILE"), "N")
}
