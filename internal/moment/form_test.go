package moment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment/block"
)

// sortedMoment is the packed moment of order d of the observations, less center, in a basis,
// divided by unit: a loop over the observations for each entry.
func sortedMoment(x *block.Dense, b *Basis, center []float64, d int, unit float64) []float64 {
	var sums []float64
	var wide []float64
	for l := range x.P {
		v := make([]float64, x.N)
		for i, value := range x.Values(l, l+1, &wide) {
			if center != nil {
				value -= center[i]
			}
			v[i] = value / unit
		}
		if b != nil {
			w := make([]float64, b.K)
			for k := range w {
				for i, value := range v {
					w[k] += b.Q[k*b.N+i] * value
				}
			}
			v = w
		}
		at := 0
		var entries func(left, from int, product float64)
		entries = func(left, from int, product float64) {
			if left == 0 {
				if at == len(sums) {
					sums = append(sums, 0)
				}
				sums[at] += product
				at++
				return
			}
			for i := from; i < len(v); i++ {
				entries(left-1, i, product*v[i])
			}
		}
		entries(d, 0, x.Weight(l))
	}
	return sums
}

// uneven shows a source in blocks of up to so many rows, of different sizes.
type uneven struct {
	block.Source
	rows int
}

func (x *uneven) BlockRows() int { return min(x.rows, x.Source.BlockRows()) }

func (x *uneven) Pass(ctx context.Context, do func(block.Block)) bool {
	_, n := x.Shape()
	return x.Source.Pass(ctx, func(b block.Block) {
		for lo, rows := 0, x.rows; lo < b.Rows; {
			hi := min(lo+rows, b.Rows)
			do(b.Part(lo, hi, n))
			lo, rows = hi, 1+(rows*7+5)%x.rows
		}
	})
}

// Moments of any shape, however they are stored and come, are those of the definition, with
// the same bits for any number of threads.
func TestMomentsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 99))
	grouped := 0
	for trial := range 60 {
		p, n := 1+rng.IntN(40), 1+rng.IntN(20)
		if trial%2 == 0 {
			p, n = 500+rng.IntN(6000), 1+rng.IntN(10)
		}
		var x block.Source
		var dense *block.Dense
		switch trial % 3 {
		case 0:
			dense = randomData(p, n, trial%4 > 1, rng)
			clear(dense.V[:min(p, 3)*n])
			x = dense
		case 1:
			_, dense = bothStored(p, n, trial%4 > 1, rng)
			x = dense
		default:
			sparse := drawSparse(rng, p, n)
			x, dense = sparse, gather(t, sparse)
		}
		if trial%5 > 1 {
			x = &uneven{x, 1 + rng.IntN(3000)}
		}
		var b *Basis
		if rng.IntN(2) == 0 {
			k := 1 + rng.IntN(n)
			b = &Basis{N: n, K: k, Q: make([]float64, k*n)}
			gaussian(b.Q, rng)
		}
		var center []float64
		if rng.IntN(2) == 0 {
			center = make([]float64, n)
			gaussian(center, rng)
		}
		orders := []int{1 + rng.IntN(5), 1 + rng.IntN(5)}
		unit := .5 + rng.Float64()
		if groups, _ := newBuilder(x, b, orders, unit).grouped(x, 1); len(groups) > 1 {
			grouped++
		}
		one := ""
		for _, threads := range []int{1, 2, 3, 8} {
			moments, err := NewCentral(t.Context(), x, b, center, orders, unit, threads)
			if err != nil {
				t.Fatal(err)
			}
			bits := ""
			for i, m := range moments {
				bits += fmt.Sprintf("%x", m.x)
				if threads == 1 {
					// Rounding of the largest sum, each term up to d times.
					near(t, fmt.Sprintf("trial %d, order %d", trial, orders[i]), m.x, sortedMoment(dense, b, center, orders[i], unit), 1e-11)
				}
			}
			if one == "" {
				one = bits
			} else if bits != one {
				t.Errorf("trial %d: %d threads give other bits", trial, threads)
			}
		}
	}
	if grouped < 10 || grouped > 50 {
		t.Errorf("%d of 60 trials are of groups: both ways should be tried", grouped)
	}
}
