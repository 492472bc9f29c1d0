package main

import (
	"fmt"
	"math"
	"runtime"

	"symmom/symmom"
)

// formSlack is how much slower than the fastest form the automatic choice may be:
// its model counts operations, and ignores caches and the data.
const formSlack = 1.5

// forms measures every form and the automatic choice, with ten starts on one
// thread.
func (b *bench) forms() (*section, error) {
	s := &section{title: "The automatic choice of the form, ten starts, one thread",
		header: []string{"data", "d", "n", "p", "r", "implicit s", "explicit s", "compressed s", "automatic s", "it took", "that / fastest", "target", ""}}
	type shape struct {
		mixture    bool
		d, n, p, r int
	}
	shapes := []shape{
		{false, 3, 10, 20000, 3}, {false, 3, 30, 20000, 5}, {false, 4, 15, 10000, 3},
		{false, 3, 75, 750, 5}, {false, 3, 75, 3750, 25}, {true, 3, 100, 5000, 5},
		{true, 3, 500, 1250, 5}, {true, 4, 500, 2500, 10}, {true, 3, 200, 50000, 10},
	}
	if b.quick {
		shapes = shapes[:3]
	}
	forms := []struct {
		name string
		as   func(*symmom.Moment) *symmom.Moment
	}{
		{"implicit", (*symmom.Moment).Implicit}, {"explicit", (*symmom.Moment).Explicit},
		{"compressed", func(m *symmom.Moment) *symmom.Moment { return m.Compressed(0) }}, {"automatic",
			(*symmom.Moment).Auto},
	}
	const largest = 2e9 // operations to form a tensor, beyond which it is not tried
	for _, q := range shapes {
		progress("  d=%d n=%d p=%d r=%d", q.d, q.n, q.p, q.r)
		data, err := b.uniform(q.n, q.p)
		if q.mixture {
			data, err = b.gaussians(q.n, q.r, q.p/q.r, .1)
		}
		if err != nil {
			return nil, err
		}
		session := symmom.Load(data.path)
		taken := ""
		var entrants []entrant
		for _, f := range forms {
			if f.name == "explicit" && math.Pow(float64(q.n), float64(q.d))*float64(q.p) > 6*largest {
				entrants = append(entrants, entrant{f.name, func() (float64, error) { return math.Inf(1), nil }})
				continue
			}
			entrants = append(entrants, entrant{f.name, func() (seconds float64, err error) {
				onOneCore(b.core, func() {
					runtime.GC()
					m := f.as(session.Moment(q.d).With(symmom.Options{Threads: 1}))
					if _, err = m.NormSquared(); err != nil {
						return
					}
					var fit *symmom.Fit
					seconds, err = stopwatch(func() error {
						fit = m.Decompose(q.r)
						return fit.Err()
					})
					if f.name == "automatic" && err == nil {
						taken = string(fit.Form)
					}
				})
				return seconds, err
			}})
		}
		times, err := turns(b.ctx, 3, entrants)
		if err != nil {
			return nil, err
		}
		kind := "uniform"
		if q.mixture {
			kind = "mixture"
		}
		cells := []string{kind, fmt.Sprint(q.d), fmt.Sprint(q.n), fmt.Sprint(q.p), fmt.Sprint(q.r)}
		fastest, took := math.Inf(1), times[3].median()
		for i, t := range times {
			cells = append(cells, digits(t.median()))
			fastest = math.Min(fastest, t.median())
			if forms[i].name == taken { // the same work: any difference is noise
				took = math.Min(took, t.median())
			}
		}
		g := s.judge(atMost(fmt.Sprintf("automatic form, d=%d n=%d p=%d r=%d: its time / the fastest form's", q.d, q.n, q.p, q.r), took/fastest, formSlack, "%.2f"))
		s.row(append(cells, taken, g.got, g.target, g.verdict())...)
	}
	s.note("Seconds without loading and ||X||^2. The time of the automatic choice, or of the form it took where that was less, beside the fastest of all. The first turn of each session also takes the fingerprint. Inf: a tensor of more than %g multiply-adds, not tried.", largest)
	return s, nil
}
