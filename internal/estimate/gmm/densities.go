package gmm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// cells divide what the observations take of each variable: of variable i cell c begins at Low[i] + c Width[i].
type cells struct {
	Low, Width    []float64 // n
	center, scale []float64 // (x - center) scale has mean 0 and variance 1 over all observations; a scale of 0: a constant
	volume        float64   // logarithm of that of a cell of all variables
}

// Densities are those of the variables of each component of a mixture, of which no form is assumed,
// in cells. Variables are independent within components.
type Densities struct {
	N, R int
	*cells
	weights []float64
	shares  []float64 // n x Cells x r, of the components in the cells
	logs    []float64 // of shares, not below some
	own     []float64 // n x r: of an observation's share, how much its own cell keeps
	kernels []float64 // n x r: deviations of kernels, in cells; nil while the shares are not those of observations
	keep    bool      // kernels are not chosen again
}

// Constants of Densities.
const (
	Cells       = 256
	farthest    = 8    // deviations from the mean to the outermost cells, at most
	smoothing   = .9   // deviations times observations^-1/5, the deviation of the widest kernel (Silverman 1986)
	narrower    = .6   // of the next one
	narrowest   = .3   // cells
	reach       = 4    // deviations of the kernel
	usedCell    = 1e-4 // of a component, in a cell that counts
	leastInCell = 1e-6 // of what it would be in equal cells, of a cell in logarithms
)

// newCells returns the cells of observations with a mean. One pass; nil if cancelled.
func newCells(ctx context.Context, x block.Source, mean []float64) *cells {
	n := len(mean)
	d := &cells{Low: slices.Repeat([]float64{math.Inf(1)}, n), Width: slices.Repeat([]float64{1}, n), center: mean, scale: make([]float64, n)}
	high, variance := slices.Repeat([]float64{math.Inf(-1)}, n), make([]float64, n)
	var wide []float64
	if !x.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rowsAtOnce {
			v := b.Values(lo, min(lo+rowsAtOnce, b.Rows), n, &wide)
			for l := lo; len(v) > 0; v, l = v[n:], l+1 {
				w := b.Weight(l) * x.Share()
				for i, u := range v[:n] {
					d.Low[i], high[i] = math.Min(d.Low[i], u), math.Max(high[i], u)
					variance[i] += w * (u - mean[i]) * (u - mean[i])
				}
			}
		}
	}) || ctx.Err() != nil {
		return nil
	}
	for i, v := range variance {
		if high[i] > d.Low[i] && v > 0 {
			d.scale[i] = 1 / math.Sqrt(v)
			d.Low[i] = math.Max(d.Low[i], mean[i]-farthest/d.scale[i])
			d.Width[i] = (math.Min(high[i], mean[i]+farthest/d.scale[i]) - d.Low[i]) / Cells
		}
	}
	d.measure()
	return d
}

// measure sets the volume.
func (d *cells) measure() {
	for _, w := range d.Width {
		d.volume += math.Log(w)
	}
}

// newDensities returns those of r components in cells, yet without shares.
func newDensities(in *cells, r int) *Densities {
	n := len(in.Low)
	return &Densities{N: n, R: r, cells: in, weights: make([]float64, r), shares: make([]float64, n*Cells*r), logs: make([]float64, n*Cells*r), own: make([]float64, n*r)}
}

// DensitiesOf returns those of a file, of which Shares are n x Cells x r.
func DensitiesOf(weights, low, width, shares []float64) *Densities {
	d := newDensities(&cells{Low: low, Width: width}, len(weights))
	d.measure()
	d.weights, d.shares = weights, shares
	for k, v := range shares {
		d.logs[k] = logShare(v)
	}
	return d
}

// logShare is the logarithm of a share, not below some.
func logShare(v float64) float64 { return math.Log(math.Max(v, leastInCell/Cells)) }

