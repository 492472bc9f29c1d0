package ranks

import (
	"fmt"
	"math"
	"strconv"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/gmm"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/moment"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
)

// spectrum counts the eigenvalues of the second moment that stand out: among all of
// them if that is cheap, otherwise among those that the fits have found.
func (c *Search) spectrum() (Evidence, error) {
	e := Evidence{Kind: Spectrum, Sure: Silent, Text: "the spectrum is not known"}
	var second *moment.Second
	var err error
	r, suggested := 0, 0
	if t := c.Moment.Table; !c.Moment.Cumulant && t.Forgotten() == nil && moment.SpectrumIsCheap(t) {
		if second, err = moment.Spectrum(c.ctx, t.Storage); err == nil {
			e.Numbers = second.Values
			r, err = t.SuggestedRank(c.ctx, second)
		}
	} else {
		for _, f := range c.Fits {
			if len(f.Spectrum) > len(e.Numbers) {
				e.Numbers, r, suggested = f.Spectrum, f.Stand, f.Suggested
			}
		}
	}
	if err != nil || len(e.Numbers) == 0 {
		return e, err
	}
	for i, v := range e.Numbers {
		e.Ranks = append(e.Ranks, i+1)
		e.Numbers[i] = math.Max(v, 0) // negative only by rounding
	}
	if len(e.Numbers) == 1 {
		e.Text = "one eigenvalue of the second moment stands beside no other"
		return e, nil
	}
	if r == 0 {
		e.Text = "no eigenvalues of the second moment stand out"
		return e, nil
	}
	unrelated, about, zero := false, suggested > r, moment.NoEigenvalue*e.Numbers[0]
	if second != nil {
		zero = second.Zero()
		all, err := tables.Describe(c.ctx, c.Moment.Table.Storage)
		if err != nil {
			return e, err
		}
		unrelated = second.Unrelated(func(i int) (mean, deviation float64) { return all.Mean[i], all.Root[i] / math.Sqrt(all.Total) })
		about = second.AboutMean(c.Moment.Table.N, func(i int) float64 { return all.Mean[i] })
	}
	e.Rank, e.Sure = r, Sure
	e.Text = frame.Stands(r, r)
	if e.Numbers[r] <= zero {
		e.Text += ", the others are zero to within rounding"
	} else {
		drop := e.Numbers[r-1] / e.Numbers[r]
		if e.Sure = sureness(drop, dropLikely, dropSure); secondDrop(e.Numbers, zero, r)*dropLikely > drop {
			e.Sure = Likely
		}
		e.Text += fmt.Sprintf(", by a factor of %.3g", drop)
	}
	if unrelated {
		e.Sure = Likely
		e.Text += ", as for independent variables with these means and deviations"
	}
	if about {
		e.Or = r + 1
		e.Text += ": " + frame.About(r)
	}
	return e, nil
}

// secondDrop returns the largest ratio of consecutive eigenvalues above zero, except for the
// first two and those at r.
func secondDrop(values []float64, zero float64, r int) float64 {
	most := 1.
	for i := 2; i < len(values) && values[i] > zero; i++ {
		if i != r {
			most = math.Max(most, values[i-1]/values[i])
		}
	}
	return most
}

// stagnation examines how far each rank lowers the relative error.
func (c *Search) stagnation() Evidence {
	e := Evidence{Kind: Stagnation, Sure: Silent}
	var gains, floor []float64
	lowest := 1.
	for _, r := range c.Fits {
		e.Ranks, e.Numbers = append(e.Ranks, r.Rank), append(e.Numbers, r.RelativeError)
		now := math.Min(lowest, math.Max(r.RelativeError, 0))
		gains, floor = append(gains, lowest-now), append(floor, math.Max(1e-3*now, 1e-12))
		lowest = now
	}
	r, factor := stands(gains, floor)
	if generic := c.Moment.Generic(); float64(r) >= generic {
		e.Text = fmt.Sprintf("from rank %d on, the generic rank of tensors of this size, the error can end whatever the data are", int(generic))
		return e
	}
	if r == 0 {
		e.Text = fmt.Sprintf("no rank up to %d ends the fall of the relative error", c.Max)
		return e
	}
	e.Rank, e.Sure = r, sureness(factor, dropLikely, dropSure)
	e.Text = fmt.Sprintf("up to rank %d each component lowers the relative error by %.3g or more, further ones by %.3g or less", r, least(gains[:r]), greatest(gains[r:]))
	return e
}

