package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/math/ktensor"
	"symmom/internal/text/diag"
)

// The generic rank is the number of random forms a_j from which on the a_j^(d-1) x_i span
// all forms of degree d (Terracini's lemma). The forms are evaluated at as many random
// points as there are coefficients, and the rank is counted modulo a prime, so that
// nothing is rounded.
func TestGeneric(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ order, most int }{{1, 6}, {3, 7}, {4, 6}, {5, 5}, {6, 4}, {7, 3}} {
		for n := 1; n <= c.most; n++ {
			coefficients := 1
			for k := range c.order {
				coefficients = coefficients * (n + k) / (k + 1)
			}
			points := residues(rng, coefficients, n)
			want := 0
			for spanned, rows := 0, [][]uint64(nil); spanned < coefficients; want++ {
				a := residues(rng, 1, n)[0]
				for i := range n {
					row := make([]uint64, coefficients)
					for l, x := range points {
						row[l] = x[i]
						for range c.order - 1 {
							row[l] = row[l] * inner(a, x) % prime
						}
					}
					rows = append(rows, row)
				}
				spanned = rankModulo(rows)
			}
			m := New(tables.New(&load.Set{Info: load.Info{P: 1, N: n}, Values: make([]float64, n)}), c.order)
			if got := m.Generic(); got != float64(want) {
				t.Errorf("order %d, %d variables: got %g, want %d", c.order, n, got, want)
			}
		}
	}
}

const prime = 1<<31 - 1

func residues(rng *rand.Rand, rows, n int) [][]uint64 {
	out := make([][]uint64, rows)
	for l := range out {
		for range n {
			out[l] = append(out[l], rng.Uint64N(prime))
		}
	}
	return out
}

func inner(a, x []uint64) (sum uint64) {
	for i := range a {
		sum = (sum + a[i]*x[i]) % prime
	}
	return sum
}

// rankModulo eliminates in a copy.
func rankModulo(rows [][]uint64) (rank int) {
	m := make([][]uint64, len(rows))
	for i, row := range rows {
		m[i] = append(m[i], row...)
	}
	for j := range m[0] {
		at := rank
		for at < len(m) && m[at][j] == 0 {
			at++
		}
		if at == len(m) {
			continue
		}
		m[rank], m[at] = m[at], m[rank]
		inverse, power := uint64(1), m[rank][j]
		for e := uint64(prime - 2); e > 0; e >>= 1 { // Fermat
			if e&1 == 1 {
				inverse = inverse * power % prime
			}
			power = power * power % prime
		}
		for i := rank + 1; i < len(m); i++ {
			factor := m[i][j] * inverse % prime
			for k := j; factor != 0 && k < len(m[i]); k++ {
				m[i][k] = (m[i][k] + (prime-factor)*m[rank][k]) % prime
			}
		}
		rank++
	}
	return rank
}

// Fits of a sweep compare if the same noise was removed from their moments.
func TestLowest(t *testing.T) {
	var l Lowest
	for i, c := range []struct {
		f, sigma float64
		want     string
	}{{-3, .5, ""}, {-4, .5, ""}, {-3.5, .5, diag.FewStarts}, {-2, .3, diag.OtherNoise}, {-2.5, .3, ""}, {-2.1, .3, diag.FewStarts}, {-2.6, .2, diag.OtherNoise}} {
		got := ""
		for _, w := range l.Next(i+1, c.f, 5, c.sigma) {
			got += w.Code
		}
		if got != c.want {
			t.Errorf("fit %d, f %g without noise of sigma %g: warning %q, want %q", i, c.f, c.sigma, got, c.want)
		}
	}
}

