package symmom

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	learned := s.compression()
	if learned == nil {
		return s.with(nil, fmt.Errorf("forget: %s: there is no basis yet to go on with: make a compressed fit of enough observations first", s.data.Source))
	}
	base, _, err := s.growing(s.context())
	if err != nil {
		return s.with(nil, interrupted("forget", err))
	}
	k := *base
	totals := *base.totals
	k.totals, k.disk = &totals, false
	totals.fingerprint = s.Fingerprint()
	c := *s
	c.storage, c.memo = s.gone(&k, s.data.P), &memo{compression: learned}
	return &c
}

// gone stands for p observations like those of s that were forgotten.
func (s *Session) gone(k *kept, p int) *forgotten { return &forgotten{k, p, s.data.N, s.data.Source} }

var errForgotten = errors.New("the observations were forgotten (Forget); what is left serves compressed fits")

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
