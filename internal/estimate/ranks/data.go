package ranks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/words"
)

// draw selects the observations for halves, mixtures and permutations: all of them,
// or as many as make ten million numbers, evenly over the table. It takes one pass.
func (c *Search) draw() error {
	t := c.Moment.Table
	if err := t.Forgotten(); err != nil {
		return err
	}
	c.tell(progress.Sample, 0)
	index := block.Stratified(t.P, max(2*leastHalf, int(drawnNumbers)/t.N), tables.Seed)
	d, err := block.Pick(c.ctx, t.Storage, index)
	if err != nil {
		return err
	}
	c.drawn = d
	return nil
}

// effective returns the number of observations of equal weight whose mean has the variance of
// that of the drawn ones (Kish 1965).
func (c *Search) effective() float64 { return tableOf(c.drawn, "").Array().Dense().Effective() }

// tableOf returns a table of the drawn observations.
func tableOf(d *block.Dense, source string) *tables.Table {
	set := &load.Set{Info: load.Info{P: d.P, N: d.N, Source: source}, Values: d.V}
	if d.Nu != nil {
		set.Weights = make([]float64, d.P)
		total := 0.
		for _, w := range d.Nu {
			total += w
		}
		for l, w := range d.Nu {
			set.Weights[l] = w / total
		}
	}
	return tables.New(set)
}

// random returns stream i of the draws of SuggestRank, separate from those of starts.
func (c *Search) random(i uint64) *rand.Rand {
	return rand.New(rand.NewPCG(c.Options.Seed, math.MaxUint64-16-i))
}

// halves splits the drawn observations at random.
func (c *Search) halves() [2]*tables.Table {
	d := c.drawn
	order := c.random(0).Perm(d.P)
	var out [2]*tables.Table
	for h := range out {
		rows := order[h*d.P/2 : (h+1)*d.P/2]
		x := &block.Dense{P: len(rows), N: d.N, V: make([]float64, 0, len(rows)*d.N)}
		for _, l := range rows {
			x.V = append(x.V, d.V[l*d.N:(l+1)*d.N]...)
			if d.Nu != nil {
				x.Nu = append(x.Nu, d.Nu[l])
			}
		}
		out[h] = tableOf(x, c.Moment.Table.Source)
	}
	return out
}

// permuted returns the drawn observations with each column permuted separately. A weight
// belongs to the values of its own observation: those of weighted ones are as many of equal
// weight as have the same effective number, of the same distribution.
func (c *Search) permuted(i int) *tables.Table {
	d, rng := c.drawn, c.random(uint64(i)+1)
	x := &block.Dense{P: d.P, N: d.N}
	if d.Nu != nil {
		x.P = max(2, int(math.Round(c.effective())))
	}
	x.V = make([]float64, x.P*x.N)
	for j := range d.N {
		from := rng.Perm(x.P)
		if d.Nu != nil {
			rows := evenly(d, j, x.P, rng.Float64())
			for to, k := range from {
				from[to] = rows[k]
			}
		}
		for to, l := range from {
			x.V[to*d.N+j] = d.V[l*d.N+j]
		}
	}
	return tableOf(x, c.Moment.Table.Source)
}

// evenly draws m observations by their weights, evenly spaced in the order of their values of
// variable j (systematic sampling), so that the distribution of these stays the same to 1/m.
func evenly(d *block.Dense, j, m int, offset float64) []int {
	order := make([]int, d.P)
	for l := range order {
		order[l] = l
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.V[a*d.N+j], d.V[b*d.N+j]) })
	rows := make([]int, m)
	total := 0.
	for _, w := range d.Nu {
		total += w
	}
	at, before := 0, 0.
	for k := range rows {
		for at < d.P-1 && before+d.Nu[order[at]] <= (float64(k)+offset)*total/float64(m) {
			before += d.Nu[order[at]]
			at++
		}
		rows[k] = order[at]
	}
	return rows
}

