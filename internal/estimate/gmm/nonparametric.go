package gmm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Constants of mixtures of which no form is assumed.
const (
	sameStep    = 1e-4 // change of weights, and of means in deviations, that ends steps
	keepKernels = 10   // steps, after which kernels are kept, so that these settle
	sameEnd     = 1e-3 // of the log-likelihood of an observation, between mixtures that are the same
)

// climber is a mixture with its densities, in the data's coordinates, on its way from a fit of moments.
type climber struct {
	*Densities
	g             *Mixture
	start         string
	members       []float64 // effective numbers of observations
	steps, hits   int       // hits are the fits of moments that begin alike
	converged     bool
	logLikelihood float64 // before the last step
}

// nonparametric finds the mixture whose components have independent variables, of any distributions: from fits of
// the moments over distinct indices, which are free of them, by steps that count each observation for the
// components by its probabilities.
func (c *run) nonparametric() error {
	all, err := c.climbers()
	if err != nil {
		return err
	}
	in := newCells(c.ctx, c.t.Storage, c.spread.Mean)
	c.passes++
	var best *climber
	for i, a := range all {
		if in != nil {
			c.climb(a, in)
		}
		if a.Densities == nil {
			all = all[:i]
			break
		}
		if best == nil || a.logLikelihood > best.logLikelihood {
			best = a
		}
	}
	if best == nil {
		return cmp.Or(c.t.Stopped(c.ctx), c.ctx.Err(), fmt.Errorf("mixture: the moments have no solution with %d positive weights: take fewer components", c.r))
	}
	order := best.g.sort(best.members)
	best.reorder(order)
	c.out.Mixture, c.out.Densities, c.out.Members = best.g, best.Densities, best.members
	c.out.Start, c.out.Iterations, c.out.Converged, c.out.LogLikelihood = best.start, best.steps, best.converged, math.NaN()
	for _, a := range all {
		if a == best || best.logLikelihood-a.logLikelihood <= sameEnd*float64(c.t.P) {
			c.out.Hits += a.hits
		}
	}
	if c.moments != nil {
		c.out.Tried = c.moments.made
	}
	if c.ctx.Err() == nil {
		if v, err := best.LogLikelihood(c.ctx, c.t.Storage, nil); err == nil {
			c.out.LogLikelihood = v
			c.out.Warnings = append(c.out.Warnings, c.doubtsOf(best)...)
		}
		c.passes++
	}
	c.out.Passes = c.passes
	return cmp.Or(c.t.Stopped(c.ctx), c.ctx.Err())
}

// climbers returns the fits of the moments over distinct indices to begin from, those that leave least first.
func (c *run) climbers() (all []*climber, err error) {
	add := func(g *Mixture, hits int) {
		c.found = g
		all = append(all, &climber{g: c.inData(), hits: hits, start: startMoments, logLikelihood: math.Inf(-1)})
		c.found = nil
	}
	// Shares, their logarithms and sums of a pass.
	if err := memory.Check(fmt.Sprintf("mixture: densities of %s within %s", words.Plural(c.n, "variable"), words.Plural(c.r, "component")), 3*8*Cells*float64(c.n)*float64(c.r), c.o.MemoryLimit, "take fewer variables", "Columns"); err != nil {
		return nil, err
	}
	if c.r == 1 {
		one := NewMixture(c.n, 1, Diagonal)
		one.Weights[0] = 1
		add(one, 1)
		return all, nil
	}
	orders := c.orders()
	if orders == nil {
		r := c.r
		for c.r--; c.r > 1 && c.orders() == nil; c.r-- {
		}
		return nil, &diag.Argument{Name: "components", Value: r, Want: fmt.Sprintf("at most %d: the moments of %s over distinct indices do not tell more apart; take fewer, or a Gaussian mixture", c.r, words.Plural(c.n, "variable"))}
	}
	if err := memory.Check(fmt.Sprintf("mixture: the moments of order %d of %s", len(orders)+1, words.Plural(c.n, "variable")), 2*moment.PackedBytes(len(orders)+1, c.n), c.o.MemoryLimit, "take fewer variables", "Columns"); err != nil {
		return nil, err
	}
	if c.moments, err = c.independent(orders, nil); err != nil {
		return nil, err
	}
	var fits []*Mixture
	for in := c.moments; in.made < momentStarts && in.more(math.Inf(1)) && c.ctx.Err() == nil; {
		if g := in.fit(c); g != nil {
			fits = append(fits, g)
		}
	}
	places := make([]int, len(fits))
	for i := range places {
		places[i] = i
	}
	found := c.moments.found
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(found[a].f, found[b].f) })
	most := max(1, c.o.Starts)
	if c.o.MomentsOnly || c.t.Slow() {
		most = 1
	}
	for _, i := range places[:min(most, len(places))] {
		add(fits[i], found[i].hits)
	}
	return all, cmp.Or(c.t.Stopped(c.ctx), c.ctx.Err())
}

