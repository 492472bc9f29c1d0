package fit

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// vanishes returns an error if an exact ||X||^2, of the observations divided by span,
// is nothing but the rounding error of terms that cancel: less than a share of the square of
// (mean |v|^d).
func (m *Moment) vanishes(ctx context.Context, value, least, span float64) error {
	if m.Order%2 == 0 && m.plain() || span == 0 {
		return nil // no term is negative
	}
	terms, most := m.terms(span), 0.
	for _, c := range terms {
		most += c
	}
	if value >= least*most*most {
		return nil // no |v| is above 1, and no pass is needed
	}
	x := m.Table.Storage
	tails := make([]*Tails, len(terms))
	for k := range tails {
		tails[k] = NewTails(x, m.Order-2*k, span)
	}
	if !x.Pass(ctx, func(b block.Block) {
		for _, t := range tails {
			t.Add(b)
		}
	}) {
		return m.Table.Stopped(ctx)
	}
	all := 0.
	for k, t := range tails {
		all += terms[k] * t.Sum()
	}
	if value >= least*all*all {
		return nil
	}
	if plain := tails[0].Sum(); value >= least*plain*plain && !m.Cumulant {
		return diag.Helped(fmt.Errorf("the debiased moment of order %d is lost in the rounding of the removed noise, which far exceeds the variance of the data: give sigma in the units of the decomposed data", m.Order), "Debias")
	}
	return m.errVanishes()
}

// terms returns bounds of the coefficients that |v|^d, |v|^(d-2), ... have in the moment of
// the observations divided by span: those of a Hermite polynomial, times powers of the
// norm of the noise.
func (m *Moment) terms(span float64) []float64 {
	c := []float64{1}
	if m.Noise == nil {
		return c
	}
	s := math.Sqrt(m.Noise.Traces(1)[1]) / (span * span)
	for k := 1; 2*k <= m.Order; k++ {
		rest := m.Order - 2*k
		c = append(c, c[k-1]*s*float64((rest+2)*(rest+1))/float64(2*k))
	}
	return c
}

func (m *Moment) errVanishes() error {
	of, why := "moment", "odd moments vanish where the observations lie symmetrically about 0, even ones do not"
	switch {
	case m.Cumulant:
		of, why = "cumulant", "those of normal data vanish, and odd ones where the observations lie symmetrically about their mean"
	case m.Distinct:
		why = fmt.Sprintf("no entry of %d distinct variables is left, as where observations have fewer that are not 0, or variables are uncorrelated", m.Order)
	case m.Noise != nil:
		why = "nothing remains without the noise"
	case m.Order == 1:
		why = "it is the mean, which is 0 in centered data"
	}
	return fmt.Errorf("the %s of order %d is zero to within rounding: there is nothing to fit, and no relative error; %s", of, m.Order, why)
}

// cancels is vanishes where ||X||^2 is not known, by columns a (r x n) of a start, or of a fit
// that has found nothing: whether the terms of all X a_j^d, of the observations divided by
// unit, cancel. Where a fit has found nothing for another reason, as in a flat valley or under
// bounds, they do not. One pass.
func (m *Moment) cancels(ctx context.Context, a []float64, unit float64) error {
	n := m.Table.N
	if m.Order%2 == 0 && !m.Distinct || m.Noise != nil || m.far() || m.Table.Forgotten() != nil {
		return nil
	}
	f := make([]float64, m.Order+1)
	sums, sizes := make([]float64, len(a)/n), make([]float64, len(a)/n)
	x := m.Table.Storage
	var wide []float64
	if !x.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			nu, v := x.Share(), b.Values(l, l+1, n, &wide)
			if b.Nu != nil {
				nu *= b.Nu[l]
			}
			for j := range sums {
				column := a[j*n : (j+1)*n]
				if m.Distinct {
					part, size := distinct.Sums(v, column, unit, f)
					sums[j], sizes[j] = sums[j]+nu*part, sizes[j]+nu*size
					continue
				}
				part := nu * linalg.Powi(linalg.Dot(v, column)/unit, m.Order)
				sums[j], sizes[j] = sums[j]+part, sizes[j]+math.Abs(part)
			}
		}
	}) {
		return m.Table.Stopped(ctx)
	}
	for j, size := range sizes {
		if !(math.Abs(sums[j]) < canceling*size) {
			return nil
		}
	}
	return m.errVanishes()
}
