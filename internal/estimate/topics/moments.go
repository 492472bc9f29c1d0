package topics

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Of the basis and of the power method: the accuracy of an eigenvector, most products, and when
// a rotation has settled, 1 - cosine.
const (
	basisAccuracy = 1e-3
	basisProducts = 8
	settled       = 1e-12
	mostTurns     = 300
)

// whitened are the moments in the coordinates W = U S^(-1/2) of the k leading eigenvectors U of
// X2, in which X2 is the identity.
type whitened struct {
	k, n   int
	rows   []float64 // U', k x n
	values []float64 // S
	mean   []float64 // W'M1
	third  []float64 // X3 (W, W, W), k x k x k
	above  int       // values above the edge of the noise
}

// mostTopics is how many are looked for if their number is open.
const mostTopics = 100

// newWhitened makes some passes over the documents. It has fewer than k coordinates if X2 has no
// more eigenvalues above 0; for k = 0 one for each that is above the edge of the noise, and at
// least one.
func newWhitened(ctx context.Context, d *Documents, k, threads int) (*whitened, error) {
	p, n := d.Shape()
	open := k == 0
	if open {
		k = min(mostTopics, n, p-d.Short)
	}
	two := d.places(2)
	noise := &moment.Noise{N: n, Diagonal: append([]float64(nil), d.means[2]...)}
	linalg.Scale(1/d.factor(2), noise.Diagonal)
	second := &moment.Implicit{Data: two, D: 2, Noise: noise}
	want := eigen.Wanted{K: k, Accuracy: basisAccuracy, Products: basisProducts}
	pairs, err := moment.LeadingOf(ctx, second, want, 1, threads, func() error { return block.Stopped(ctx, d) })
	if err != nil {
		return nil, err
	}
	w := &whitened{n: n}
	for w.k < k && w.k < len(pairs.Values) && pairs.Values[w.k] > moment.NoEigenvalue*pairs.Values[0] {
		w.k++
	}
	for w.above < w.k && pairs.Values[w.above] > d.edge()/d.factor(2) {
		w.above++
	}
	if open {
		w.k = min(w.k, max(1, w.above))
	}
	w.rows, w.values = pairs.Rows[:w.k*n], pairs.Values[:w.k]
	linalg.Scale(d.factor(2), w.values)
	if w.k == 0 {
		return w, nil
	}
	basis := make([]float64, w.k*n)
	copy(basis, w.rows)
	for j, v := range w.values {
		linalg.Scale(1/math.Sqrt(v), basis[j*n:(j+1)*n])
	}
	w.mean = make([]float64, w.k)
	linalg.MulABt(w.mean, d.means[1], basis, 1, w.k, n)
	return w, w.cube(ctx, d, basis, threads)
}

// cube computes the third moment over distinct places: of all places in one pass, and what pairs
// and triples of the same one add, from the product of the documents with the basis in another.
func (w *whitened) cube(ctx context.Context, d *Documents, basis []float64, threads int) error {
	k, n, three := w.k, w.n, d.places(3)
	in, x := &moment.Basis{N: n, K: k, Q: basis}, three
	if _, far := x.(block.Far); !far { // where they are, they are projected by themselves
		x, in = &moment.Projected{Source: x, Basis: in, Threads: threads}, nil
	}
	all, err := moment.NewPacked(ctx, x, in, 3, 1, threads)
	if err != nil {
		return err
	}
	w.third = all.Full()
	plain := moment.NewObjective(&moment.Implicit{Data: three, D: 2}, k, 1, threads)
	y, _, ok := plain.TTSV(ctx, basis)
	if !ok {
		return block.Stopped(ctx, d)
	}
	linalg.Scale(d.factor(3), w.third)
	// C' D_nu C W - 2/3 diag(C' nu) W: a third of what is subtracted for each order of indices.
	g := append([]float64(nil), y...)
	linalg.Scale(d.factor(3), g)
	for j := range k {
		for i, v := range d.means[3] {
			g[j*n+i] -= 2. / 3 * v * basis[j*n+i]
		}
	}
	same := make([]float64, k*k*k) // sum over words of w x w x g
	pool := parallel.Pool{Threads: parallel.Threads(threads), Job: func(_, a int) {
		row := make([]float64, k*n)
		for b := range k {
			linalg.Multiply(row[b*n:(b+1)*n], basis[a*n:(a+1)*n], basis[b*n:(b+1)*n])
		}
		linalg.MulABt(same[a*k*k:(a+1)*k*k], row, g, k, k, n)
	}}
	if !pool.Run(ctx, k) {
		return ctx.Err()
	}
	for a := range k {
		for b := range k {
			for c := range k {
				w.third[(a*k+b)*k+c] -= same[(a*k+b)*k+c] + same[(a*k+c)*k+b] + same[(b*k+c)*k+a]
			}
		}
	}
	return nil
}

// at returns M3 in the coordinates in which M2 is the identity, at a concentration: those of w
// times I + stretch m m', for the mean m.
func (w *whitened) at(a0 float64) (third []float64, stretch float64) {
	k, m := w.k, w.mean
	square := linalg.Dot(m, m)
	left := math.Max(1-a0/(a0+1)*square, .5/(a0+1)) // of M2 along m; the mean is in the span, so that square is 1 but for noise
	stretch = (1/math.Sqrt(left) - 1) / square
	third = append([]float64(nil), w.third...)
	one, all := a0/(a0+2), 2*a0*a0/((a0+1)*(a0+2))
	for a := range k {
		for b := range k {
			row := third[(a*k+b)*k : (a*k+b+1)*k]
			linalg.Axpy(all*m[a]*m[b], m, row)
			row[a] -= one * m[b]
			row[b] -= one * m[a]
			if a == b {
				linalg.Axpy(-one, m, row)
			}
		}
	}
	return along(third, m, stretch, k), stretch
}

