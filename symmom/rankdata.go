package symmom

import (
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"symmom/internal/fit"
	"symmom/internal/moment"
	"symmom/internal/obs"
	"symmom/internal/observations"
)

// draw takes the observations that halves, mixtures and permutations are made of:
// all, or as many as make ten million numbers, evenly over the table. One pass.
func (c *rankSearch) draw() error {
	s := c.m.session
	if err := s.data.Forgotten(); err != nil {
		return err
	}
	c.tell(PhaseSample, 0)
	p, n := s.data.P, s.data.N
	index := obs.Stratified(p, max(2*leastHalf, int(drawnNumbers)/n), DefaultSeed)
	d, err := obs.Pick(c.ctx, s.data.Storage, index)
	if err != nil {
		return err
	}
	c.drawn = d
	return nil
}

// sessionOf makes a session of drawn observations.
func (c *rankSearch) sessionOf(d *obs.Dense) *Session {
	of := c.m.session
	set := &observations.Set{Info: observations.Info{P: d.P, N: d.N, Source: of.data.Source}, Values: d.V}
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
	return of.with(set, nil)
}

// random is stream i of the draws of SuggestRank, apart from those of starts.
func (c *rankSearch) random(i uint64) *rand.Rand {
	seed := c.m.options.Seed
	if seed == 0 {
		seed = DefaultSeed
	}
	return rand.New(rand.NewPCG(seed, math.MaxUint64-16-i))
}

// halves splits the drawn observations at random.
func (c *rankSearch) halves() [2]*Session {
	d := c.drawn
	order := c.random(0).Perm(d.P)
	var out [2]*Session
	for h := range out {
		rows := order[h*d.P/2 : (h+1)*d.P/2]
		x := &obs.Dense{P: len(rows), N: d.N, V: make([]float64, 0, len(rows)*d.N)}
		for _, l := range rows {
			x.V = append(x.V, d.V[l*d.N:(l+1)*d.N]...)
			if d.Nu != nil {
				x.Nu = append(x.Nu, d.Nu[l])
			}
		}
		out[h] = c.sessionOf(x)
	}
	return out
}

// permuted returns the drawn observations with each column permuted apart; the
// weights stay, so that variables keep what they are alone up to chance.
func (c *rankSearch) permuted(i int) *Session {
	d, rng := c.drawn, c.random(uint64(i)+1)
	x := &obs.Dense{P: d.P, N: d.N, V: make([]float64, len(d.V)), Nu: d.Nu}
	for j := range d.N {
		for to, from := range rng.Perm(d.P) {
			x.V[to*d.N+j] = d.V[from*d.N+j]
		}
	}
	return c.sessionOf(x)
}

// beyondChance tells whether a fit of rank r to the drawn observations is another
// than fits to permuted ones: explains more of the moment, or less, or leaves less
// of it, by three times what these differ. Independent variables are as likely in
// any order as in their own.
func (c *rankSearch) beyondChance(r int) (bool, error) {
	f := c.decompose(PhasePermuted, c.sessionOf(c.drawn), r)
	if f.err != nil {
		return false, f.err
	}
	var explained, left []float64
	for i := range permutations {
		g := c.decompose(PhasePermuted, c.permuted(i), r)
		if errors.Is(g.err, ErrInterrupted) {
			return false, g.err
		}
		if g.err != nil { // there is nothing to fit
			g.RelativeError = 1
		}
		explained, left = append(explained, -g.ObjectiveShifted), append(left, g.RelativeError)
	}
	return apart(-f.ObjectiveShifted, explained) || f.RelativeError < least(left) && apart(f.RelativeError, left), nil
}

// apart tells whether v is outside of the range of others by three times its width.
func apart(v float64, others []float64) bool {
	low, high := least(others), greatest(others)
	return math.Max(v-high, low-v) > 3*(high-low)
}

// decompose fits the moment of other observations at rank r.
func (c *rankSearch) decompose(phase Phase, s *Session, r int) *Fit {
	m := *c.m
	m.session, m.fit = s, c.m.fit.Of(s.data)
	if m.fit.Form != fit.Compressed {
		m.fit.Form = fit.Auto
	}
	if phase == PhasePermuted && m.fit.Noise != nil && m.fit.Noise.Full != nil {
		diagonal := &moment.Noise{N: m.fit.Noise.N, Diagonal: make([]float64, m.fit.Noise.N)} // columns apart have no covariance
		for i := range diagonal.Diagonal {
			diagonal.Diagonal[i] = m.fit.Noise.Full[i*(m.fit.Noise.N+1)]
		}
		m.fit.Noise = diagonal
	}
	c.tell(phase, r)
	m.options.Progress = func(Progress) {}
	return m.Decompose(r)
}

// tell reports what goes on beside the sweep.
func (c *rankSearch) tell(phase Phase, rank int) {
	if progress := c.m.session.watcher(c.m.options.Progress); progress != nil {
		progress(Progress{Rank: rank, Phase: phase, Done: phase == PhaseRanks, Objective: math.NaN(), Best: math.NaN(), Elapsed: time.Since(c.began), Remaining: -1})
	}
}
