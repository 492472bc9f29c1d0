package topics

import (
	"cmp"
	"context"
	"math"
	"slices"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Options control how topics are found. All of them must be set but Concentration and Progress.
type Options struct {
	Topics        int     // 0: as many as stand out from the noise of the second moment
	Concentration float64 // 0: estimated
	Starts        int     // random rotations
	Seed          uint64
	MomentsOnly   bool
	MaxIterations int // of the polish
	Tolerance     float64
	Threads       int
	Progress      progress.Func
}

// Result are topics, the one with the largest weight first.
type Result struct {
	Topics        []float64 // k x n, each of sum 1
	Weights       []float64 // k, of sum 1
	Concentration float64
	Prior         float64   // eta; 0 without a polish
	Cut           []float64 // k: shares of the moments' topics that were negative
	Iterations    int       // of the polish
	Converged     bool
	Above         int  // topics that stand out from the noise of the second moment
	given         bool // the concentration
	unknown       bool // or neither given nor told by the documents
	Shown         int  // topics that the second moment shows; below Options.Topics there is no result
}

// Bytes returns what a search for k topics, 0 for an open number, takes besides the documents: the
// basis, the third moment four times, the topics and their sums, and the counts of documents by topic.
func Bytes(x block.Source, k int) float64 {
	p, n := x.Shape()
	if k == 0 {
		k = min(mostTopics, n, p)
	}
	documents, words, topics := float64(p), float64(n), float64(k+7)
	kept := documents * topics * 8
	if _, far := x.(block.Far); far || kept > KeptBytes {
		kept = 0
	}
	return 8*words*(8*(topics+eigen.ExtraColumns)+6*topics) + 4*8*topics*topics*topics + min(sumBytes, 8*block.MaxGroups*words*topics) + kept
}

// firstPrior is eta before it is known: that of topics with few words.
const firstPrior = .05

// Find finds topics. When ctx is cancelled it returns what it has, if it has topics, and the
// error of ctx.
func Find(ctx context.Context, d *Documents, o Options) (*Result, error) {
	var last progress.Report
	tell := func(r progress.Report) {
		if last = r; o.Progress != nil {
			r.Rank, r.Remaining = o.Topics, -1
			o.Progress(r)
		}
	}
	tell(progress.Report{Phase: progress.Moments, Objective: math.NaN()})
	w, err := newWhitened(ctx, d, o.Topics, o.Threads)
	if err != nil {
		return nil, err
	}
	if o.Topics == 0 && w.k > 0 {
		o.Topics = w.k
	}
	if w.k < max(1, o.Topics) {
		return &Result{Shown: w.k}, nil
	}
	var s *solution
	unknown := false
	switch {
	case o.Concentration > 0:
		s, err = w.solve(ctx, o.Concentration, nil, o)
	case o.Topics == 1: // all shares are 1 at any concentration
		unknown = true
		s, err = w.solve(ctx, unknownConcentration, nil, o)
	default:
		s, err = w.search(ctx, o)
		if unknown = err == nil && s.a0 > .98*mostConcentration; unknown {
			s, err = w.solve(ctx, unknownConcentration, nil, o)
		}
	}
	if err != nil {
		return nil, err
	}
	mu, weights, cut := w.topics(s.v, s.stretch)
	r := &Result{Topics: mu, Weights: weights, Concentration: s.a0, Cut: cut, Shown: w.k, Above: w.above, given: o.Concentration > 0, unknown: unknown}
	if !o.MomentsOnly {
		err = r.polish(ctx, d, o, tell)
	}
	r.sort()
	if err == nil { // a search that was interrupted is not done
		last.Done = true
		tell(last)
	}
	return r, err
}

// Concentration, weights and prior are estimated first after firstEstimate steps of the polish,
// again whenever there were four times as many, and where topics have settled: until the concentration has
// as well, to estimateChange of it, or lastEstimates times: few documents leave it to a few of
// their words.
const (
	firstEstimate  = 5
	estimateChange = .01
	lastEstimates  = 5
)

// polish makes steps from the topics that there are until nothing moves.
func (r *Result) polish(ctx context.Context, d *Documents, o Options, tell func(progress.Report)) error {
	q := newPosterior(d, r.Topics, r.alpha(), cmp.Or(r.Prior, firstPrior), o.Threads)
	defer func() {
		if r.Iterations > 0 { // a step that is interrupted leaves the topics before it
			r.Topics, r.Prior = q.mean(), q.eta
		}
	}()
	next, last := firstEstimate, 0
	for r.Iterations < o.MaxIterations && !r.Converged {
		likelihood, moved, err := q.step(ctx)
		if err != nil {
			return err
		}
		r.Iterations++
		tell(progress.Report{Phase: progress.EM, Iterations: r.Iterations, Objective: likelihood})
		settled := moved < o.Tolerance
		if r.Iterations == next || settled || r.Iterations == o.MaxIterations {
			if r.Iterations == next {
				next *= 4
			}
			was := r.Concentration
			if err = r.estimate(ctx, q); err != nil {
				return err
			}
			if settled {
				last++
				r.Converged = last == lastEstimates || math.Abs(r.Concentration-was) < estimateChange*was
			}
		}
	}
	return nil
}

// estimate takes the weights of the topics, and estimates their prior, and the concentration unless it
// is given.
func (r *Result) estimate(ctx context.Context, q *posterior) error {
	r.Weights = q.weights()
	weights := r.Weights
	if r.given || len(weights) == 1 {
		weights = nil
	}
	eta, tau, err := q.estimate(ctx, weights)
	if err != nil {
		return err
	}
	if weights != nil {
		if r.unknown = !(tau > leastTogether); r.unknown {
			r.Concentration = min(r.Concentration, unknownConcentration)
		} else {
			r.Concentration = 1/min(tau, mostTogether) - 1
		}
	}
	q.adopt(eta, r.alpha())
	return nil
}

// alpha returns the parameters of the shares.
func (r *Result) alpha() []float64 {
	a := slices.Clone(r.Weights)
	linalg.Scale(r.Concentration, a)
	return a
}

// sort puts the topics in the order of their weights.
func (r *Result) sort() {
	k := len(r.Weights)
	n := len(r.Topics) / k
	order := make([]int, k)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.Weights[j], r.Weights[i]) })
	mu := make([]float64, 0, len(r.Topics))
	for _, j := range order {
		mu = append(mu, r.Topics[j*n:(j+1)*n]...)
	}
	r.Topics, r.Weights, r.Cut = mu, linalg.Picked(r.Weights, order), linalg.Picked(r.Cut, order)
}