func least(v []float64) float64 {
	low := math.Inf(1)
	for _, x := range v {
		low = math.Min(low, x)
	}
	return low
}

func greatest(v []float64) float64 {
	high := math.Inf(-1)
	for _, x := range v {
		high = math.Max(high, x)
	}
	return high
}

// replicability compares fits to two random halves of the observations.
func (c *Search) replicability() (Evidence, error) {
	e := Evidence{Kind: Replicability, Sure: Silent, Text: "no rank has the same components in two halves of the observations"}
	if err := c.draw(); err != nil {
		if c.ctx.Err() == nil { // not an interrupt: reported as evidence
			e.Text = "there are no halves: " + err.Error()
			return e, nil
		}
		return e, err
	}
	if c.drawn.P < 2*leastHalf {
		e.Text = fmt.Sprintf("%s %s too few to halve", words.Plural(c.drawn.P, "observation"), words.Verb(c.drawn.P, "is", "are"))
		return e, nil
	}
	var halves []fit.Moment
	for _, h := range c.halves() {
		m := c.Moment.Of(h)
		m.Upto = c.Max + 1 // what does not depend on the rank is computed once
		halves = append(halves, m)
	}
	best, twice := 0., []int(nil)
	for _, r := range c.Fits {
		var fits []*ktensor.Kruskal
		for _, h := range halves {
			if split(r.Model) {
				break
			}
			f, err := c.decompose(progress.Halves, h, r.Rank)
			if interrupted(err) {
				return e, err
			}
			fits = append(fits, f.Model)
		}
		same := math.NaN()
		if len(fits) == 2 {
			same = congruence(fits[0], fits[1])
		}
		if math.IsNaN(same) {
			twice = append(twice, r.Rank)
			continue
		}
		e.Ranks, e.Numbers = append(e.Ranks, r.Rank), append(e.Numbers, same)
		if found := sureness(same, sameLikely, sameSure); found != Silent {
			e.Rank, e.Sure, best = r.Rank, found, same
		}
	}
	left := ""
	if len(twice) > 0 {
		left = fmt.Sprintf("; %s %s %s left out, for want of fits that have each component once", words.Verb(len(twice), "rank", "ranks"), runs(twice), words.Verb(len(twice), "is", "are"))
	}
	if e.Rank == 0 {
		e.Text += left
		return e, nil
	}
	f := c.Fits[e.Rank-1]
	if !c.found(e.Rank) && e.Sure == Sure {
		e.Sure = Likely
	}
	e.Text = fmt.Sprintf("%s %s the same in two halves of the observations (congruence %.3f or more), %d of %s found %s", words.Plural(e.Rank, "component"), words.Verb(e.Rank, "is", "are"), best, f.Hits, words.Plural(f.Starts, "start"), words.Verb(e.Rank, "it", "them"))
	if e.Rank > c.Max {
		e.Text += "; that is one more than was asked for, so higher ones may be, too"
	}
	e.Text += left
	return e, nil
}

// congruence returns how well the worst component of one fit is matched by a
// component of the other: the cosine of those whose weights are alike, 0 without one, in
// the manner of the factor match score (Acar, Dunlavy, Kolda & Morup 2011). It is NaN if
// a fit has a component twice.
func congruence(x, y *ktensor.Kruskal) float64 {
	if x == nil || y == nil || x.R != y.R || split(x) || split(y) {
		return math.NaN()
	}
	cos := ktensor.AbsoluteCosines(x, y)
	for i, u := range x.Lambda {
		for j, v := range y.Lambda {
			if !(math.Min(u/v, v/u) >= alikeWeights) {
				cos[i*y.R+j] = 0
			}
		}
	}
	_, pairs := ktensor.Match(cos, x.R, y.R)
	worst := 1.
	for _, p := range pairs {
		worst = math.Min(worst, cos[p[0]*y.R+p[1]])
	}
	return worst
}