// Shares returns the shares of the components in the cells, n x Cells x r, not a copy.
func (d *Densities) Shares() []float64 { return d.shares }

// cell returns the first of the r shares of the cell of variable i that holds v.
func (d *Densities) cell(i int, v float64) int {
	c := math.Max(0, math.Min(Cells-1, (v-d.Low[i])/d.Width[i]))
	return (i*Cells + int(c)) * d.R
}

// smooth smooths the shares of a mixture by normal kernels, so that none is below 0, and makes them sum to 1. Where the
// shares are those of observations, of which each component has so many in effect, a kernel is that under which these are most
// likely, each left out of its own density. Values that many have stay apart then: smoothed, they would favour the
// component whose kernel is narrower, in each variable again. Before, all components have the narrowest.
func (d *Densities) smooth(g *Mixture, effective []float64) {
	mass := make([][]float64, d.R)
	for j := range mass {
		mass[j] = make([]float64, Cells)
	}
	out, best, widest := make([]float64, Cells), make([]float64, Cells), make([]float64, d.R)
	for i := range d.N {
		own := d.shares[i*Cells*d.R : (i+1)*Cells*d.R]
		for j := range mass {
			for c := range Cells {
				mass[j][c] = own[c*d.R+j]
			}
			if total := sum(mass[j]); total != 0 {
				linalg.Scale(1/total, mass[j])
			}
			widest[j] = smoothing * spreadOf(mass[j], math.Sqrt(g.Variance(j, i))/d.Width[i]) * math.Pow(math.Max(1, effective[j]), -.2)
		}
		least := slices.Min(widest)
		for j, m := range mass {
			k := i*d.R + j
			switch {
			case d.scale[i] == 0:
				copy(best, m)
				d.own[k] = 1
			case d.kernels == nil:
				d.own[k] = spread(best, m, least)
			case d.keep:
				d.own[k] = spread(best, m, d.kernels[k])
			default:
				d.own[k], d.kernels[k] = smoothest(best, out, m, effective[j], widest[j])
			}
			for c, v := range best {
				own[c*d.R+j], d.logs[(i*Cells+c)*d.R+j] = v, logShare(v)
			}
		}
	}
	copy(d.weights, g.Weights)
}

// spreadOf returns the deviation of a distribution over cells, or what its quartiles make of it for a normal one, if that
// is less.
func spreadOf(mass []float64, deviation float64) float64 {
	var below float64
	var quartiles []float64
	for c, m := range mass {
		for below += m; len(quartiles) < 2 && below >= .25+.5*float64(len(quartiles)); {
			quartiles = append(quartiles, float64(c))
		}
	}
	if len(quartiles) == 2 && quartiles[1] > quartiles[0] {
		return math.Min(deviation, (quartiles[1]-quartiles[0])/1.349)
	}
	return deviation
}

// smoothest sets best to masses spread by the normal kernel, at most as wide as given, under which p observations are
// most likely, each without its own part, and returns that part of the density where it is, and the kernel's deviation.
func smoothest(best, out, mass []float64, p, widest float64) (own, kernel float64) {
	most := math.Inf(-1)
	for deviation := widest; ; deviation *= narrower {
		if deviation < narrowest {
			deviation = 0
		}
		self := spread(out, mass, deviation)
		var likelihood float64
		for c, m := range mass {
			if m > 0 {
				likelihood += m * logShare((out[c]-self/p)/(1-1/p))
			}
		}
		if likelihood > most {
			most, own, kernel = likelihood, self, deviation
			copy(best, out)
		}
		if deviation == 0 {
			return own, kernel
		}
	}
}

