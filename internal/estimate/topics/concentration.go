package topics

import (
	"context"
	"math"
	"slices"

	"symmom/internal/math/linalg"
)

// The range in which a concentration is looked for, from a factor of ten to the next in so many
// steps, and to a relative change of concentrationAccuracy.
const (
	leastConcentration    = .01
	mostConcentration     = 1000
	concentrationSteps    = 3
	concentrationAccuracy = .01
	unknownConcentration  = 1 // where documents say nothing of it
)

// solution is a decomposition of M3 at a concentration.
type solution struct {
	a0, explained float64
	v, lambda     []float64
	stretch       float64
}

// solve decomposes M3 from several random rotations, or from given ones.
func (w *whitened) solve(ctx context.Context, a0 float64, from []float64, o Options) (*solution, error) {
	third, stretch := w.at(a0)
	best := &solution{a0: a0, stretch: stretch, explained: math.Inf(-1)}
	starts := o.Starts
	if from != nil {
		starts = 1
	}
	for start := range uint64(starts) {
		v := append([]float64(nil), from...)
		if from == nil {
			var err error
			if v, err = rotation(ctx, o.Seed, start, w.k); err != nil {
				return nil, err
			}
		}
		lambda, explained, ok := turn(ctx, third, v, w.k, o.Threads)
		if !ok {
			return nil, ctx.Err()
		}
		if explained > best.explained {
			best.explained, best.v, best.lambda = explained, v, lambda
		}
	}
	return best, nil
}

// search finds the concentration at which orthonormal terms explain most of M3, on a grid and then
// by the golden section. What they leave is a consistent criterion: at any other concentration M3
// has products of different topics.
func (w *whitened) search(ctx context.Context, o Options) (*solution, error) {
	var best *solution
	step := math.Pow(10, 1./concentrationSteps)
	try := func(a0 float64, from []float64) (*solution, error) {
		s, err := w.solve(ctx, a0, from, o)
		if err == nil && (best == nil || s.explained > best.explained) {
			best = s
		}
		return s, err
	}
	from := []float64(nil)
	for a0 := leastConcentration; a0 < mostConcentration*1.001; a0 *= step {
		s, err := try(a0, from)
		if err != nil {
			return nil, err
		}
		from = s.v
	}
	lo, hi := max(best.a0/step, leastConcentration), min(best.a0*step, mostConcentration)
	const golden = .618033988749895
	at := [2]float64{lo * math.Pow(hi/lo, 1-golden), lo * math.Pow(hi/lo, golden)}
	var found [2]*solution
	for hi/lo > 1+concentrationAccuracy {
		for i := range at {
			if found[i] == nil {
				var err error
				if found[i], err = try(at[i], best.v); err != nil {
					return nil, err
				}
			}
		}
		if found[0].explained > found[1].explained {
			hi, at[1], found[1] = at[1], at[0], found[0]
			at[0], found[0] = lo*math.Pow(hi/lo, 1-golden), nil
		} else {
			lo, at[0], found[0] = at[0], at[1], found[1]
			at[1], found[1] = lo*math.Pow(hi/lo, golden), nil
		}
	}
	return w.solve(ctx, best.a0, nil, o)
}

// Bounds of together: concentrations of 1000 and .001.
const (
	leastTogether = 1 / 1001.
	mostTogether  = 1 / 1.001
)

// together estimates tau = 1/(a0+1), the probability that two places of a document have one topic
// beyond chance, by least squares over pairs of different words,
//
//	X2 ~ tau sum_i w_i mu_i mu_i' + (1-tau) M1 M1',
//
// each entry weighed by the frequencies of its words, from the sums of pair. Pairs of one word are
// left out: in texts a word that was said is said again, whatever the topic. For each document the
// topics are those of all others, since its own words made them more like it.
func (q *posterior) together(weights []float64) (tau float64) {
	k, n := q.k, q.n
	mu, m := q.overall(weights)
	// The inner products of X2 - M1 M1' and G - M1 M1' with G - M1 M1'.
	xg, xm := q.groups[0].pairs[0]/q.docs.used[2], q.groups[0].pairs[1]/q.docs.used[2]
	var gg, gm float64
	a, squares := make([]float64, k*n), make([]float64, n*k) // mu/m, and its squares by words
	for i, m := range m {
		for j := range k {
			a[j*n+i] = mu[j*n+i] / m
			squares[i*k+j] = a[j*n+i] * a[j*n+i]
		}
	}
	gram, diagonal := make([]float64, k*k), make([]float64, k*k)
	linalg.MulABt(gram, a, mu, k, k, n)
	linalg.AddAtB(diagonal, squares, weighted(squares, m, k), k, k, n)
	for i, w := range weights {
		for j, v := range weights {
			gg += w * v * (gram[i*k+j]*gram[i*k+j] - diagonal[i*k+j])
		}
		gm += w * (1 - linalg.Dot(mu[i*n:(i+1)*n], mu[i*n:(i+1)*n]))
	}
	mm := 1 - linalg.Dot(m, m)
	return (xg - xm - gm + mm) / (gg - 2*gm + mm)
}

// overall returns the topics, and their mean, of weights w: m = sum of w_i mu_i.
func (q *posterior) overall(weights []float64) (mu, m []float64) {
	mu, m = q.mean(), make([]float64, q.n)
	for j, w := range weights {
		linalg.Axpy(w, mu[j*q.n:(j+1)*q.n], m)
	}
	return mu, m
}

// pair adds the pairs of a document to the sums of a group: for each topic without the words of
// the document, which t.own and t.Next have, the sum over pairs of its places with different words
// of mu_w/m_w mu_v/m_v.
func (q *posterior) pair(t *document, g *group, weights, m []float64, index []int32, count []float64) {
	length := sum(count)
	if length < 2 {
		return
	}
	t.sums, t.same = append(t.sums[:0], make([]float64, q.k)...), append(t.same[:0], make([]float64, q.k)...)
	sums, same := t.sums, t.same[:len(t.sums)]
	nu := t.weight / (length * (length - 1))
	for i, c := range count {
		g.pairs[1] += nu * c * (length - c)
		own, by := q.word(t.own, int32(i))[:len(sums)], c/m[index[i]]
		for j, x := range q.word(q.words, index[i])[:len(sums)] {
			a := by * max(0, x-own[j])
			sums[j] += a
			same[j] += a * a
		}
	}
	for j, w := range weights {
		total := q.totals[j] - t.weight*t.Next[j]
		g.pairs[0] += nu * w * (sums[j]*sums[j] - same[j]) / (total * total)
	}
}

// weighted returns the rows of a table times the squares of m.
func weighted(a, m []float64, k int) []float64 {
	out := slices.Clone(a)
	for i, m := range m {
		linalg.Scale(m*m, out[i*k:(i+1)*k])
	}
	return out
}
