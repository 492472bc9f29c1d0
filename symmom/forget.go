package symmom

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"symmom/internal/moment"
	"symmom/internal/words"
)

// Forget returns the session without its observations, for a feed that has no
// end: what is left is what Append keeps up to date, and appending to it keeps
// no block either. Its memory is that of the sums (n^2/2 numbers, and C(k+d-1,
// d) for a compressed moment of order d) and of a sample of at most 32 MB,
// whatever arrives. A compressed fit must have fixed the basis Q before. The
// session itself stays as it was; drop it to free its memory.
//
// What is left is as exact as before: a compressed fit of an order that had been
// fitted, of a rank that wants no more vectors than Q has, is bit for bit the
// accumulated one of a session that kept all. ||X||^2 is always estimated, from
// the sample and the largest.
//
// What is lost: whatever would go over the observations again. Q cannot be
// renewed: a fit goes on with it, and warns when the data have left it. Nothing
// can be polished. Other forms and orders, Evaluate, Summary, Matrix, Weights,
// Standardize and WithWeights give an error or nothing.
func (s *Session) Forget() *Session {
	if s.Err() != nil || s.forgotten() != nil {
		return s
	}
	learned := s.learned()
	if learned == nil {
		return s.with(nil, fmt.Errorf("forget: %s: there is no basis yet to go on with: make a compressed fit of enough observations first", s.data.Source))
	}
	base, err := s.fed(s.context())
	if err != nil {
		return s.with(nil, interrupted("forget", err))
	}
	f := &far{span: base.span, sample: base.sample, extremes: base.extremes, heavy: base.heavy, single: base.single}
	sums := *base.feed
	sums.links, sums.fingerprint = nil, s.Fingerprint()
	f.feed, f.source = &sums, s.gone(s.data.P)
	c := *s
	data := *s.data
	data.Values, data.Values32, data.Weights = nil, nil, nil
	c.data, c.far, c.memo = &data, f, &memo{compression: learned}
	return &c
}

// gone stands for observations that were forgotten. Each pass over them fails.
type gone struct {
	p, n   int
	source string
}

func (s *Session) gone(p int) *gone { return &gone{p, s.data.N, s.data.Source} }

func (g *gone) Shape() (p, n int) { return g.p, g.n }
func (g *gone) Share() float64    { return 1 / float64(g.p) }
func (g *gone) BlockRows() int    { return 1 }

func (g *gone) Pass(context.Context, func(moment.Block)) bool { return false }

func (g *gone) Fault() error {
	return fmt.Errorf("%s: %w", g.source, errForgotten)
}

var errForgotten = errors.New("the observations were forgotten (Forget); what is left serves compressed fits")

// forgotten returns the error of whatever needs observations that are gone, or
// nil when they are not.
func (s *Session) forgotten() error {
	if s.far != nil {
		if g, ok := s.far.source.(*gone); ok {
			return g.Fault()
		}
	}
	return nil
}

// remembered says, of a session that forgot its observations, which fits are
// possible.
func (c *compression) remembered(cause error) error {
	orders := make([]int, 0, len(c.moments))
	for d := range c.moments {
		orders = append(orders, d)
	}
	slices.Sort(orders)
	return fmt.Errorf("%w of order %s with up to %s", cause, strings.Join(strings.Fields(strings.Trim(fmt.Sprint(orders), "[]")), ", "), words.Plural(c.wanted, "basis vector"))
}