// spread sets out to masses spread by a normal kernel, none below 0, of sum 1, and returns what stays of a mass where it
// is.
func spread(out, mass []float64, deviation float64) float64 {
	kernel := []float64{1}
	for k := 1; float64(k) <= reach*deviation && k < len(mass); k++ {
		kernel = append(kernel, math.Exp(-float64(k*k)/(2*deviation*deviation)))
	}
	var total float64
	for c := range out {
		out[c] = mass[c]
		for k := 1; k < len(kernel); k++ {
			if c >= k {
				out[c] += kernel[k] * mass[c-k]
			}
			if c+k < len(mass) {
				out[c] += kernel[k] * mass[c+k]
			}
		}
		out[c] = math.Max(0, out[c])
		total += out[c]
	}
	linalg.Scale(1/total, out)
	return 1 / total
}

// probabilities sets z to the probabilities of the components for an observation whose variables are
// in an order, as in Mixture.Reordered, and returns the logarithm of its density.
func (d *Densities) probabilities(z, v []float64, order []int) float64 {
	for j, w := range d.weights {
		z[j] = math.Log(w)
	}
	for i, u := range v {
		if order != nil {
			i = order[i]
		}
		at := d.cell(i, u)
		for j, l := range d.logs[at : at+d.R] {
			z[j] += l
		}
	}
	return shared(z) - d.volume
}

// shared turns logarithms into shares of their numbers' sum, and returns its logarithm.
func shared(z []float64) float64 {
	top, sum := slices.Max(z), 0.
	for j, v := range z {
		z[j] = math.Exp(v - top)
		sum += z[j]
	}
	linalg.Scale(1/sum, z)
	return top + math.Log(sum)
}

// below returns the shares below each cell and half of its own, less a half: ranks of the observations in it.
func (d *Densities) below() []float64 {
	out := make([]float64, len(d.shares))
	for i := range d.N {
		for j := range d.R {
			sum := -.5
			for c := range Cells {
				k := (i*Cells+c)*d.R + j
				out[k] = sum + d.shares[k]/2
				sum += d.shares[k]
			}
		}
	}
	return out
}

// parameters returns about how many the densities have: the sum of what cells that are in use keep of their own.
func (d *Densities) parameters() (sum float64) {
	for i := range d.N {
		for k, share := range d.shares[i*Cells*d.R : (i+1)*Cells*d.R] {
			if share > usedCell {
				sum += d.own[i*d.R+k%d.R]
			}
		}
	}
	return sum
}

// gain returns the logarithm of the density of an observation of a weight, for whose components it has probabilities z,
// over the product of those of its variables, both without its own part.
func (d *Densities) gain(z, v []float64, weight float64) float64 {
	joint, alone := make([]float64, d.R), 0.
	for i, u := range v {
		at, density := d.cell(i, u), 0.
		for j, w := range d.weights {
			own := math.Min(.5, weight*z[j]/w)
			l := logShare((d.shares[at+j] - own*d.own[i*d.R+j]) / (1 - own))
			joint[j] += l
			density += w * math.Exp(l)
		}
		alone += math.Log(density)
	}
	for j, w := range d.weights {
		joint[j] += math.Log(w)
	}
	return shared(joint) - alone
}

// each calls do with the probabilities of the components for each observation of x, whose variables are in an
// order, and the logarithm of its density.
func (d *Densities) each(ctx context.Context, x block.Source, order []int, do func(l int, weight float64, z []float64, density float64)) error {
	z, at := make([]float64, d.R), 0
	var wide []float64
	if !x.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rowsAtOnce {
			v := b.Values(lo, min(lo+rowsAtOnce, b.Rows), d.N, &wide)
			for l := lo; len(v) > 0; v, l = v[d.N:], l+1 {
				density := d.probabilities(z, v[:d.N], order)
				do(at, b.Weight(l), z, density)
				at++
			}
		}
	}) || ctx.Err() != nil {
		return block.Stopped(ctx, x)
	}
	return nil
}

// Responsibilities is Mixture.Responsibilities by the products of the densities.
func (d *Densities) Responsibilities(ctx context.Context, x block.Source, order []int, do func(l int, z []float64)) error {
	return d.each(ctx, x, order, func(l int, _ float64, z []float64, _ float64) { do(l, z) })
}

