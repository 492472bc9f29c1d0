package ranks

import (
	"context"
	"hash/maphash"
	"math"
	"slices"

	"symmom/internal/estimate/gmm"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// apartAlone reports whether the components of the best mixture of the drawn observations are
// groups that lie apart, unless independent variables, each with groups of its own, make as many:
// those with each column permuted then have them, too.
func (c *Search) apartAlone(g *gmm.Mixture) (bool, error) {
	if ok, err := plain(c.ctx, c.drawn, g); !ok {
		return false, err
	}
	t := c.permuted(0)
	f, err := c.mixture(t, g.R)
	if interrupted(err) {
		return false, err
	}
	if f.Mixture == nil {
		return true, nil
	}
	if ok, err := plain(c.ctx, t.Array().Dense(), f.Mixture); !ok {
		return err == nil, err
	}
	m, err := c.compare(t, float64(t.P))
	return err == nil && m.rank != g.R, err
}

// Groups lie apart if on the line between the means of any two there are far fewer of their
// observations in some window than in those about both means: at most valleyShare, and not by
// chance, valleyErrors standard errors of counts. Skewed or heavy-tailed data without groups have
// no such valley, however many components their mixtures have. Positions are in units of the
// distance of the means, from one to the other.
const (
	valleyShare  = .4
	valleyErrors = 3
	windowHalf   = 1. / 6
)

var valleys = [...]float64{.35, .45, .55, .65}

// plain reports whether the components of a mixture are groups that lie apart.
func plain(ctx context.Context, x *block.Dense, g *gmm.Mixture) (bool, error) {
	of, err := gmm.MostLikely(ctx, g, x, nil)
	if err != nil || repeated(x) {
		return false, err
	}
	n, r := g.N, g.R
	type pair struct {
		axis         []float64 // from one mean to the other
		base, square float64   // products of it with the first mean, and itself
		ends         [2]float64
		inner        [len(valleys)]float64
	}
	pairs := make([]pair, r*r) // i < j
	for i := range r {
		for j := i + 1; j < r; j++ {
			axis := slices.Clone(g.Means[j*n : (j+1)*n])
			linalg.Axpy(-1, g.Means[i*n:(i+1)*n], axis)
			pairs[i*r+j] = pair{axis: axis, base: linalg.Dot(axis, g.Means[i*n:(i+1)*n]), square: linalg.Dot(axis, axis)}
		}
	}
	var wide []float64
	for l := range x.P {
		v := x.Values(l, l+1, &wide)
		for k := range r {
			if k == of[l] {
				continue
			}
			c := &pairs[min(k, of[l])*r+max(k, of[l])]
			at := (linalg.Dot(c.axis, v) - c.base) / c.square
			for end := range c.ends {
				if math.Abs(at-float64(end)) < windowHalf {
					c.ends[end]++
				}
			}
			for i, center := range valleys {
				if math.Abs(at-center) < windowHalf {
					c.inner[i]++
				}
			}
		}
	}
	for i := range r {
		for _, c := range pairs[i*r+i+1 : (i+1)*r] {
			peak, valley := least(c.ends[:]), least(c.inner[:])
			if !(valley <= valleyShare*peak) || peak-valley < valleyErrors*math.Sqrt(peak+valley) {
				return false, nil
			}
		}
	}
	return true, nil
}

// repeated reports whether more than half of the rows have occurred before.
func repeated(x *block.Dense) bool {
	var row maphash.Hash
	seen, wide := map[uint64]bool{}, []float64(nil)
	for l := range x.P {
		row.Reset()
		for _, v := range x.Values(l, l+1, &wide) {
			maphash.WriteComparable(&row, v)
		}
		seen[row.Sum64()] = true
	}
	return 2*len(seen) < x.P
}