// More terms than symmetric tensors have entries are linearly dependent, though no two are
// the same; two that are the same up to rounding are called so.
func TestDependentTerms(t *testing.T) {
	circle := func(d int, angles ...float64) *ktensor.Kruskal {
		k := &ktensor.Kruskal{D: d, N: 2, R: len(angles)}
		for _, a := range angles {
			k.Lambda, k.A = append(k.Lambda, 1), append(k.A, math.Cos(a), math.Sin(a))
		}
		return k
	}
	for want, k := range map[string]*ktensor.Kruskal{
		"":                     circle(4, 0, .6, 1.2, 1.9, 2.5), // of 5 entries
		"linearly dependent":   circle(4, 0, .5, 1, 1.5, 2, 2.5),
		"that are the same":    circle(4, 0, .6, 1.2, 1.2+1e-7),
		"rank 3 has component": circle(1, 0, .6, 1.2),
	} {
		got := ""
		for _, w := range degenerate(k) {
			got += w.Text
		}
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%d terms of order %d: %q, want %q", k.R, k.D, got, want)
		}
	}
}

// Components without weight are reported whatever the signs of the others, and the uncertainty
// by rounding is the sum of the absolute terms of ||M||^2.
func TestWeightless(t *testing.T) {
	for _, first := range []float64{5, -5} {
		for _, second := range []float64{2, -2} {
			for last, some := range map[float64]string{6e-7: "", -6e-7: "", 4e-7: "rank 2 fits as well", -4e-7: "rank 2 fits as well", 0: "rank 2 fits as well"} {
				k := &ktensor.Kruskal{D: 3, N: 3, R: 3, Lambda: []float64{first, second, last}, A: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}
				got := ""
				for _, w := range degenerate(k) {
					got += w.Text
				}
				if !strings.Contains(got, some) || some == "" && got != "" {
					t.Errorf("weights %g: %q, want %q", k.Lambda, got, some)
				}
			}
		}
	}
	rng := rand.New(rand.NewPCG(33, 11))
	const d, n, r = 3, 4, 5
	lambda, a := make([]float64, r), make([]float64, r*n)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	want := 0.
	for i := range r {
		lambda[i] = rng.NormFloat64()
		for j := range i + 1 {
			inner := 0.
			for l := range n {
				inner += a[i*n+l] * a[j*n+l]
			}
			term := math.Abs(lambda[i] * lambda[j] * inner * inner * inner)
			if want += term; j < i {
				want += term
			}
		}
	}
	// rounding is that of a sum of such terms, whatever it is taken to be.
	if got := (&Moment{Order: d}).leftOpen(r, lambda, a, 7); !(math.Abs(got-rounding*want/7) <= 1e-13*got) || !(rounding >= 0x1p-52) {
		t.Errorf("%g is open, want %g", got, rounding*want/7)
	}
	// Over distinct indices power sums cancel: 3! times the terms of the sizes.
	sizes := make([]float64, len(a))
	for i, v := range a {
		sizes[i] = math.Abs(v)
	}
	all := 6 * (&Moment{Order: d}).leftOpen(r, lambda, sizes, 7)
	if got := (&Moment{Order: d, Distinct: true}).leftOpen(r, lambda, a, 7); !(math.Abs(got-all) <= 1e-13*all) {
		t.Errorf("over distinct indices %g is open, want %g", got, all)
	}
}

// A component in fewer variables than the order has hardly any entries of distinct indices.
func TestUnseen(t *testing.T) {
	k := &ktensor.Kruskal{D: 3, N: 5, R: 3, Distinct: true, Lambda: []float64{3, 2, 1},
		A: []float64{.6, .8, 0, .001, 0, .5, .5, .5, .5, 0, 0, 1, 0, 0, 0}}
	w := unseen(k)
	if len(w) != 1 || !strings.HasPrefix(w[0].Text, "components 1, 3 have hardly any variables but 2, ") {
		t.Error(w)
	}
	if k.A = k.A[5:10]; len(unseen(&ktensor.Kruskal{D: 3, N: 5, R: 1, Distinct: true, Lambda: k.Lambda[:1], A: k.A})) != 0 {
		t.Error("a component of four variables is seen")
	}
	if k.Distinct = false; len(unseen(k)) != 0 {
		t.Error("over all indices every component is seen")
	}
}
