package main

import (
	"fmt"
	"math"
	"runtime"

	"symmom/symmom"
)

// Goals of the massive problem.
const (
	massiveFaster = 80   // times faster than NumPy's L-BFGS, ten starts
	massiveF      = 1e-5 // distance from the f of NumPy's full solution
	massiveScore  = .9997
	adamShare     = 1. / 3 // of the time of NumPy's Adam with s = 1000
	adamRatio     = 1      // time of our Adam to NumPy's, with s = 10 and 100
	// massiveTurns is the number of NumPy starts to measure, each of half a minute.
	massiveTurns = 2
	// adamTurns is the number for Adam, most of them of a second or two.
	adamTurns = 5
)

// massive solves the paper's largest problem: n = 500, p = 500,000, r = 10,
// sigma = .1, d = 3; 2 GB of observations.
func (b *bench) massive() (*section, error) {
	const n, r, d = 500, 10, 3
	per := 50000
	if b.quick {
		per = 2000
	}
	sec := &section{title: fmt.Sprintf("Massive data, n = %d, p = %d, r = %d, sigma = .1, d = %d, ten starts", n, per*r, r, d),
		header: []string{"method", "NumPy s", "f (shifted, exact)", "score", "symmom s", "f (shifted, exact)", "score", "gradient", "NumPy / symmom", "all threads s", "NumPy / that"}}
	s, err := b.gaussians(n, r, per, .1)
	if err != nil {
		return nil, err
	}
	if err := b.loadPeer(s); err != nil {
		return nil, err
	}
	block, err := b.peer.fastestBlock(b.ctx, s.p, d, r, point(n, r), .1)
	if err != nil {
		return nil, err
	}
	progress("  L-BFGS (NumPy: %d starts), compressed", massiveTurns)
	one, err := b.spanSeconds(s, 1)
	if err != nil {
		return nil, err
	}
	many, err := b.spanSeconds(s, 0)
	if err != nil {
		return nil, err
	}
	full, compressed, err := b.massiveFull(sec, s, d, r, block, one, many)
	if err != nil {
		return nil, err
	}
	adam, err := b.massiveAdam(sec, s, d, r, block)
	if err != nil {
		return nil, err
	}
	sec.judge(atMost("massive, compressed: distance of f from that of NumPy's L-BFGS", math.Abs(compressed.f-full.f), massiveF, "%.1e"))
	sec.judge(atLeast("massive, compressed: score", compressed.score, massiveScore, "%.5f"))
	sec.judge(atMost("massive, compressed: gradient norm on the full problem", compressed.g, tolerance, "%.1e"))
	sec.judge(atMost("massive: symmom compressed / NumPy's Adam s = 1000", compressed.seconds/adam, adamShare, "%.2f"))
	sec.note("L-BFGS: NumPy's time is that of one plain start (%d measured, the median), times ten; its f and score are the best of these. symmom: ten starts, compressed and polished on the full problem; a fresh session each time, medians of %d turns, ||X||^2 (estimated, %s) and loading not in the time.", massiveTurns, massiveTurns, duration(compressed.norm))
	sec.note("Adam: medians of %d turns, ten starts drawn from 4,096 observations, ||X||^2 and loading not in the time; symmom's includes the fingerprint and the exact evaluation of what may be its best solution, NumPy's no evaluation of its best.", adamTurns)
	sec.note("gradient: infinity norm, on the full problem, in the units in which symmom solves it.")
	return sec, nil
}

// massiveFull measures NumPy's L-BFGS and the compressed form, whose seconds are
// medians on one thread. one and many are the seconds to find the span.
func (b *bench) massiveFull(sec *section, s set, d, r, block int, one, many float64) (full, compressed found, err error) {
	as := func(m *symmom.Moment) *symmom.Moment { return m.Compressed(0) }
	var all found
	times, err := turns(b.ctx, massiveTurns, []entrant{
		b.solver(s, d, r, block, 1, &full),
		b.decomposer(s, d, r, 1, one, as, &compressed),
		b.decomposer(s, d, r, 0, many, as, &all),
	})
	if err != nil {
		return full, compressed, err
	}
	for i := range times[0] {
		times[0][i] *= starts
	}
	compressed.seconds = times[1].median()
	ratio := times[0].over(times[1])
	sec.judge(atLeast("massive: NumPy's L-BFGS / symmom compressed, ten starts", ratio.value, massiveFaster, "%.0f"))
	sec.row("L-BFGS / compressed", digits(times[0].median()), fmt.Sprintf("%.6f", full.f), fmt.Sprintf("%.5f", full.score),
		digits(times[1].median()), fmt.Sprintf("%.6f", compressed.f), fmt.Sprintf("%.5f", compressed.score), fmt.Sprintf("%.1e", compressed.g),
		ratio.String(), digits(times[2].median()), fmt.Sprintf("%.0f", times[0].over(times[2]).value))
	return full, compressed, nil
}

// massiveAdam measures Adam with three sample sizes and returns NumPy's seconds for
// s = 1000. Unlike the other forms, Adam needs the span only for ||X||^2.
func (b *bench) massiveAdam(sec *section, s set, d, r, block int) (seconds float64, err error) {
	for _, samples := range []int{10, 100, 1000} {
		progress("  Adam, s = %d", samples)
		var theirs lbfgs
		var ours, all found
		as := func(m *symmom.Moment) *symmom.Moment { return m.Sampled(samples) }
		times, err := turns(b.ctx, adamTurns, []entrant{
			{"NumPy", func() (float64, error) {
				err := b.peer.ask(request{"do": "adam", "d": d, "r": r, "s": samples, "starts": starts, "seed": 1, "block": block, "truth": s.truth}, &theirs)
				return theirs.Seconds, err
			}},
			b.decomposer(s, d, r, 1, 0, as, &ours),
			b.decomposer(s, d, r, 0, 0, as, &all),
		})
		if err != nil {
			return 0, err
		}
		runtime.GC()
		seconds = times[0].median()
		ratio := times[0].over(times[1])
		if samples < 1000 {
			sec.judge(atMost(fmt.Sprintf("massive, Adam s = %d: symmom / NumPy", samples), 1/ratio.value, adamRatio, "%.2f"))
		}
		sec.row(fmt.Sprintf("Adam s=%d", samples), digits(seconds), fmt.Sprintf("%.6f", theirs.F), fmt.Sprintf("%.5f", theirs.Score),
			digits(times[1].median()), fmt.Sprintf("%.6f", ours.f), fmt.Sprintf("%.5f", ours.score), fmt.Sprintf("%.1e", ours.g),
			ratio.String(), digits(times[2].median()), fmt.Sprintf("%.2f", times[0].over(times[2]).value))
	}
	return seconds, nil
}
