package norm

import (
	"cmp"
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// basisRows is the share of a sample, one in basisRows, from which the control's
// vectors are made. These observations are not used in the estimate.
const basisRows = 8

// EstimateFromSample is like Survey.NormSquared for data that are not in memory, using
// a sample, of which the first rows observations are used (0: all), and the extremes.
// x, unless nil, is read once: for the control variate, and for the pairs with
// observations that stand out. Without it these are estimated from the sample, and the
// control is inner, what is known about the part of X within some basis, unless that
// is nil. The other pairs are those of the sample, a U-statistic whose error is the
// jackknife's (Arvesen 1969).
//
// The pairs take n rows^2 operations. For d above 16 without x the terms of an
// observation with itself also come from the sample.
func EstimateFromSample(ctx context.Context, x block.Source, sample *moment.Sample, ex *Extremes, inner *Inner, d int, unit float64, rows, threads int) (Estimate, error) {
	m, n := sample.Data().Shape()
	if rows > 0 {
		m = min(m, rows)
	}
	u := &paired{sample: sample, ex: ex, to: m}
	var err error
	switch {
	case x != nil:
		err = u.control(ctx, d, unit, threads)
	case inner != nil:
		u.c = newControl(d, n, inner.Basis, inner.Basis.K, unit)
	default:
		u.c = newControl(d, n, nil, 0, unit)
	}
	if err != nil {
		return Estimate{}, err
	}
	u.heavy = ex.heavies(u.c, heavyRows(ex.seen, n))
	u.weigh()
	var e Estimate
	known := d <= maxPower // the diagonal is
	if d%2 == 0 && known {
		e.Least = ex.diagonal(d, unit)
	}
	if x != nil {
		err = u.pass(ctx, x, &e, threads)
	} else {
		if inner != nil {
			e.Value, e.Least = inner.NormSquared, math.Max(e.Least, inner.NormSquared)
		}
		u.split, u.self = true, !known || u.c.k > 0
		if known {
			u.known = true
			e.Value += ex.diagonal(d, unit)
		}
		if u.heavy != nil {
			pairs, self := u.heavy.among()
			e.Value += pairs - self
			if u.self { // the part of them that is not in the diagonal
				e.Value += self
				if known {
					e.Value -= u.heavy.diagonal()
				}
			}
		}
	}
	if err != nil {
		return Estimate{}, err
	}
	return e, u.add(ctx, &e, threads)
}

// paired estimates from the pairs of a sample: those among observations that do not
// stand out, and what else is asked for.
type paired struct {
	sample   *moment.Sample
	from, to int // the observations of it that are paired
	ex       *Extremes
	c        *control
	heavy    *heavies
	split    bool    // also the pairs with the heavy ones
	self     bool    // also the terms of each with itself,
	known    bool    // without its |v|^2d, which is known
	rest     float64 // weight of the observations that do not stand out
	apart    float64 // that of pairs of two different ones of them
}

// control makes the control variate from the first observations of the sample.
func (u *paired) control(ctx context.Context, d int, unit float64, threads int) error {
	data := u.sample.Data()
	n := data.N
	var basis *moment.Basis
	if u.to > 2*basisRows {
		u.from = u.to / basisRows
		var err error
		start := &block.Dense{P: u.from, N: n, V: data.V[:u.from*n]}
		if basis, err = moment.BasisOf(ctx, &moment.Implicit{Data: start, D: 2}, controlSize(d, n), unit, threads); err != nil || basis == nil {
			return cmp.Or(err, ctx.Err())
		}
	}
	u.c = newControl(d, n, basis, n, unit)
	u.c.expand()
	return nil
}

// pass adds what needs a pass over all observations.
func (u *paired) pass(ctx context.Context, x block.Source, e *Estimate, threads int) error {
	s := &sweep{control: u.c, heavy: u.heavy}
	if err := s.run(ctx, x, false, threads); err != nil {
		return err
	}
	e.Value, e.Least = s.within+s.self, math.Max(e.Least, s.within)
	if u.heavy != nil {
		pairs, self := u.heavy.among()
		e.Value += 2*(s.pairs-self) - (pairs - self)
	}
	return nil
}

// weigh computes the weights of the observations that are not heavy.
func (u *paired) weigh() {
	one := u.ex.squares[0] / (u.ex.total * u.ex.total) // sum of nu^2
	u.rest = 1
	if u.heavy != nil {
		for _, nu := range u.heavy.nu {
			u.rest -= nu
			one -= nu * nu
		}
	}
	u.rest = math.Max(u.rest, 0)
	u.apart = math.Max(0, u.rest*u.rest-math.Max(one, 0))
	switch u.left() { // without rounding
	case 0:
		u.rest, u.apart = 0, 0
	case 1:
		u.apart = 0
	}
}

// left returns how many observations do not stand out.
func (u *paired) left() int {
	if u.heavy == nil {
		return u.ex.seen
	}
	return u.ex.seen - u.heavy.m
}

// add adds the estimate from the observations of the sample.
func (u *paired) add(ctx context.Context, e *Estimate, threads int) error {
	data, c := u.sample.Data(), u.c
	n := data.N
	rows := make([]float64, 0, (u.to-u.from)*n)
	var index []int
	var nu []float64
	for i := u.from; i < u.to; i++ {
		if at, share := u.sample.Drawn(i); u.heavy == nil || !u.heavy.index[at] {
			rows = append(rows, data.V[i*n:(i+1)*n]...)
			index, nu = append(index, at), append(nu, share)
		}
	}
	m := len(index)
	w := make([]float64, m*c.k)
	c.coordinates(w, rows, m)
	alone, singles := u.alone(rows, w, nu)
	if m < 2 || u.apart == 0 {
		e.Value += singles // exactly, of the only one that is left
		if u.apart > 0 || m == 0 && u.left() > 0 && (u.split || u.self) {
			e.StdErr = math.Inf(1) // nothing is known about what exists
		}
		return ctx.Err()
	}
	blocks := (m + normRows - 1) / normRows
	pairs := newSamplePairs(m, blocks)
	t := &parallel.Pool{Threads: min(parallel.Threads(threads), blocks)}
	type scratch struct{ g, s []float64 }
	work := make([]scratch, t.Threads)
	for i := range work {
		work[i] = scratch{make([]float64, normRows*normRows), make([]float64, normRows*normRows)}
	}
	t.Job = func(worker, i int) {
		q := work[worker]
		lo, hi := i*normRows, min((i+1)*normRows, m)
		for from := 0; from < m && ctx.Err() == nil; from += normRows {
			to := min(from+normRows, m)
			size := (hi - lo) * (to - from)
			linalg.MulABt(q.g, rows[lo*n:hi*n], rows[from*n:to*n], hi-lo, to-from, n)
			if c.k > 0 {
				linalg.MulABt(q.s, w[lo*c.k:hi*c.k], w[from*c.k:to*c.k], hi-lo, to-from, c.k)
			}
			c.rest(q.g[:size], q.s[:size])
			for l := lo; l < hi; l++ {
				pairs.add(l, i, q.g[(l-lo)*(to-from):(l-lo+1)*(to-from)], index[from:to], index[l])
			}
		}
	}
	if !t.Run(ctx, blocks) {
		return ctx.Err()
	}
	pairs.estimate(e, u.apart, alone, singles)
	return nil
}

// alone returns the terms of each single observation, and their mean: its pairs with
// the heavy ones, and with itself.
func (u *paired) alone(rows, w, nu []float64) (each []float64, mean float64) {
	m, n, k := len(nu), u.c.n, u.c.k
	each = make([]float64, m)
	if u.split && u.heavy != nil {
		const step = 64
		z := newSweepScratch(u.c, u.heavy, step)
		for lo := 0; lo < m; lo += step {
			hi := min(lo+step, m)
			copy(z.w, w[lo*k:hi*k])
			u.heavy.with(rows[lo*n:hi*n], &z, hi-lo)
			for l := lo; l < hi; l++ {
				each[l] = 2 * u.rest * linalg.Dot(z.g[(l-lo)*u.heavy.m:(l-lo+1)*u.heavy.m], u.heavy.nu)
			}
		}
	}
	if u.self {
		for l := range each {
			row := rows[l*n : (l+1)*n]
			g := linalg.Dot(row, row) / (u.c.unit * u.c.unit)
			inside := w[l*k : (l+1)*k]
			h := linalg.Powi(g, u.c.d) - linalg.Powi(linalg.Dot(inside, inside), u.c.d)
			if u.known {
				h -= linalg.Powi(g, u.c.d)
			}
			each[l] += u.rest * nu[l] * h
		}
	}
	for _, v := range each {
		mean += v / float64(m)
	}
	return each, mean
}