// normal returns nearly normal observations of the mean and the covariance of the drawn ones: each
// is the mean and a sum of deviations from it with random signs, over the root of their number.
func (c *Search) normal(i int) *tables.Table {
	d, rng := c.drawn, c.random(uint64(permutations+i)+1)
	x := &block.Dense{P: d.P, N: d.N}
	pick := func() int { return rng.IntN(d.P) }
	if d.Nu != nil {
		x.P = max(2, int(math.Round(c.effective())))
		upto, total := make([]float64, d.P), 0.
		for l, w := range d.Nu {
			total += w
			upto[l] = total
		}
		pick = func() int { return min(sort.SearchFloat64s(upto, rng.Float64()*total), d.P-1) }
	}
	mean := make([]float64, d.N)
	for l := range d.P {
		linalg.Axpy(d.Weight(l), d.V[l*d.N:(l+1)*d.N], mean)
	}
	x.V = make([]float64, x.P*x.N)
	for l := range x.P {
		row, signs := x.V[l*x.N:(l+1)*x.N], 0.
		for range summed {
			sign := float64(1 - 2*rng.IntN(2))
			signs += sign
			k := pick()
			linalg.Axpy(sign, d.V[k*d.N:(k+1)*d.N], row)
		}
		linalg.Axpy(-signs, mean, row)
		linalg.Scale(1/math.Sqrt(summed), row)
		linalg.Axpy(1, mean, row)
	}
	return tableOf(x, c.Moment.Table.Source)
}

// likeChance returns what shows as much of r components as the drawn observations do, though it
// has none, or "": the same with each column permuted, for any order is as likely as their own if
// variables are independent; and normal observations, whose moments follow from their mean and
// covariance. Long tails make even moments larger and give them no other form.
func (c *Search) likeChance(r int) (what string, err error) {
	f, err := c.decompose(progress.Permuted, c.Moment.Of(tableOf(c.drawn, c.Moment.Table.Source)), r)
	if err != nil {
		return "", err
	}
	order := c.Moment.Order
	for _, null := range []struct {
		what     string
		draw     func(i int) *tables.Table
		on, size bool // size: what is explained counts, too
	}{
		{"the data with each column permuted independently show as much of %s, so that there may be nothing in them but the mean and the spread of each variable", c.permuted, true, true},
		{"normal data of the same means and covariances show as much of %s, so that there may be nothing else in them", c.normal, order > 2, order%2 == 1},
	} {
		if !null.on {
			continue
		}
		beyond, err := c.beyond(f, r, null.draw, null.size)
		if err != nil {
			return "", err
		}
		if !beyond {
			return fmt.Sprintf(null.what, words.Plural(r, "component")), nil
		}
	}
	return "", nil
}

// beyond reports whether a fit of rank r to the drawn observations differs from fits to some that
// have no components: it leaves less of the moment or, if size is set, explains more or less of it.
func (c *Search) beyond(f *fit.Result, r int, draw func(i int) *tables.Table, size bool) (bool, error) {
	left := func(f *fit.Result) float64 { return math.Log(math.Max(f.RelativeError, fit.SameRounded)) }
	var explained, leaves []float64
	for i := range permutations {
		g, err := c.decompose(progress.Permuted, c.Moment.Of(draw(i)), r)
		if interrupted(err) {
			return false, err
		}
		if err != nil { // nothing to fit
			g.RelativeError = 1
		}
		explained, leaves = append(explained, -g.ObjectiveShifted), append(leaves, left(g))
	}
	return size && apart(-f.ObjectiveShifted, explained) || left(f) < least(leaves) && apart(left(f), leaves), nil
}

// apart reports whether v is outside the range of others by twice its width.
func apart(v float64, others []float64) bool {
	low, high := least(others), greatest(others)
	return math.Max(v-high, low-v) > 2*(high-low)
}

// decompose fits the moment of other observations at rank r. The result is never
// nil.
func (c *Search) decompose(phase string, m fit.Moment, r int) (*fit.Result, error) {
	if m.Form != fit.Compressed {
		m.Form = fit.Auto
	}
	if phase == progress.Permuted {
		m.Noise = m.Noise.Uncorrelated()
	}
	c.tell(phase, r)
	if c.Estimated {
		var err error
		if m, err = m.DebiasedFor(c.ctx, r, c.Options.Threads); err != nil {
			return &fit.Result{}, err
		}
	}
	return m.Decompose(c.ctx, r, &c.Options)
}

// interrupted reports whether err is the error of a context that ended.
func interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// tell reports progress outside the fits.
func (c *Search) tell(phase string, rank int) {
	if c.Progress != nil {
		c.Progress(progress.Report{Rank: rank, Phase: phase, Done: phase == progress.Ranks, Objective: math.NaN(), Best: math.NaN(), Remaining: -1})
	}
}
