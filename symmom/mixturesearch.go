package symmom

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
)

// Of the search for a start of EM.
const (
	searchNumbers = 1 << 18 // of the observations that starts are tried on
	searchLeast   = 2000    // observations, at least
	shortSteps    = 10      // of EM from each start
	longStarts    = 3       // of which as many go on
	longSteps     = 200
	searchRise    = 1e-4 // of the log-likelihood of an observation, to go on there
	sameMixture   = 1e-4 // the difference of it between starts that found the same
	lloydRounds   = 10
	mixtureBytes  = 512e6 // of coordinates
	startMoments  = "moments"
)

// mixtureData is what starts are tried on: observations in memory, less the
// mean, or their coordinates in the leading eigenvectors with the distance from
// their span.
type mixtureData struct {
	run   *mixtureRun
	basis *moment.Basis // nil: the observations themselves
	data  *obs.Dense
	every int // of the observations are here
}

// coordinates gathers them in a pass.
func (c *mixtureRun) coordinates() (*mixtureData, error) {
	p, n := c.s.data.P, c.n
	in := &mixtureData{run: c, every: 1}
	k := min(2*c.r+10, len(c.spread.rows)/n)
	columns := n
	if c.shape == moment.Spherical && 2*k < n {
		in.basis = &moment.Basis{N: n, K: k, Q: c.spread.rows[:k*n]}
		columns = k + 1
	}
	most := math.Min(mixtureBytes, memoryLimit(Options{MemoryLimit: c.o.MemoryLimit})/4) / 8
	if in.basis == nil {
		most = searchNumbers
	} else if c.s.storage.array() == nil {
		most = math.Min(most, 8*searchNumbers)
	}
	rows := max(searchLeast, int(most)/columns)
	in.every = max(1, (p+rows-1)/rows)
	x := c.s.storage
	kept := (p + in.every - 1) / in.every
	in.data = &obs.Dense{P: kept, N: columns, V: make([]float64, kept*columns)}
	var nu []float64
	at, seen := 0, 0
	const batch = 256
	v, w := make([]float64, batch*n), make([]float64, batch*k)
	var wide []float64
	f := 1 / c.unit
	flush := func(rows int) {
		out := in.data.V[(at-rows)*columns:]
		if in.basis == nil {
			copy(out, v[:rows*n])
			return
		}
		linalg.MulABt(w, v, in.basis.Q, rows, k, n)
		for l := range rows {
			u, q := v[l*n:(l+1)*n], w[l*k:(l+1)*k]
			copy(out[l*columns:], q)
			out[l*columns+k] = math.Sqrt(math.Max(0, linalg.Dot(u, u)-linalg.Dot(q, q)))
		}
	}
	held := 0
	if !x.Pass(c.ctx, func(b obs.Block) {
		for l := range b.Rows {
			if seen++; (seen-1)%in.every != 0 {
				continue
			}
			row := b.Values(l, l+1, n, &wide)
			for i, m := range c.spread.mean {
				v[held*n+i] = (row[i] - m) * f
			}
			if b.Nu != nil {
				nu = append(nu, b.Nu[l])
			}
			held++
			at++
			if held == batch {
				flush(held)
				held = 0
			}
		}
	}) {
		return nil, c.s.stopped(c.ctx)
	}
	flush(held)
	c.passes++
	if nu != nil {
		var sum float64
		for _, w := range nu {
			sum += w
		}
		linalg.Scale(1/sum, nu)
		in.data.Nu = nu
	}
	return in, nil
}

// some returns about as many of them as starts are tried on.
func (in *mixtureData) some() *obs.Dense {
	x := in.data
	rows := max(searchLeast, searchNumbers/x.N)
	if x.P <= rows {
		return x
	}
	y := &obs.Dense{N: x.N}
	var sum float64
	for i := range rows {
		l := i * x.P / rows
		y.V = append(y.V, x.V[l*x.N:(l+1)*x.N]...)
		if x.Nu != nil {
			y.Nu = append(y.Nu, x.Nu[l])
			sum += x.Nu[l]
		}
	}
	y.P = rows
	if y.Nu != nil {
		linalg.Scale(1/sum, y.Nu)
	}
	return y
}