// climb takes steps from a fit of moments until they change little.
func (c *run) climb(a *climber, in *cells) {
	x, p := c.t.Storage, float64(c.t.P)
	d := newDensities(in, c.r)
	if !d.fromProducts(c.ctx, x, a.g, 1/p, c.o.Threads) {
		return
	}
	members := slices.Clone(a.g.Weights)
	linalg.Scale(p, members)
	d.smooth(a.g, members)
	a.Densities, a.members, d.kernels = d, members, make([]float64, len(d.own))
	c.passes++
	most := c.o.MaxIterations
	switch {
	case c.o.MomentsOnly:
		most = 0
	case c.t.Slow() && !c.o.Unlimited:
		most = min(most, StreamPasses)
	}
	for a.steps < most && !a.converged {
		change, logLikelihood, ok := d.step(c.ctx, x, a.g, a.members, c.o.Threads)
		if !ok {
			return
		}
		c.passes++
		a.steps++
		d.keep = a.steps >= keepKernels
		a.converged, a.logLikelihood = change <= sameStep, logLikelihood
		c.tell(progress.Report{Phase: progress.EM, Iterations: a.steps, Objective: logLikelihood})
	}
}

// fromProducts sets the shares to those that the products of other variables give: with F_q the sum
// over q distinct indices other than i, of weights tau_q as in offDiagonal, and 1_c that of a cell,
//
//	E[1_c(x_i) F_q(x * a_k)] = sum_j w_j E_j[1_c(x_i)] F_q(a_j * a_k),  q = 0 to 2,
//
// are r linear equations for the r shares of a cell, those of least squares over all of these moments
// (Zhang & Kileel 2022). A ridge is added to their matrix, relative to the mean of its diagonal: 1/p changes
// shares less than chance does, and gives components that no other variable tells apart the shares of all
// observations. It returns false if cancelled.
func (d *Densities) fromProducts(ctx context.Context, x block.Source, g *Mixture, ridge float64, threads int) bool {
	n, r := d.N, d.R
	a, squares, tau := make([]float64, r*n), make([]float64, r*n), [3]float64{1}
	for j := range r {
		for i := range n {
			a[j*n+i] = (g.Means[j*n+i] - d.center[i]) * d.scale[i]
		}
	}
	linalg.Multiply(squares, a, a)
	for q, terms := 1, float64(n-1); q < len(tau) && terms > 0; q++ {
		tau[q] = 1 / terms
		terms *= float64(n - 1 - q)
	}
	// Without variable i the sums of an observation are level + slope a_i z_i + 2 tau_2 (a_i z_i)^2.
	sums := d.sum(ctx, x, len(d.shares), threads, func(s *piece, sums []float64) {
		rows := len(s.weights)
		linalg.MulABt(s.level, s.z, a, rows, r, n)
		linalg.MulABt(s.second, s.squares, squares, rows, r, n)
		for k, p1 := range s.level[:rows*r] {
			s.level[k] = tau[0] + tau[1]*p1 + tau[2]*(p1*p1-s.second[k])
			s.slope[k] = -tau[1] - 2*tau[2]*p1
		}
		for l, w := range s.weights {
			level, slope := s.level[l*r:(l+1)*r], s.slope[l*r:(l+1)*r]
			for i, v := range s.v[l*n : (l+1)*n] {
				to, z := sums[d.cell(i, v):][:r], s.z[l*n+i]
				for j := range to {
					u := a[j*n+i] * z
					to[j] += w * (level[j] + slope[j]*u + 2*tau[2]*u*u)
				}
			}
		}
	})
	if sums == nil {
		return false
	}
	copy(d.shares, sums)
	p1, p2, m, masses := make([]float64, r*r), make([]float64, r*r), make([]float64, r*r), make([]float64, r*Cells)
	linalg.MulABt(p1, a, a, r, r, n)
	linalg.MulABt(p2, squares, squares, r, r, n)
	for i := range n {
		var trace float64
		for j := range r {
			for k := range r {
				p1, p2, u := p1[j*r+k], p2[j*r+k], a[j*n+i]*a[k*n+i]
				m[j*r+k] = tau[0] + tau[1]*(p1-u) + tau[2]*(p1*p1-p2-2*u*(p1-u))
			}
			trace += m[j*r+j]
		}
		for j := range r {
			m[j*r+j] += ridge * trace / float64(r)
		}
		linalg.Cholesky(m, r, r)
		own := d.shares[i*Cells*r : (i+1)*Cells*r]
		linalg.Transpose(masses, Cells, own, r, Cells)
		linalg.CholeskySolve(m, r, r, masses, Cells)
		linalg.Transpose(own, r, masses, Cells, r)
	}
	d.deviate(g)
	return true
}

