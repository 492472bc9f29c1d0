package main

import (
	"fmt"
	"math/rand/v2"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// The ranks of byRank, and how a rank is judged: by the best of its neighbours.
const (
	mostRank   = 32
	neighbours = 8
	leastShare = .8
)

// byRank measures an evaluation for each small rank, on one thread, on observations that
// fit the second-level cache of every processor: 400 KB. Kernels take a few columns at a
// time, and some numbers of columns are harder than others.
func (b *bench) byRank() (*section, error) {
	const n, p, d = 500, 100, 3
	s := &section{title: "One evaluation for each rank, n = 500, p = 100, d = 3, one thread",
		header: []string{"r", "GFLOP/s", "of the best within 8"}}
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = rng.Float64() - .5
	}
	seconds := b.seconds / 4 // ranks are compared, so all have to be measured soon after each other
	var entrants []entrant
	for r := 1; r <= mostRank; r++ {
		_, call := evaluator(&moment.Implicit{Data: &block.Dense{P: p, N: n, V: v}, D: d}, r, point(n, r), 1)
		entrants = append(entrants, entrant{fmt.Sprintf("r = %d", r), func() (took float64, err error) {
			onOneCore(b.core, func() { took = perCall(seconds, call) })
			return took, nil
		}})
	}
	var reading sample
	entrants = append(entrants, entrant{"reading", func() (float64, error) {
		var rate float64
		onOneCore(b.core, func() { rate = bandwidth(v, 1) })
		reading = append(reading, rate)
		return 8 * p * n / rate, nil
	}})
	times, err := turns(b.ctx, b.rounds, entrants)
	if err != nil {
		return nil, err
	}
	rates := make([]float64, mostRank)
	for i := range rates {
		rates[i] = 4 * p * n * float64(i+1) / times[i].median()
	}
	judgeRanks(s, rates, reading.median())
	s.note("Operations: 4 p n r, two multiply-adds for each number and component: read once, at the %.1f GB/s of the same turns, these observations allow r/2 operations a byte.", reading.median()/1e9)
	return s, nil
}

// judgeRanks adds the ranks' operations per second to s, and for those that fall short
// what reading the observations once, at that many bytes per second, allows.
func judgeRanks(s *section, rates []float64, reading float64) {
	for i, rate := range rates {
		reading = max(reading, 2*rate/float64(i+1)) // so fast the kernels themselves have read
	}
	worst := 1.0
	for i, rate := range rates {
		best := 0.0
		for _, other := range rates[max(0, i-neighbours):min(len(rates), i+neighbours+1)] {
			best = max(best, other)
		}
		share, bound := rate/best, float64(i+1)/2*reading
		worst = min(worst, share)
		s.row(fmt.Sprint(i+1), digits(rate/1e9), fmt.Sprintf("%.2f", share))
		if share >= leastShare {
			continue
		}
		text := fmt.Sprintf("r = %d: %.0f%% of the best within %d, %s", i+1, 100*share, neighbours, gflops(best))
		if bound < leastShare*best {
			text += fmt.Sprintf(". Reading allows %s: the target is out of reach on this machine", gflops(bound))
		}
		s.note("%s", text)
	}
	s.judge(atLeast(fmt.Sprintf("evaluation, r = 1 to %d, n = 500, in cache: least share of the best rank within %d", len(rates), neighbours), worst, leastShare, "%.2f"))
}
