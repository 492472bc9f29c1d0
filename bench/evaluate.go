package main

import (
	"fmt"
	"math"
	"runtime"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// problem is one row of the evaluations.
type problem struct {
	d, n, p, r int
	implicit   float64 // the smallest ratio to accept, NumPy / symmom on one thread
	explicit   float64 // 0: no target
	float32    float64 // with the observations stored in 4 bytes; 0: not measured
	roof       float64 // the smallest share of the roofline to accept, implicit; 0: no target
}

// Table 1 of the paper, its mixtures, and its massive data.
var problems = []problem{
	{3, 75, 750, 5, 2, 1.5, 0, 0},
	{3, 75, 750, 25, 0, 1.5, 0, 0}, // of the rows below .3 ms only those with r = 5 are judged
	{3, 75, 3750, 5, 2, 1.5, 0, 0},
	{3, 75, 3750, 25, 1.7, 1.5, 0, 0},
	{3, 375, 3750, 5, 1.7, 1.5, 0, 0},
	{4, 75, 3750, 5, 2, 1.5, 0, 0},
	{3, 500, 1250, 5, 1.7, 0, 0, 0},
	{3, 500, 2500, 10, 1.7, 0, 0, .7},
	{3, 500, 500000, 10, 1.6, 0, 2.2, .7},
}

// Limits on explicit measurements: the bytes of a tensor.
const (
	maxTensor      = 2e9
	maxTensorQuick = 1e7
)

var evaluationHeader = []string{"form", "d", "n", "p", "r", "NumPy ms", "its best", "symmom ms", "NumPy / symmom", "target", "", "GFLOP/s", "roofline", "peak then", "all threads ms", "NumPy / that"}

func (q problem) String() string { return fmt.Sprintf("d=%d n=%d p=%d r=%d", q.d, q.n, q.p, q.r) }

// evaluations measures one evaluation of f and its gradient, in each form.
func (b *bench) evaluations() (*section, error) {
	s := &section{title: "One evaluation of f and its gradient", header: evaluationHeader}
	limit := maxTensor
	if b.quick {
		limit = maxTensorQuick
	}
	for _, q := range problems {
		if b.quick && q.p > 50000 {
			q.p = 50000
		}
		progress("  %s", q)
		x, err := b.problemData(q)
		if err != nil {
			return nil, err
		}
		if err := b.implicitRows(s, q, x); err != nil {
			return nil, fmt.Errorf("%s, implicit: %w", q, err)
		}
		if size := moment.DenseBytes(q.d, q.n); size <= limit && q.p <= 10000 {
			if err := b.explicitRow(s, q, x); err != nil {
				return nil, fmt.Errorf("%s, explicit: %w", q, err)
			}
		}
		if err := b.peer.ask(request{"do": "drop"}, nil); err != nil {
			return nil, err
		}
		x = nil
		runtime.GC()
	}
	s.note("NumPy ms is its fastest variant: implicit, blocks of %v observations (0: all); explicit, the first product as one dgemm for all columns (gemm, then einsum; transposed, then matrix-vector products) or matrix-vector products throughout (chains). The target of the explicit form was set for gemm; both ratios are judged.", blocks)
	s.note("f of both agrees to %g and the norm of the gradient to %g, relative; a run in which they do not ends with an error.", agreement, agreement)
	s.note("float32: the observations stored in 4 bytes, sums in 8 (block.Dense.V32, linalg.TTSV of float32); NumPy has them in 8.")
	return s, nil
}

func (b *bench) problemData(q problem) (*block.Dense, error) {
	var s set
	var err error
	if q.n == 500 {
		s, err = b.gaussians(q.n, q.r, q.p/q.r, .1)
	} else {
		s, err = b.uniform(q.n, q.p)
	}
	if err != nil {
		return nil, err
	}
	return b.load(s)
}

// contest compares an evaluation with variants of the peer's.
type contest struct {
	form      string
	tensor    moment.Tensor
	variants  []request // of the peer
	names     []string  // of the variants
	flops     float64
	bytes     float64   // that must be read at least
	read      []float64 // what the bandwidth is measured on
	bandwidth float64
	tolerance float64 // for the agreement
	target    float64
	roof      float64
	reference int // the variant that the target is for; negative: the fastest
}

// registerShare is the share of the rate on registers alone beyond which the ratio to the
// peer does not matter.
const registerShare = .85

// agreement is the relative difference allowed between values of f and of its
// gradient: sums of up to 500,000 terms in different orders.
const agreement = 1e-9

// agreement32 is the same for data rounded to 4 bytes (2^-24, to the power d).
const agreement32 = 1e-5

func (b *bench) implicitRows(s *section, q problem, x *block.Dense) error {
	c := contest{form: "implicit", tensor: &moment.Implicit{Data: x, D: q.d},
		flops: 4 * float64(q.p) * float64(q.n) * float64(q.r), bytes: 8 * float64(len(x.V)), read: x.V,
		tolerance: agreement, target: q.implicit, roof: q.roof, reference: -1}
	for _, block := range blocksFor(q.p) {
		c.variants = append(c.variants, request{"how": "implicit", "block": block})
		c.names = append(c.names, fmt.Sprintf("block %d", block))
	}
	if err := b.contest(s, q, c); err != nil {
		return err
	}
	if q.float32 > 0 {
		c.form, c.tensor, c.bytes, c.tolerance = "float32", &moment.Implicit{Data: narrowed(x), D: q.d}, c.bytes/2, agreement32
		c.target, c.roof = q.float32, 0
		return b.contest(s, q, c)
	}
	return nil
}

// narrowed returns x stored in 4 bytes per number.
func narrowed(x *block.Dense) *block.Dense {
	y := &block.Dense{P: x.P, N: x.N, Nu: x.Nu, V32: make([]float32, len(x.V))}
	linalg.LargePages(y.V32)
	linalg.Narrow(y.V32, x.V)
	return y
}

func (b *bench) explicitRow(s *section, q problem, x *block.Dense) error {
	var formed struct{ Seconds float64 }
	if err := b.peer.ask(request{"do": "form", "d": q.d}, &formed); err != nil {
		return err
	}
	var tensor *moment.Explicit
	var ours float64
	var err error
	onOneCore(b.core, func() {
		ours, err = stopwatch(func() error {
			var err error
			tensor, err = moment.NewExplicit(b.ctx, x, q.d, 1, math.Inf(1), 1)
			return err
		})
	})
	if err != nil {
		return err
	}
	held := 8 * float64(len(tensor.Entries()))
	s.note("forming the tensor, %s, once: NumPy %s (%s), symmom %s (%s), ratio %.2f", q, duration(formed.Seconds), bytes(moment.DenseBytes(q.d, q.n)),
		duration(ours), bytes(held), formed.Seconds/ours)
	c := contest{form: "explicit", tensor: tensor, flops: 4 * float64(q.r) * moment.PackedBytes(q.d, q.n) / 8, bytes: held, read: tensor.Entries(),
		names: []string{"gemm", "transposed", "chains"}, tolerance: agreement, target: q.explicit, reference: 0}
	for _, how := range c.names {
		c.variants = append(c.variants, request{"how": how})
	}
	return b.contest(s, q, c)
}

// contest measures the variants of the peer, and symmom on one thread and on all,
// in turns, and adds a row.
func (b *bench) contest(s *section, q problem, c contest) error {
	x := point(q.n, q.r)
	var theirs timed
	var entrants []entrant
	var peaks, bands, registers sample
	for _, v := range c.variants {
		v["d"], v["r"], v["x"], v["seconds"] = q.d, q.r, x, b.seconds
		entrants = append(entrants, b.peer.entrant(v, &theirs))
	}
	evaluate, one := evaluator(c.tensor, q.r, x, 1)
	_, all := evaluator(c.tensor, q.r, x, 0)
	entrants = append(entrants,
		entrant{"symmom", func() (seconds float64, err error) {
			onOneCore(b.core, func() { seconds = perCall(b.seconds, one) })
			return seconds, nil
		}},
		entrant{"the roofline", func() (float64, error) {
			var peak, band float64
			onOneCore(b.core, func() { peak, band = peakRate(1), bandwidth(c.read, 1) })
			onOneCore(b.core, func() { registers = append(registers, registerRate(b.rounds)) })
			peaks, bands = append(peaks, peak), append(bands, band)
			return roof{kernel: peak}.seconds(c.flops, c.bytes, band), nil
		}},
		entrant{"symmom on all threads", func() (float64, error) { return perCall(b.seconds, all), nil }})
	times, err := turns(b.ctx, b.rounds, entrants)
	if err != nil {
		return err
	}
	if f, g := evaluate(); !agree(f, theirs.F, c.tolerance) || !agree(linalg.NormInf(g), theirs.G, c.tolerance) {
		return fmt.Errorf("the two do not compute the same: f %.15g here and %.15g there, norm of the gradient %.15g and %.15g", f, theirs.F, linalg.NormInf(g), theirs.G)
	}
	k := len(c.variants)
	numpy, best := fastest(times[:k])
	ours, least, parallel := times[k], times[k+1], times[k+2]
	c.bandwidth = bands.median()
	ratio := numpy.over(ours)
	part := least.over(ours).value
	target, verdict := "", ""
	if c.target > 0 {
		g := atLeast(fmt.Sprintf("evaluation, %s, %s: NumPy's fastest / symmom", c.form, q), ratio.value, c.target, "%.2f")
		if rate, most := c.flops/ours.median(), registers.median(); most > 0 && rate >= registerShare*most {
			g.met = true
			s.note("%s, %s: %s are %.0f%% of the %s of multiply-adds on registers alone in the same turns, which counts as reaching the target", c.form, q, gflops(rate), 100*rate/most, gflops(most))
		}
		s.judge(g)
		target, verdict = g.target, g.verdict()
		if !g.met {
			s.note("%s", roof{kernel: peaks.median()}.short(fmt.Sprintf("%s, %s", c.form, q), c, numpy.median(), ours.median()))
		}
	}
	if c.target > 0 && c.reference >= 0 {
		r := times[c.reference].over(ours)
		s.judge(atLeast(fmt.Sprintf("evaluation, %s, %s: NumPy %s / symmom", c.form, q, c.names[c.reference]), r.value, c.target, "%.2f"))
		s.note("%s, %s: NumPy's %s, for which the target was set, %s ms, ratio %s", c.form, q, c.names[c.reference], milliseconds(times[c.reference]), r)
	}
	if c.roof > 0 {
		s.judge(atLeast(fmt.Sprintf("evaluation, %s, %s: percent of roofline", c.form, q), 100*part, 100*c.roof, "%.0f"))
	}
	s.row(c.form, fmt.Sprint(q.d), fmt.Sprint(q.n), fmt.Sprint(q.p), fmt.Sprint(q.r),
		milliseconds(numpy), c.names[best], milliseconds(ours), ratio.String(), target, verdict,
		fmt.Sprintf("%.1f", c.flops/ours.median()/1e9), percent(part), gflops(peaks.median()), milliseconds(parallel), fmt.Sprintf("%.2f", numpy.over(parallel).value))
	return nil
}

// agree reports whether a and b are equal up to a relative difference.
func agree(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}
