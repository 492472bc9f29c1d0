package gmm

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"symmom/internal/linalg"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/words"
)

// regular reports whether a mixture is a maximum of a likelihood that has one: no variance is the least
// that is allowed, where a lower one would raise it without bound, no component depends on tied values, and all
// have the observations that their covariance takes. The likelihoods of others compare with each other alone:
// starts that are not regular give way to those that are, and so do sizes (package bic), by the warnings of doubts.
func (in *coordinates) regular(x *obs.Dense, g *Mixture, members []float64) bool {
	c := in.run
	return len(g.narrow(c.floor)) == 0 && len(g.few(c.n, members)) == 0 && len(in.tied(x, g)) == 0
}

// narrow returns the components whose variance in some direction is not above a floor, but for rounding.
func (g *Mixture) narrow(floor float64) (of []int) {
	n := g.N
	l, all := make([]float64, n*n), slices.Repeat([]float64{floor * (1 + 1e-6)}, n)
	size := len(g.Cov) / g.R
	for j := range g.R {
		s, low := g.Cov, false
		if g.Shape != Tied {
			s = g.Cov[j*size : (j+1)*size]
		}
		switch g.Shape {
		case Spherical, Diagonal:
			low = slices.Min(s) <= all[0]
		default:
			low = !above(context.Background(), l, s, all)
		}
		if low {
			of = append(of, j)
		}
	}
	return of
}

// few returns the components of a mixture of n variables whose effective numbers of observations are
// not above those that they need.
func (g *Mixture) few(n int, members []float64) (of []int) {
	for j := range members {
		if g.R > 1 && !(g.own(j, members) > g.needs(n)+.5) {
			of = append(of, j)
		}
	}
	return of
}

// own returns how many observations the covariance of component j is of: all of them for Tied.
func (g *Mixture) own(j int, members []float64) float64 {
	if g.Shape == Tied {
		return g.effective(members)
	}
	return members[j]
}

// needs returns how many observations leave a covariance without a bound, or others without a finite
// expected likelihood (Optimism).
func (g *Mixture) needs(n int) float64 {
	switch g.Shape {
	case Spherical:
		if n > 1 {
			return 2
		}
		return 3
	case Diagonal:
		return 3
	case Tied:
		return float64(g.R + n + 1)
	}
	return float64(n + 2)
}

// setAside warns that starts which are not regular have a higher likelihood than the best of those that are.
func (c *run) setAside(best *candidate, all []candidate) {
	starts, by := 0, 0.
	for _, a := range all {
		if d := a.logLikelihood - best.logLikelihood; !a.regular() && d > 0 {
			starts, by = starts+a.starts, max(by, d)
		}
	}
	if best.regular() && starts > 0 {
		c.out.Warnings = append(c.out.Warnings, notice.New(notice.SetAside, "%d of %s set aside, though with a log-likelihood higher by up to %.2g: they have a component at the lower bound of variances, of tied values or of very few observations", starts, words.Plural(c.out.Tried, "start"), by))
	}
}

// members returns the effective numbers of observations of the components of g, where of equal observations only
// as many count, with their mean weight, as g makes likely, or one; known are those that EM over x counted.
func (in *coordinates) members(e *EM, x *obs.Dense, g *Mixture, known []float64) []float64 {
	if len(in.copies) != x.P || known == nil {
		return known
	}
	counts, squares := make([]float64, g.R), make([]float64, g.R)
	if !e.Responsibilities(in.run.ctx, g, func(l int, z []float64, density float64) {
		c := in.copies[l]
		likely := float64(x.P) * math.Exp(density+in.run.cell)
		share := max(1, min(c.number, likely)) / c.number
		linalg.Axpy(share*c.weight, z, counts)
		linalg.Axpy(share*c.weight*c.weight, z, squares)
	}) {
		return known
	}
	out := make([]float64, g.R)
	for j, c := range counts {
		if c > 0 {
			out[j] = c * c / squares[j]
		}
	}
	return out
}

// copies are equal observations: how many, and their mean weight.
type copies struct{ number, weight float64 }

// copiesOf returns for each observation those that are equal to it, or nil if no two are.
func copiesOf(x *obs.Dense) []copies {
	of, key := map[string]copies{}, make([]byte, 8*x.N)
	row := func(l int) []byte {
		for i, v := range x.V[l*x.N : (l+1)*x.N] {
			binary.LittleEndian.PutUint64(key[8*i:], math.Float64bits(v))
		}
		return key
	}
	for l := range x.P {
		c := of[string(row(l))]
		of[string(key)] = copies{c.number + 1, c.weight + (x.Weight(l)-c.weight)/(c.number+1)}
	}
	if len(of) == x.P {
		return nil
	}
	out := make([]copies, x.P)
	for l := range out {
		out[l] = of[string(row(l))]
	}
	return out
}
