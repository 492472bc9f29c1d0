package gmm

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// regular reports whether a mixture is a maximum of a likelihood that has one: no component has closed in on a few
// observations or on tied values, where a lower bound of variances would raise it without end, and all have the
// observations that their covariance takes. The likelihoods of others compare with each other alone: starts that are
// not regular give way to those that are.
func (in *coordinates) regular(x *block.Dense, g *Mixture, members []float64) bool {
	return len(g.few(in.run.n, members)) == 0 && !in.closed(x, g, members) && len(in.tied(x, g)) == 0
}

// closed reports whether a component at the least variance that is allowed has closed in on observations that chance
// left near each other: they are few for its parameters (fewestData), or half of them are the same in a direction in
// which it is that narrow. Many that differ make it narrow by themselves, and the likelihood has a maximum: of 18
// components in 30 variables, three of which had a standard deviation of less than 1e-3, 100 starts found all, with a
// log-likelihood higher by 18,000 than that of the best start without such a component. In 400 random tables and 18 of
// noise no start had one on the bound with more observations than few allows.
func (in *coordinates) closed(x *block.Dense, g *Mixture, members []float64) bool {
	c := in.run
	narrow := g.narrow(c.floor)
	if len(narrow) == 0 {
		return false
	}
	own := Mixture{R: 1, N: c.n, Shape: g.Shape}
	if g.Shape == Tied {
		own.R = g.R
	}
	for _, j := range narrow {
		if !(g.own(j, members) >= fewestData*float64(own.Parameters())) {
			return true
		}
	}
	return in.alike(x, g, narrow)
}

// alike reports whether half of the observations of one of some components are the same in a direction in which its
// variance is the least that is allowed. Rows that are equal in all variables are counted as one before (members).
func (in *coordinates) alike(x *block.Dense, g *Mixture, of []int) bool {
	c, n := in.run, g.N
	if g.Shape == Spherical {
		return false
	}
	z := in.responsibilities(x, g)
	if z == nil {
		return true // interrupted
	}
	rows := make([]valued, x.P)
	along := func(direction []float64, j int) {
		for l := range rows {
			rows[l] = valued{l, linalg.Dot(x.V[l*n:(l+1)*n], direction), x.Weight(l) * z[l*g.R+j]}
		}
	}
	s := make([]float64, n*n)
	for _, j := range of {
		if g.Shape == Diagonal {
			for i, v := range g.Cov[j*n : (j+1)*n] {
				if direction := make([]float64, n); v <= c.floor*atBound {
					direction[i] = 1
					if along(direction, j); same(half(rows), c.floor) {
						return true
					}
				}
			}
			continue
		}
		// The direction is inexact if other observations are in the component, that of the half in which they are
		// nearest to each other is not: a concentration step (Rousseeuw & Van Driessen 1999).
		g.Matrix(s, j)
		for range 3 {
			_, columns, ok, err := eigen.SymContext(c.ctx, eigen.SymOf(s, n), true)
			if err != nil || !ok {
				return true
			}
			direction := make([]float64, n)
			for i := range direction {
				direction[i] = columns[i*n]
			}
			along(direction, j)
			nearest := half(rows)
			if same(nearest, c.floor) {
				return true
			}
			scatter(s, x, nearest)
		}
	}
	return false
}

// valued is an observation's value in a direction.
type valued struct {
	row           int
	value, weight float64
}

// same reports whether sorted values are one up to rounding.
func same(rows []valued, floor float64) bool {
	return rows[len(rows)-1].value-rows[0].value <= 1e-6*math.Sqrt(floor)
}

// half returns those of the shortest interval that holds half of the weight of rows, which it sorts.
func half(rows []valued) []valued {
	slices.SortFunc(rows, func(a, b valued) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.row, b.row)) })
	var all, in float64
	for _, v := range rows {
		all += v.weight
	}
	nearest, from := rows, 0
	for to, v := range rows {
		for in += v.weight; in >= all/2 && from < to; from++ {
			if v.value-rows[from].value < nearest[len(nearest)-1].value-nearest[0].value {
				nearest = rows[from : to+1]
			}
			in -= rows[from].weight
		}
	}
	return nearest
}

// scatter sets s to the covariance of some observations, up to a factor.
func scatter(s []float64, x *block.Dense, of []valued) {
	n := x.N
	center, d := make([]float64, n), make([]float64, n)
	var sum float64
	for _, r := range of {
		sum += r.weight
		linalg.Axpy(r.weight, x.V[r.row*n:(r.row+1)*n], center)
	}
	clear(s)
	for _, r := range of {
		copy(d, x.V[r.row*n:(r.row+1)*n])
		linalg.Axpy(-1/sum, center, d)
		for i, v := range d {
			linalg.Axpy(r.weight*v, d, s[i*n:(i+1)*n])
		}
	}
}

// narrow returns the components whose variance in some direction is not above a floor, up to rounding.
func (g *Mixture) narrow(floor float64) (of []int) {
	var factor []float64
	all, size := slices.Repeat([]float64{floor * (1 + 1e-6)}, g.N), len(g.Cov)/g.R
	for j := range g.R {
		s, low := g.Cov, false
		if g.Shape != Tied {
			s = g.Cov[j*size : (j+1)*size]
		}
		switch g.Shape {
		case Spherical, Diagonal:
			low = slices.Min(s) <= all[0]
		default:
			if factor == nil {
				factor = make([]float64, g.N*g.N)
			}
			low = !above(context.Background(), factor, s, all)
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

// noticeableRise is a difference of the log-likelihood that is worth a warning.
const noticeableRise = .01

// setAside warns that starts of a higher likelihood were passed over for the chosen one: they are not regular, or have
// a lower expected likelihood by Optimism. In nine random tables where this chose one with more starts, whose likelihood
// was lower by 2.2 on average, that of fresh observations was higher by 17 on average in five, and lower by 1.5 in four.
// With fewer components none needs so few observations.
func (c *run) setAside(chosen *candidate, all []candidate) {
	starts, by := 0, 0.
	for _, a := range all {
		if d := a.logLikelihood - chosen.logLikelihood; d > noticeableRise {
			starts, by = starts+a.starts, max(by, d)
		}
	}
	if chosen.regular() && starts > 0 {
		c.out.Warnings = append(c.out.Warnings, diag.New(diag.SetAside, "%d of %s set aside, though with a log-likelihood higher by up to %.2g: they have a component at the lower bound of variances, of tied values or of few observations for its parameters; take fewer components", starts, words.Plural(c.out.Tried, "start"), by).With("components"))
	}
}

// members returns the effective numbers of observations of the components of g, where of equal observations only
// as many count, with their mean weight, as g makes likely, or one; known are those that EM over x counted.
func (in *coordinates) members(e *EM, x *block.Dense, g *Mixture, known []float64) []float64 {
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
func copiesOf(x *block.Dense) []copies {
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
