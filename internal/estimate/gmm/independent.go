package gmm

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// Limits of starts from the moments off the diagonal.
const (
	// entriesEach is how many entries of the moments an unknown wants.
	entriesEach = 2
	// Forming the moments takes up to formOps operations, a second or two, or as many as
	// formSteps steps of EM.
	formOps   = 4e10
	formSteps = 20
	// The moment of the highest order has up to formBytes, and as much again for products.
	formBytes = 1 << 26

	sameFit     = 1e-6 // of f, of fits that are the same
	keptWeights = .1   // in all: where EM changes weights by more, it left the moments' mixture
	leastLeft   = .05  // of a variable's variance, within components at the start

	independentStreams = 1 << 61
	independentOps     = 2e10 // that all fits take, at most: some seconds
	valueOps           = 8    // that take the time of EM for a value of a component
)

// orders returns those of the moments over distinct indices that determine a mixture whose
// variables are independent within components, or nil if they are not, or that takes too long.
func (c *run) orders() []int {
	switch {
	case c.r == 1:
		return nil
	case c.shape == Spherical && c.t.Array() != nil && !c.o.MomentsOnly: // whose other moments take a pass of their own
	case c.shape != Diagonal:
		return nil
	}
	n, most := float64(c.n), math.Max(formOps, formSteps*8*float64(c.t.P)*float64(c.n)*float64(c.r))
	entries, choose := n+n*(n-1)/2, n*(n-1)/2
	for d := 3; d <= 4; d++ {
		choose *= (n - float64(d) + 1) / float64(d)
		entries += choose
		if bytes := moment.PackedBytes(d, c.n); !c.o.Nonparametric && (bytes > formBytes || bytes/8*2*float64(c.t.P) > most) {
			return nil
		}
		if entries >= entriesEach*float64(c.r*(c.n+1)) {
			return []int{2, 3, 4}[:d-1]
		}
	}
	return nil
}

// independent are the mixtures that fits of the moments over distinct indices find: where the
// variables of a component are independent, these moments are free of their variances, whatever
// they are. Components of a fit share the variances that its means leave.
type independent struct {
	*offDiagonal
	scale []float64 // of the variables, in the coordinates of the run; 0 where all values are the same
	found []momentFit
	made  int // fits, of which some found the same
}

// momentFit is a fit of moments.
type momentFit struct {
	f       float64
	weights []float64
	hits    int // starts that found it
}

// independent makes the moments of these orders, in a pass whose blocks it also passes to see,
// unless that is nil.
func (c *run) independent(orders []int, see func(block.Block)) (*independent, error) {
	x := block.Source(c.t.Storage)
	if see != nil {
		x = &block.Watched{Source: x, See: see}
	}
	central, err := moment.NewCentral(c.ctx, x, nil, c.spread.Mean, orders, c.unit, c.o.Threads)
	if err != nil {
		return nil, err
	}
	c.passes++
	in := &independent{scale: make([]float64, c.n)}
	second := central[0].Dense()
	for i := range in.scale {
		if v := second[i*c.n+i]; v > 0 {
			in.scale[i] = c.unit / math.Sqrt(v)
		}
	}
	in.offDiagonal = newOffDiagonal(central, in.scale, c.r)
	return in, nil
}

// agreed reports whether enough fits found the best one.
func (in *independent) agreed() bool {
	return len(in.found) > 0 && slices.MinFunc(in.found, func(a, b momentFit) int { return cmp.Compare(a.f, b.f) }).hits >= diag.EnoughHits
}

// fit returns the mixture that the fit from another start finds, in the coordinates of the run; nil
// if that was found before, or none was, or the search is cancelled.
func (in *independent) fit(c *run) *Mixture {
	n, r := in.n, in.r
	x, rng := make([]float64, r+r*n), rand.New(rand.NewPCG(c.o.Seed, independentStreams+uint64(in.made)))
	for i := range x {
		if x[i] = rng.NormFloat64(); i < r {
			x[i] = 1 / float64(r)
		}
	}
	in.made++
	f, ok := in.minimize(c.ctx, x)
	if !ok || !linalg.Finite(f) || !linalg.Finite(x...) {
		return nil
	}
	for i, a := range in.found {
		if math.Abs(f-a.f) <= sameFit*math.Abs(f) {
			in.found[i].hits++
			return nil
		}
	}
	g := NewMixture(n, r, Diagonal)
	copy(g.Weights, x[:r])
	var sum float64
	for _, w := range g.Weights {
		sum += w
	}
	linalg.Scale(1/sum, g.Weights)
	in.found = append(in.found, momentFit{f, slices.Clone(g.Weights), 1})
	for i, s := range in.scale {
		left := 1.
		for j, w := range g.Weights {
			if s > 0 {
				a := x[r+j*n+i]
				left -= w * a * a
				g.Means[j*n+i] = a / s
			}
		}
		for j := range r {
			g.Cov[j*n+i] = c.floor
			if s > 0 {
				g.Cov[j*n+i] = math.Max(c.floor, math.Max(left, leastLeft)/(s*s))
			}
		}
	}
	if c.shape == Spherical {
		var mean float64
		for _, v := range g.Cov {
			mean += v / float64(len(g.Cov))
		}
		return Isotropic(g.Weights, g.Means, mean)
	}
	return g
}

// more reports whether another fit is worth its time, which is not to be much more than what EM
// took from all starts so far: it tried that many values of components.
func (in *independent) more(tried float64) bool {
	return in != nil && !in.agreed() && in.operations <= math.Min(independentOps, valueOps*tried)
}

// best returns the best mixture of several fits, or nil.
func (in *independent) best(c *run) (best *Mixture) {
	least := math.Inf(1)
	for in.made < momentStarts && in.more(math.Inf(1)) && c.ctx.Err() == nil {
		if g := in.fit(c); g != nil && in.found[len(in.found)-1].f < least {
			best, least = g, in.found[len(in.found)-1].f
		}
	}
	return best
}

// count sets the numbers of starts that ended at candidates: fits of the moments that found the
// same count each, unless EM left their mixture.
func (in *independent) count(all []candidate) {
	if in == nil {
		return
	}
	for i := range all {
		a := &all[i]
		if a.fit == 0 {
			continue
		}
		fit, moved := in.found[a.fit-1], 0.
		for j, w := range fit.weights {
			moved += math.Abs(a.g.Weights[j]-w) / 2
		}
		if moved <= keptWeights {
			a.starts = fit.hits
		}
	}
}