// along multiplies a symmetric k x k x k tensor by I + stretch m m' in every mode.
func along(t, m []float64, stretch float64, k int) []float64 {
	once, twice, thrice := make([]float64, k*k), make([]float64, k), 0.
	linalg.MulABt(once, t, m, k*k, 1, k)
	linalg.MulABt(twice, once, m, k, 1, k)
	thrice = linalg.Dot(twice, m)
	for a := range k {
		for b := range k {
			row := t[(a*k+b)*k : (a*k+b+1)*k]
			linalg.Axpy(stretch*once[a*k+b], m, row)
			linalg.Axpy(stretch*m[a], once[b*k:(b+1)*k], row)
			linalg.Axpy(stretch*m[b], once[a*k:(a+1)*k], row)
			linalg.Axpy(stretch*stretch*(m[a]*twice[b]+m[b]*twice[a]), m, row)
			linalg.Axpy(stretch*stretch*m[a]*m[b], twice, row)
			linalg.Axpy(stretch*stretch*stretch*thrice*m[a]*m[b], m, row)
		}
	}
	return t
}

// turn turns orthonormal rows v (k x k) by the symmetric power method towards those of the terms
// of a tensor, and returns their lambda and the share of the tensor's square that these explain. It
// returns false if ctx is cancelled.
func turn(ctx context.Context, t, v []float64, k, threads int) (lambda []float64, explained float64, ok bool) {
	z, y := make([]float64, k*k*k), make([]float64, k*k)
	pool := parallel.Pool{Threads: parallel.Threads(threads), Job: func(_, a int) {
		linalg.MulABt(z[a*k*k:(a+1)*k*k], t[a*k*k:(a+1)*k*k], v, k, k, k)
		for j := range k {
			sum := 0.
			for b := range k {
				sum += z[(a*k+b)*k+j] * v[j*k+b]
			}
			y[j*k+a] = sum
		}
	}}
	lambda = make([]float64, k)
	for i := 0; ; i++ {
		if !pool.Run(ctx, k) {
			return nil, 0, false
		}
		for j := range k {
			lambda[j] = linalg.Dot(y[j*k:(j+1)*k], v[j*k:(j+1)*k])
		}
		next := append([]float64(nil), y...)
		if i == mostTurns || !eigen.Nearest(next, k, k) {
			break
		}
		moved := 0.
		for j := range k {
			moved = math.Max(moved, 1-linalg.Dot(next[j*k:(j+1)*k], v[j*k:(j+1)*k]))
		}
		if moved < settled {
			break
		}
		copy(v, next)
	}
	return lambda, linalg.Dot(lambda, lambda) / linalg.Dot(t, t), true
}

// rotation returns random orthonormal rows for a start.
func rotation(ctx context.Context, seed, start uint64, k int) ([]float64, error) {
	v, rng := make([]float64, k*k), rand.New(rand.NewPCG(seed, start))
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	_, err := eigen.Orthonormalize(ctx, v, k, k, 1) // of full rank with probability one
	return v, err
}

// topics returns the topics of orthonormal rows v at a concentration, k x n: each of sum 1, with
// its negative entries, whose share cut has, set to 0, and their weights of sum 1.
func (w *whitened) topics(v []float64, stretch float64) (mu, weights, cut []float64) {
	k, n := w.k, w.n
	square := linalg.Dot(w.mean, w.mean)
	back := -stretch / (1 + stretch*square) // the inverse of I + stretch m m' is I + back m m'
	turned, m := make([]float64, k*k), make([]float64, k)
	weights, cut = make([]float64, k), make([]float64, k)
	copy(m, w.mean)
	linalg.Axpy(stretch*square, w.mean, m)
	for j := range k {
		row := turned[j*k : (j+1)*k]
		copy(row, v[j*k:(j+1)*k])
		weights[j] = linalg.Dot(row, m) // times the sum of the column
		linalg.Axpy(back*linalg.Dot(row, w.mean), w.mean, row)
		for i, s := range w.values {
			row[i] *= math.Sqrt(s)
		}
	}
	mu = make([]float64, k*n)
	linalg.AddAtB(mu, transposed(turned, k), w.rows, k, n, k)
	for j := range k {
		column := mu[j*n : (j+1)*n]
		sum, positive := 0., 0.
		for _, x := range column {
			sum += x
		}
		weights[j] *= sum
		if sum < 0 {
			linalg.Scale(-1, column)
		}
		for i, x := range column {
			if x < 0 {
				cut[j] -= x
			}
			column[i] = math.Max(0, x)
			positive += column[i]
		}
		cut[j] /= math.Abs(sum)
		linalg.Scale(1/positive, column)
	}
	shares(weights)
	return mu, weights, cut
}

// leastShare is the least weight of a topic: what noise makes smaller is this much of the mean one.
const leastShare = .01

// shares makes weights positive, and their sum 1.
func shares(w []float64) {
	sum := 0.
	for j, x := range w {
		w[j] = math.Max(x, leastShare/float64(len(w)))
		sum += w[j]
	}
	linalg.Scale(1/sum, w)
}

func transposed(a []float64, k int) []float64 {
	t := make([]float64, k*k)
	linalg.Transpose(t, k, a, k, k)
	return t
}