// project brings a spherical mixture to the coordinates.
func (in *mixtureData) project(g *moment.GMM) *moment.GMM {
	if in.basis == nil {
		return g.Clone()
	}
	n, k := in.basis.N, in.basis.K
	h := moment.NewGMM(k+1, g.R, moment.Spherical)
	copy(h.Weights, g.Weights)
	copy(h.Cov, g.Cov)
	for j := range g.R {
		linalg.MulABt(h.Means[j*(k+1):], g.Means[j*n:(j+1)*n], in.basis.Q, 1, k, n)
	}
	return h
}

// lift brings one back.
func (in *mixtureData) lift(g *moment.GMM) *moment.GMM {
	if in.basis == nil {
		return g.Clone()
	}
	n, k := in.basis.N, in.basis.K
	h := moment.NewGMM(n, g.R, moment.Spherical)
	copy(h.Weights, g.Weights)
	copy(h.Cov, g.Cov)
	a := make([]float64, g.R*k)
	for j := range g.R {
		copy(a[j*k:(j+1)*k], g.Means[j*(k+1):])
	}
	in.basis.Lift(h.Means, a, g.R)
	return h
}

// em makes steps in the coordinates.
func (in *mixtureData) em(x *obs.Dense) *moment.EM {
	e := in.run.em(x, nil, 1)
	if in.basis != nil {
		e.Coordinates(in.basis.N)
	}
	return e
}

// climb makes steps of EM until the log-likelihood rises by less than rise an
// observation, and leaves what the last step tells in the candidate.
func (in *mixtureData) climb(e *moment.EM, p int, a *candidate, steps int, rise float64) bool {
	last := math.Inf(-1)
	for range steps {
		now, ok := e.Step(in.run.ctx, a.g)
		if !ok {
			return false
		}
		a.logLikelihood, a.expected = now, now-a.g.Optimism(in.run.n, float64(p))
		if now-last < rise*float64(p) {
			break
		}
		last = now
	}
	return true
}

// search returns the best mixture that EM finds from the moments and from
// k-means++ starts, in the coordinates: the one most likely of observations that
// it has not seen. The likelihood of those it has rises without bound where a
// component closes in on a few of them.
func (c *mixtureRun) search(in *mixtureData, start *moment.GMM) candidate {
	some := in.some()
	c.tell(Progress{Phase: PhaseStarts, Objective: math.NaN()})
	var all []candidate
	if start != nil {
		all = append(all, candidate{name: startMoments, g: in.project(start)})
	}
	for i := range c.o.Starts {
		centers, square := moment.KMeans(some, c.r, lloydRounds, rand.New(rand.NewPCG(c.o.Seed, uint64(i))))
		weights := make([]float64, c.r)
		for j := range weights {
			weights[j] = 1 / float64(c.r)
			if in.basis != nil {
				centers[(j+1)*some.N-1] = 0
			}
		}
		g := moment.Isotropic(weights, centers, math.Max(c.floor, square/float64(c.n)))
		all = append(all, candidate{name: fmt.Sprintf("k-means++ %d", i+1), g: g})
	}
	all = in.rise(some, all, shortSteps, searchRise)
	all = in.rise(some, distinctMixtures(all, some.P), longSteps, searchRise/10)
	if len(all) == 0 {
		return candidate{}
	}
	best := all[0]
	if some == in.data {
		return best
	}
	// All of them may prefer another than some do.
	if all = in.rise(in.data, distinctMixtures(all, some.P), shortSteps, searchRise/10); len(all) > 0 {
		best = all[0]
	}
	in.climb(in.em(in.data), in.data.P, &best, longSteps, searchRise/10)
	return best
}

// rise makes steps of EM from each candidate and returns those with a finite
// likelihood, the best first.
func (in *mixtureData) rise(x *obs.Dense, from []candidate, steps int, rise float64) (kept []candidate) {
	e := in.em(x)
	for _, a := range from {
		if in.climb(e, x.P, &a, steps, rise) {
			kept = append(kept, a)
		}
	}
	slices.SortStableFunc(kept, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.expected, a.expected), cmp.Compare(b.logLikelihood, a.logLikelihood))
	})
	return kept
}

// distinctMixtures returns the best few that differ in their likelihood, and
// that of the moments, which noise leads astray least.
func distinctMixtures(sorted []candidate, p int) (kept []candidate) {
	for _, a := range sorted {
		if len(kept) >= longStarts && a.name != startMoments {
			continue
		}
		if len(kept) == 0 || math.Abs(kept[len(kept)-1].logLikelihood-a.logLikelihood) > sameMixture*float64(p) {
			kept = append(kept, a)
		}
	}
	return kept
}
