package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// size is the size of a problem of the scaling measurements.
type size struct{ p, n, r, d int }

// sweep varies one number of a problem.
type sweep struct {
	name   string
	memory bool // the observations are read from memory, not from the cache
	theory float64
	values []int
	at     func(v int) size
}

// Each sweep stays in one level, 2 to 16 MB of observations in the third-level
// cache or 80 to 640 MB in memory; otherwise the caches would be measured. For the
// same reason n is not a power of two, for which rows share the sets of a cache.
var sweeps = []sweep{
	{"p", false, 1, []int{500, 1000, 2000, 4000}, func(v int) size { return size{v, 500, 10, 3} }},
	{"p", true, 1, []int{20000, 40000, 80000, 160000}, func(v int) size { return size{v, 500, 10, 3} }},
	{"n", false, 1, []int{62, 125, 250, 500}, func(v int) size { return size{4000, v, 10, 3} }},
	{"n", true, 1, []int{125, 250, 500, 1000}, func(v int) size { return size{78000, v, 10, 3} }},
	{"r", false, 1, []int{10, 20, 40, 80}, func(v int) size { return size{2500, 500, v, 3} }},
	{"r", true, 1, []int{10, 20, 40, 80}, func(v int) size { return size{40000, 500, v, 3} }},
	{"d", false, 0, []int{3, 4, 5, 6, 8}, func(v int) size { return size{2500, 500, 10, v} }},
}

// scalingSlack is how far an exponent may be from its theoretical value.
const scalingSlack = .1

// scaling measures how the cost of an implicit evaluation grows, on one thread.
func (b *bench) scaling() (*section, error) {
	s := &section{title: "Cost of an implicit evaluation against p, n, r and d, one thread",
		header: []string{"varied", "others", "data from", "ms", "exponent", "theory", "target", ""}}
	rng := rand.New(rand.NewPCG(1, 1))
	largest := 0
	for _, w := range sweeps {
		if b.quick && w.memory {
			continue
		}
		for _, v := range w.values {
			largest = max(largest, w.at(v).p*w.at(v).n)
		}
	}
	v := make([]float64, largest)
	for i := range v {
		v[i] = rng.Float64() - .5
	}
	for _, w := range sweeps {
		if b.quick && w.memory {
			continue
		}
		entrants := make([]entrant, len(w.values))
		for i, value := range w.values {
			q := w.at(value)
			x := &block.Dense{P: q.p, N: q.n, V: v[:q.p*q.n]}
			_, call := evaluator(&moment.Implicit{Data: x, D: q.d}, q.r, point(q.n, q.r), 1)
			entrants[i] = entrant{w.name, func() (seconds float64, err error) {
				onOneCore(b.core, func() { seconds = perCall(b.seconds, call) })
				return seconds, nil
			}}
		}
		times, err := turns(b.ctx, b.rounds, entrants)
		if err != nil {
			return nil, err
		}
		b.scalingRow(s, w, times)
	}
	s.note("The exponent is fitted by least squares to the logarithms of the times of each turn; it is the median of all turns. Each sweep stays in the third-level cache or in memory, or the caches would be what is measured.")
	return s, nil
}

func (b *bench) scalingRow(s *section, w sweep, times []sample) {
	var xs []float64
	values, ms := "", ""
	for i, v := range w.values {
		xs = append(xs, float64(v))
		if i > 0 {
			values, ms = values+", ", ms+", "
		}
		values += fmt.Sprint(v)
		ms += digits(1e3 * times[i].median())
	}
	var exponents sample
	for turn := range times[0] {
		var ys []float64
		for _, t := range times {
			ys = append(ys, t[turn])
		}
		exponents = append(exponents, exponent(xs, ys))
	}
	e := exponents.median()
	g := s.judge(goal{"exponent of the cost against " + w.name + ", data from " + w.level(), fmt.Sprintf("%g ± %g", w.theory, scalingSlack),
		fmt.Sprintf("%.3f", e), math.Abs(e-w.theory) <= scalingSlack})
	s.row(w.name+" = "+values, w.others(), w.level(), ms, g.got, fmt.Sprint(w.theory), g.target, g.verdict())
}

// others lists the sizes that the sweep does not change.
func (w sweep) others() string {
	q, text := w.at(w.values[0]), ""
	for _, o := range []struct {
		name  string
		value int
	}{{"p", q.p}, {"n", q.n}, {"r", q.r}, {"d", q.d}} {
		if o.name != w.name {
			text += fmt.Sprintf("%s=%d ", o.name, o.value)
		}
	}
	return text[:len(text)-1]
}

// level says where the observations are.
func (w sweep) level() string {
	if w.memory {
		return "memory"
	}
	return "cache"
}
