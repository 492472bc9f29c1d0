package symmom

import (
	"cmp"
	"fmt"

	"symmom/internal/estimate/fit"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Moment is the moment of some order of a session's observations, and how it is to
// be held and decomposed. It is immutable; nothing is computed before it is needed,
// and what was computed is shared by all stages made from the same call of
// Session.Moment.
type Moment struct {
	session *Session
	fit     fit.Moment
	options Options
	debias  *Noise // to remove, or nil
	err     error
}

// Moment returns the moment of order d, 1 to MaxOrder, of the session's data.
func (s *Session) Moment(d int) *Moment {
	m := &Moment{session: s, fit: fit.New(s.data, d)}
	switch {
	case s.Err() != nil:
		m.err = s.Err()
	case checkOrder(d) != nil:
		m.err = checkOrder(d)
	default:
		m.err = s.usable()
	}
	return m
}

// MaxOrder is the highest order of a moment. Precision is lost long before.
const MaxOrder = 100

// checkOrder refuses orders that no moment has.
func checkOrder(d int) error {
	if d < 1 || d > MaxOrder {
		return &ArgumentError{Argument: "order", Value: d, Want: fmt.Sprintf("1 to %d (3 is the usual choice)", MaxOrder)}
	}
	return nil
}

// usable refuses data of which no moment can be decomposed.
func (s *Session) usable() error {
	if k := s.data.Sketch(); k != nil && k.Span > 0 {
		return nil
	}
	var scratch []float64
	for i, x := 0, s.data.Array(); x != nil && i < x.P; i++ {
		for _, v := range x.Row(i, &scratch) {
			if v != 0 {
				return nil
			}
		}
	}
	return fmt.Errorf("%s: every value is zero%s, so every moment is zero; there is nothing to decompose", s.data.Source, diag.AsFloat32(s.data.Single()))
}

// Err returns the first error of the chain that led here, or nil.
func (m *Moment) Err() error {
	if m.err == nil && m.session == nil {
		return ErrNoData
	}
	return m.err
}

// Auto chooses the form by its expected cost. It is the default.
func (m *Moment) Auto() *Moment { return m.as("") }

// Implicit holds the moment as the observations it is made of (algorithm 2 of the
// paper): no memory, 4 p n r operations per evaluation.
func (m *Moment) Implicit() *Moment { return m.as(FormImplicit) }

// Explicit forms the tensor (algorithm 1), with its C(n+d-1, d) distinct entries: 8 bytes each
// and padding (7% for n = 500, a third for 100, as much again for 30), 8 more while it is
// formed, and 4 r operations each per evaluation, whatever p is. A tensor that does not fit is
// refused with an error that wraps ErrTooLarge.
func (m *Moment) Explicit() *Moment { return m.as(FormExplicit) }

// Compressed solves in the coordinates of the k leading eigenvectors of the second
// moment, from all starts, and polishes the best on the full problem to the same
// tolerance. k = 0 means 2 r + 10, fewer if r of them stand out, more if that missed
// something, or the whole span of p <= n observations if that is cheap; if the
// eigenvalues do not fall off, the full problem is solved in another form, with a
// warning. It takes two to four passes over the data, then one for each evaluation of
// the polish, and 8 C(k+d-1, d) bytes for the moment in these coordinates, whatever p
// is, or 8 p k if the projected observations take fewer operations.
func (m *Moment) Compressed(k int) *Moment {
	c := m.as(FormCompressed)
	c.fit.Basis = k
	if c.Err() == nil && k < 0 {
		c.err = &ArgumentError{Argument: "basis", Value: k, Want: "at least 1 (0 means 2 r + 10)"}
	}
	return c
}

// Accumulated is Compressed for data that arrive (Session.Append): it solves from
// the moment in the basis of an earlier fit, which Append has kept up to date,
// without a pass over the data, and does not polish. The result thus depends on
// that fit, too. If there is none, or its basis no longer suffices, it fits as
// Compressed does, in the latter case with a warning.
func (m *Moment) Accumulated(k int) *Moment {
	c := m.Compressed(k)
	c.fit.Warm = true
	return c
}

func (m *Moment) as(form string) *Moment {
	c := *m
	c.fit.Form, c.fit.Warm = fit.Form(form), false
	return &c
}

// With returns the moment with other options.
func (m *Moment) With(o Options) *Moment {
	c := *m
	c.options = o
	if c.Err() == nil {
		_, c.err = o.withDefaults()
	}
	return &c
}

// Options returns the options that With set.
func (m *Moment) Options() Options { return m.options }

// String describes the moment and the cost of its forms.
func (m *Moment) String() string {
	if err := m.Err(); err != nil {
		return errorLine("moment", err)
	}
	d := m.session.data
	form, bytes := cmp.Or(string(m.fit.Form), "form chosen automatically"), 8.
	if m.session.data.Single() {
		bytes = 4
	}
	return fmt.Sprintf("%s (order %d) of %s, %s\n  dense tensor    %s entries, %s\n  explicit form   %s, its distinct entries\n  observations    %s x %d, %s",
		m.expected().frame().Name(m.fit.Order), m.fit.Order, d.Source, form,
		words.Power(d.N, m.fit.Order), words.Bytes(moment.DenseBytes(m.fit.Order, d.N)),
		words.Bytes(moment.ExplicitBytes(m.fit.Order, d.N)),
		words.Count(d.P), d.N, words.Bytes(bytes*float64(d.P)*float64(d.N)))
}