// LogLikelihood is Mixture.LogLikelihood by the products of the densities.
func (d *Densities) LogLikelihood(ctx context.Context, x block.Source, order []int) (float64, error) {
	p, _ := x.Shape()
	var sum float64
	err := d.each(ctx, x, order, func(_ int, weight float64, _ []float64, density float64) { sum += weight * density })
	return sum * x.Share() * float64(p), err
}

// Density returns that of variable i in component j in each of the Cells.
func (d *Densities) Density(j, i int) []float64 {
	out := make([]float64, Cells)
	for c := range out {
		out[c] = d.shares[(i*Cells+c)*d.R+j] / d.Width[i]
	}
	return out
}

// Draw draws an observation of component j.
func (d *Densities) Draw(rng *rand.Rand, v []float64, j int) {
	for i := range v {
		left, c := rng.Float64(), 0
		for ; c < Cells-1; c++ {
			if left -= d.shares[(i*Cells+c)*d.R+j]; left < 0 {
				break
			}
		}
		v[i] = d.Low[i] + (float64(c)+rng.Float64())*d.Width[i]
	}
}

// reorder puts the components in an order.
func (d *Densities) reorder(order []int) {
	d.weights, d.kernels = linalg.Picked(d.weights, order), nil
	for _, all := range [][]float64{d.shares, d.logs, d.own} {
		for of := range slices.Chunk(all, d.R) {
			copy(of, linalg.Picked(of, order))
		}
	}
}

// rowsAtOnce is how many observations are worked on together, so that they stay in the cache.
const rowsAtOnce = 128

// piece are some observations that are worked on together.
type piece struct {
	v       []float64 // rows x n
	weights []float64 // rows, of sum 1 over all
	z       []float64 // rows x n, (v - center) scale
	wide    []float64
	squares []float64 // of z
	level   []float64 // rows x r, and so on
	slope   []float64
	second  []float64
}

// sum returns size sums over all observations, which do adds to piece by piece, or nil if cancelled.
// They are the same bits for any number of threads.
func (d *Densities) sum(ctx context.Context, x block.Source, size, threads int, do func(s *piece, sums []float64)) []float64 {
	n, share, groups := d.N, x.Share(), block.Groups(x, size)
	sums := make([]float64, groups*size)
	work := make([]piece, min(parallel.Threads(threads), groups))
	for w := range work {
		many, few := rowsAtOnce*n, rowsAtOnce*d.R
		work[w] = piece{weights: make([]float64, rowsAtOnce), z: make([]float64, many), squares: make([]float64, many), level: make([]float64, few), slope: make([]float64, few), second: make([]float64, few)}
	}
	var now block.Block
	pool := parallel.Pool{Threads: len(work), Job: func(worker, g int) {
		s := &work[worker]
		end := block.GroupStart(g+1, groups, now.Rows)
		for lo := block.GroupStart(g, groups, now.Rows); lo < end && ctx.Err() == nil; lo += rowsAtOnce {
			hi := min(lo+rowsAtOnce, end)
			s.v = now.Values(lo, hi, n, &s.wide)
			s.weights = s.weights[:hi-lo]
			for l := range s.weights {
				s.weights[l] = share * now.Weight(lo+l)
				for i, u := range s.v[l*n : (l+1)*n] {
					s.z[l*n+i] = (u - d.center[i]) * d.scale[i]
				}
			}
			linalg.Multiply(s.squares, s.z, s.z)
			do(s, sums[g*size:(g+1)*size])
		}
	}}
	if !x.Pass(ctx, func(b block.Block) { now = b; pool.Run(ctx, groups) }) || ctx.Err() != nil {
		return nil
	}
	for g := 1; g < groups; g++ {
		linalg.Axpy(1, sums[g*size:(g+1)*size], sums[:size])
	}
	return sums[:size]
}