// runs writes ascending numbers: "2, 4 and 6 to 9".
func runs(of []int) string {
	var parts []string
	for i := 0; i < len(of); i++ {
		first := i
		for i+1 < len(of) && of[i+1] == of[i]+1 {
			i++
		}
		switch i - first {
		case 0:
			parts = append(parts, strconv.Itoa(of[i]))
		case 1:
			parts = append(parts, strconv.Itoa(of[first]), strconv.Itoa(of[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", of[first], of[i]))
		}
	}
	return list(parts)
}

// split reports whether two components of a fit have the same direction.
func split(k *ktensor.Kruskal) bool {
	cos := ktensor.AbsoluteCosines(k, k)
	for i := range k.R {
		for j := range i {
			if cos[i*k.R+j] > splitCosine {
				return true
			}
		}
	}
	return false
}

// compared are Gaussian mixtures of the same observations.
type compared struct {
	ranks []int
	bic   []float64
	best  *gmm.Result // of the lowest BIC
	rank  int         // of it
	few   float64     // the lowest BIC with too few observations of a component, beyond those that count
}

// compare fits mixtures of 1 to Max+1 components to drawn observations, of p of equal weight.
func (c *Search) compare(t *tables.Table, p float64) (m compared, err error) {
	lowest, counted, rises := math.Inf(1), math.Inf(1), 0
	m.few = math.Inf(1)
	for r := 1; r <= c.Max+1 && r < t.P && rises < mostRises; r++ {
		f, err := c.mixture(t, r)
		if interrupted(err) {
			return m, err
		}
		bic := math.Inf(1)
		if g := f.Mixture; g != nil {
			bic = g.BIC(f.LogLikelihood*p/float64(t.P), p) // what the likelihood counts the weights as
		}
		switch {
		case err != nil:
		case least(f.Members) >= leastHalf:
			m.ranks, m.bic, m.few = append(m.ranks, r), append(m.bic, bic), math.Inf(1)
			if bic < counted {
				counted, m.best, m.rank = bic, f, r
			}
		default:
			m.few = math.Min(m.few, bic)
		}
		if rises++; bic < lowest {
			lowest, rises = bic, 0
		}
	}
	return m, nil
}

// mixture fits one of r spherical components.
func (c *Search) mixture(t *tables.Table, r int) (*gmm.Result, error) {
	c.tell(progress.Mixtures, r)
	return gmm.Fit(c.ctx, t, r, &gmm.Options{Shape: gmm.Spherical, Starts: mixtureStarts, Seed: c.Options.Seed,
		MaxIterations: gmm.DefaultIterations, Threads: c.Options.Threads})
}

// mixtures compares Gaussian mixtures by their BIC, and looks for groups in the best.
func (c *Search) mixtures() (Evidence, error) {
	e := Evidence{Kind: BIC, Sure: Silent, Text: "no mixture fits a cumulant or a non-negative model"}
	if c.Moment.Cumulant || c.Options.Nonnegative {
		return e, nil
	}
	if e.Text = "there are no observations to fit mixtures to"; c.drawn == nil {
		return e, nil
	}
	m, err := c.compare(tableOf(c.drawn, c.Moment.Table.Source), c.effective())
	if err != nil {
		return e, err
	}
	e.Ranks, e.Numbers = m.ranks, m.bic
	if m.best == nil || len(m.ranks) < 2 {
		e.Text = fmt.Sprintf("fewer than two mixtures give each component %d observations", leastHalf)
		return e, nil
	}
	if m.rank > c.Max {
		c.bicAbove = true
		e.Text = fmt.Sprintf("BIC of Gaussian mixtures still falls at %d components", m.rank)
		return e, nil
	}
	lowest, next := least(m.bic), math.Inf(1)
	for i, v := range m.bic {
		if m.ranks[i] != m.rank {
			next = math.Min(next, v)
		}
	}
	e.Rank, e.Sure = m.rank, sureness(next-lowest, bicLikely, bicSure)
	e.Text = fmt.Sprintf("a Gaussian mixture of %s has the lowest BIC, by %.3g", words.Plural(e.Rank, "component"), next-lowest)
	switch {
	case e.Sure == Silent:
		e.Rank = 0
	case m.few < lowest:
		c.bicOpen, e.Sure = true, Likely
		e.Text += fmt.Sprintf(", of those with %d observations in each component; more components have a lower one", leastHalf)
	case e.Sure == Sure && e.Rank > 1:
		if c.groups, err = c.apartAlone(m.best.Mixture); c.groups {
			e.Text += "; they are groups of observations that lie apart"
		}
	}
	return e, err
}