// deviate sets the variances of g to those of the shares, which need not sum to 1.
func (d *Densities) deviate(g *Mixture) {
	for i := range d.N {
		for j := range d.R {
			if d.scale[i] == 0 {
				g.Cov[j*d.N+i] = 0
				continue
			}
			var sum, mean, square float64
			for c := range Cells {
				s, u := d.shares[(i*Cells+c)*d.R+j], float64(c)
				sum, mean, square = sum+s, mean+s*u, square+s*u*u
			}
			mean /= sum
			v := math.Max(1, math.Min(Cells*Cells, square/sum-mean*mean)) // also if it is NaN
			g.Cov[j*d.N+i] = v * d.Width[i] * d.Width[i]
		}
	}
}

// step replaces g, its densities, and the effective numbers of observations of its components by those
// that follow from the probabilities of components (Benaglia, Chauveau & Hunter 2009). It returns by how
// much weights and means, in deviations of all observations, changed at most, with the log-likelihood
// before that, and false if cancelled. One pass.
func (d *Densities) step(ctx context.Context, x block.Source, g *Mixture, members []float64, threads int) (change, logLikelihood float64, ok bool) {
	p, _ := x.Shape()
	n, r := d.N, d.R
	size := len(d.shares)
	sums := d.sum(ctx, x, size+2*r+2*r*n+1, threads, func(s *piece, sums []float64) {
		for l, w := range s.weights {
			v, z := s.v[l*n:(l+1)*n], s.level[l*r:(l+1)*r]
			sums[len(sums)-1] += w * d.probabilities(z, v, nil)
			linalg.Scale(w, z)
			for i, u := range v {
				to := sums[d.cell(i, u):][:r]
				for j, z := range z {
					to[j] += z
				}
			}
			for j, z := range z {
				sums[size+j] += z
				sums[size+r+j] += z * z
			}
		}
		linalg.AddAtB(sums[size+2*r:size+2*r+r*n], s.level, s.z, r, n, len(s.weights))
		linalg.AddAtB(sums[size+2*r+r*n:len(sums)-1], s.level, s.squares, r, n, len(s.weights))
	})
	if sums == nil {
		return 0, 0, false
	}
	copy(d.shares, sums)
	weights, means, squares := sums[size:size+r], sums[size+2*r:size+2*r+r*n], sums[size+2*r+r*n:]
	total := sum(weights)
	for j, w := range weights {
		members[j] = w * w / sums[size+r+j]
		change = math.Max(change, math.Abs(w/total-g.Weights[j]))
		g.Weights[j] = w / total
		for i, s := range d.scale {
			k := j*n + i
			if s == 0 {
				g.Cov[k] = 0
				continue
			}
			mean := means[k] / w
			change = math.Max(change, math.Abs(d.center[i]+mean/s-g.Means[k])*s)
			g.Means[k] = d.center[i] + mean/s
			g.Cov[k] = math.Max(0, squares[k]/w-mean*mean) / (s * s)
		}
	}
	d.smooth(g, members)
	return change, sums[len(sums)-1] * float64(p), true
}
