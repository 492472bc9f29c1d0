package topics

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

func options(k int) Options {
	return Options{Topics: k, Starts: 5, Seed: 1, MaxIterations: 100, Tolerance: 3e-4}
}

func survey(t *testing.T, x block.Source) *Documents {
	t.Helper()
	d, err := Survey(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// explicit returns the mean over documents of the tensor of d distinct places, n^d numbers, by
// going through all such places; documents with fewer words are left out.
func explicit(x *block.Dense, d int) []float64 {
	size := 1
	for range d {
		size *= x.N
	}
	out, used := make([]float64, size), 0.
	for l := range x.P {
		var words []int
		for i, c := range x.V[l*x.N : (l+1)*x.N] {
			words = append(words, slices.Repeat([]int{i}, int(c))...)
		}
		if len(words) < d {
			continue
		}
		tuples := 1.
		for q := range d {
			tuples *= float64(len(words) - q)
		}
		used += x.Weight(l)
		var down func(depth, at int, taken []bool)
		down = func(depth, at int, taken []bool) {
			if depth == d {
				out[at] += x.Weight(l) / tuples
				return
			}
			for i, w := range words {
				if !taken[i] {
					taken[i] = true
					down(depth+1, at*x.N+w, taken)
					taken[i] = false
				}
			}
		}
		down(0, 0, make([]bool, len(words)))
	}
	linalg.Scale(1/used, out)
	return out
}

// modes multiplies a tensor of three modes by the rows of b, k x n, in each.
func modes(x, b []float64, k, n int) []float64 {
	for range 3 { // the first mode becomes the last
		rest := len(x) / n
		y := make([]float64, rest*k)
		for at := range rest {
			for j := range k {
				for i := range n {
					y[at*k+j] += x[i*rest+at] * b[j*n+i]
				}
			}
		}
		x = y
	}
	return x
}

// The moments in the coordinates of the basis are those of the tensors over all distinct places;
// and at a concentration M2 is the identity and M3 what the formula says. Sums of positive and
// negative terms of size 1/values^1.5.
func TestMomentsAreThoseOfTensors(t *testing.T) {
	rng := rand.New(rand.NewPCG(58, 1))
	for _, k := range []int{1, 3} {
		const n, p = 5, 40
		x := &block.Dense{P: p, N: n, V: make([]float64, p*n), Nu: make([]float64, p)}
		for l := range p {
			x.Nu[l] = (1 + rng.Float64()) / p
			for range rng.IntN(8) { // some have fewer than three words
				x.V[l*n+min(rng.IntN(n), rng.IntN(n))]++
			}
		}
		linalg.Scale(1/sum(x.Nu), x.Nu)
		w, err := newWhitened(t.Context(), survey(t, x), k, 2)
		if err != nil || w.k < 1 {
			t.Fatal(err, w.k)
		}
		k := w.k
		basis := slices.Clone(w.rows)
		for j, v := range w.values {
			linalg.Scale(1/math.Sqrt(v), basis[j*n:(j+1)*n])
		}
		one, two, three := explicit(x, 1), explicit(x, 2), modes(explicit(x, 3), basis, k, n)
		same(t, "X3", w.third, three, 1e-11)
		m := make([]float64, k)
		linalg.MulABt(m, one, basis, 1, k, n)
		same(t, "M1", w.mean, m, 1e-11)
		image := make([]float64, k*n)
		linalg.MulABt(image, basis, two, k, n, n)
		for _, a0 := range []float64{.1, 1, 7} {
			got, stretch := w.at(a0)
			root := make([]float64, k*k) // I + stretch m m'
			for i := range k {
				root[i*k+i] = 1
				linalg.Axpy(stretch*m[i], m, root[i*k:(i+1)*k])
			}
			second := make([]float64, k*k)
			linalg.MulABt(second, image, basis, k, k, n)
			want := slices.Clone(three)
			for a := range k {
				for b := range k {
					for c := range k {
						want[(a*k+b)*k+c] += 2*a0*a0/((a0+1)*(a0+2))*m[a]*m[b]*m[c] -
							a0/(a0+2)*(second[a*k+b]*m[c]+second[a*k+c]*m[b]+second[b*k+c]*m[a])
					}
				}
			}
			same(t, "M3", got, modes(want, root, k, k), 1e-10)
			for a := range k {
				linalg.Axpy(-a0/(a0+1)*m[a], m, second[a*k:(a+1)*k])
			}
			white, left := make([]float64, k*k), make([]float64, k*k)
			linalg.MulABt(left, second, root, k, k, k)
			linalg.AddAtB(white, root, left, k, k, k)
			if 1-a0/(a0+1)*linalg.Dot(m, m) > .5/(a0+1) {
				unit := make([]float64, k*k)
				for i := range k {
					unit[i*k+i] = 1
				}
				same(t, "M2", white, unit, 1e-10)
			}
		}
	}
}

func same(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	size := math.Max(1, linalg.NormInf(want))
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*size) {
			t.Fatalf("%s: %d is %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

// population are the exact moments of a topic model.
func population(rng *rand.Rand, k, n int, alpha []float64) (w *whitened, mu []float64) {
	a0 := sum(alpha)
	mu = make([]float64, k*n)
	for j := range k {
		shareOut(rng, mu[j*n:(j+1)*n], .3)
	}
	// In any basis of their span the topics are k points: here with X2 = I, by Cholesky.
	second := make([]float64, k*k) // E theta theta' = (alpha alpha' + diag alpha) / (a0 (a0+1))
	for i, a := range alpha {
		for j, b := range alpha {
			second[i*k+j] = a * b / (a0 * (a0 + 1))
		}
		second[i*k+i] += a / (a0 * (a0 + 1))
	}
	root := slices.Clone(second)
	linalg.Cholesky(root, k, k)
	points := make([]float64, k*k) // by topic: L^-1 e_j
	for j := range k {
		for i := range k {
			x := 0.
			if i == j {
				x = 1
			}
			for c := range i {
				x -= root[i*k+c] * points[j*k+c]
			}
			points[j*k+i] = x / root[i*k+i]
		}
	}
	w = &whitened{k: k, n: k, mean: make([]float64, k), third: make([]float64, k*k*k)}
	moment := func(i ...int) float64 { // E of a product of shares
		m, up := 1., slices.Clone(alpha)
		for q, j := range i {
			m *= up[j] / (a0 + float64(q))
			up[j]++
		}
		return m
	}
	for j := range k {
		linalg.Axpy(moment(j), points[j*k:(j+1)*k], w.mean)
		for i := range k {
			for l := range k {
				for a := range k {
					for b := range k {
						linalg.Axpy(moment(i, j, l)*points[i*k+a]*points[j*k+b], points[l*k:(l+1)*k], w.third[(a*k+b)*k:(a*k+b+1)*k])
					}
				}
			}
		}
	}
	return w, points
}

// From exact moments the topics are exact, and so are their weights and the concentration.
func TestExactMomentsGiveTopics(t *testing.T) {
	rng := rand.New(rand.NewPCG(58, 2))
	for _, alpha := range [][]float64{{.1, .1, .1}, {.5, .2, .2, .1}, {3, 2, 1, 1, .5}} {
		k := len(alpha)
		w, points := population(rng, k, 8, alpha)
		s, err := w.search(t.Context(), options(k))
		if err != nil || math.Abs(s.a0/sum(alpha)-1) > .01 || s.explained < 1-1e-4 {
			t.Fatalf("%v: concentration %g, explained %g, %v", alpha, s.a0, s.explained, err)
		}
		a0 := sum(alpha)
		if s, err = w.solve(t.Context(), a0, nil, options(k)); err != nil || s.explained < 1-1e-10 {
			t.Fatalf("%v: %g, %v", alpha, s.explained, err)
		}
		found := map[int]bool{}
		for j := range k {
			v := s.v[j*k : (j+1)*k]
			// A term is (I + stretch m m') mu sqrt(alpha / (a0 (a0+1))).
			for i := range k {
				u := slices.Clone(points[i*k : (i+1)*k])
				linalg.Axpy(s.stretch*linalg.Dot(w.mean, u), w.mean, u)
				linalg.Scale(math.Sqrt(alpha[i]/(a0*(a0+1))), u)
				if math.Abs(linalg.Dot(u, v)-1) < 1e-8 {
					found[i] = true
					if want := 2 / (a0 + 2) * math.Sqrt((a0+1)*a0/alpha[i]); math.Abs(s.lambda[j]-want) > 1e-6*want {
						t.Errorf("%v: lambda of %d is %g, want %g", alpha, i, s.lambda[j], want)
					}
				}
			}
		}
		if len(found) != k {
			t.Errorf("%v: %d of %d topics", alpha, len(found), k)
		}
	}
}

// Of drawn documents topics, weights and concentration are near the true ones, and nearer after
// the polish. What is found from the same counts, however they are stored and whatever the number
// of threads, is the same.
func TestTopicsOfDrawnDocuments(t *testing.T) {
	const k, n = 4, 120
	for _, a0 := range []float64{.3, 1, 4} {
		x, mu := drawn(1, k, 3000, 40, n, a0, .1)
		d := survey(t, x)
		o := options(k)
		o.MomentsOnly = true
		plain, err := Find(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		o.MomentsOnly = false
		polished, err := Find(t.Context(), d, o)
		if err != nil || !polished.Converged {
			t.Fatal(err, polished.Iterations)
		}
		before, after := distance(mu, plain.Topics, k, n), distance(mu, polished.Topics, k, n)
		if !(before < .08*(1+a0)) || !(after < .06*(1+a0)) || !(after < before) {
			t.Errorf("concentration %g: distance %.3f, polished %.3f", a0, before, after)
		}
		for _, r := range []*Result{plain, polished} {
			if math.Abs(r.Concentration/a0-1) > .25 || math.Abs(sum(r.Weights)-1) > 1e-12 || math.Abs(r.Weights[0]-.25) > .06 {
				t.Errorf("concentration %g, want %g; weights %v", r.Concentration, a0, r.Weights)
			}
			for j := range k {
				if s := sum(r.Topics[j*n : (j+1)*n]); math.Abs(s-1) > 1e-12 || slices.Min(r.Topics[j*n:(j+1)*n]) < 0 {
					t.Errorf("topic %d has sum %g", j, s)
				}
			}
		}
		if polished.Above != k {
			t.Errorf("%d of %d topics stand out", polished.Above, k)
		}
		o.Threads = 1
		if r, err := Find(t.Context(), d, o); err != nil || !slices.Equal(r.Topics, polished.Topics) || r.Concentration != polished.Concentration {
			t.Errorf("with one thread: %v", err)
		}
		r, err := Find(t.Context(), survey(t, dense(x)), o)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "dense", r.Topics, polished.Topics, 1e-9)
	}
}

// Topics that are not there are told: what stands out from the noise is what was drawn.
func TestTopicsAboveNoise(t *testing.T) {
	x, _ := drawn(3, 3, 2000, 30, 100, .5, .1)
	r, err := Find(t.Context(), survey(t, x), options(6))
	if err != nil || r.Above != 3 || len(r.Doubts(survey(t, x), false, false)) == 0 {
		t.Errorf("%d of 6 stand out, %v", r.Above, err)
	}
}

// A step is that of the formulas, word by word: each place has the topics that the counts give
// without it.
func TestStep(t *testing.T) {
	const k, n, p = 3, 20, 40
	x, mu := drawn(2, k, p, 15, n, 1, .2)
	share := make([]float64, p) // of mean 1
	for l := range p {
		share[l] = .5 + (float64(l)+.5)/p
		x.Nu = append(x.Nu, share[l]/p)
	}
	d := survey(t, x)
	for _, kept := range []bool{true, false} {
		q := newPosterior(d, mu, []float64{.3, .3, .4}, .1, 1)
		if !kept {
			q.counts = nil
		}
		if _, _, err := q.step(t.Context()); err != nil {
			t.Fatal(err)
		}
		words, totals := slices.Clone(q.words), slices.Clone(q.totals)
		counts := make([][]float64, p)
		l := 0
		q.pass(t.Context(), func(doc *document, _ *group, _ []int32, _ []float64) { counts[l] = slices.Clone(doc.Now); l++ })
		stride := q.stride
		want, v := slices.Repeat([]float64{q.eta}, n*stride), dense(x).V
		logs := 0.
		for l := range p {
			for w := range n {
				c := v[l*n+w]
				if c == 0 {
					continue
				}
				with, without := make([]float64, k), make([]float64, k)
				for j := range k {
					with[j] = words[w*stride+j] * counts[l][j] / totals[j]
				}
				all := sum(with)
				logs += share[l] * c * math.Log(all/sum(counts[l]))
				for j := range k {
					g := with[j] / all
					without[j] = math.Max(words[w*stride+j]-share[l]*g, q.eta) * math.Max(counts[l][j]-g, q.alpha[j]) / totals[j]
				}
				linalg.Axpy(share[l]*c/sum(without), without, want[w*stride:w*stride+k])
			}
		}
		likelihood, moved, _ := q.step(t.Context())
		for i, x := range want {
			want[i] = max(1.5*x-.5*words[i], q.eta)
		}
		same(t, "words", q.words, want, 1e-12)
		apart := 0.
		for i := range words {
			if j := i % stride; j < k {
				apart += math.Abs(words[i]/totals[j]-q.words[i]/q.totals[j]) / k / 1.5
			}
		}
		same(t, "likelihood and move", []float64{likelihood, moved}, []float64{logs / d.tokens[0], apart}, 1e-12)
	}
}

// The prior of topics is near that they were drawn with, and the counts do not change with it.
func TestPrior(t *testing.T) {
	for _, beta := range []float64{.05, .3} {
		x, mu := drawn(2, 3, 2000, 50, 100, .3, beta)
		q := newPosterior(survey(t, x), mu, []float64{.1, .1, .1}, .1, 2)
		var was []float64
		for range 2 { // the first one is too near the prior that the steps began with
			for range firstEstimate {
				q.step(t.Context())
			}
			was = slices.Clone(q.words)
			linalg.Axpy(-q.eta, slices.Repeat([]float64{1}, len(was)), was)
			eta, _, err := q.estimate(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			q.adopt(eta, q.alpha)
		}
		if math.Abs(math.Log(q.eta/beta)) > .3 {
			t.Errorf("prior %g, want about %g", q.eta, beta)
		}
		for i, x := range was {
			if math.Abs(q.words[i]-q.eta-x) > 1e-9*q.words[i] {
				t.Fatalf("a count of %g has become %g", x, q.words[i]-q.eta)
			}
		}
	}
}

// The pairs of a document with topics that do not have its words are those of a fit without its
// counts.
func TestTopicsWithoutADocument(t *testing.T) {
	const k, n = 3, 30
	x, mu := drawn(4, k, 60, 20, n, 1, .3)
	d := survey(t, x)
	q := newPosterior(d, mu, []float64{.3, .3, .4}, .1, 1)
	q.step(t.Context())
	weights := []float64{.2, .3, .5}
	_, m := q.overall(weights)
	evidence := q.evidence(weights)
	if !q.pass(t.Context(), func(doc *document, _ *group, index []int32, count []float64) {
		words, total, spare := slices.Clone(q.words), slices.Clone(q.totals), make([]float64, q.stride)
		for i, c := range count {
			doc.Of(q.word(q.words, index[i]), spare, c)
			word := q.word(words, index[i])
			for j := range k { // a document may now take more than it gave
				word[j] = math.Max(0, word[j]-doc.G[j])
				total[j] -= doc.G[j]
			}
		}
		want, length := make([]float64, 2), sum(count)
		for a, w := range index {
			for b, v := range index {
				if a == b {
					continue
				}
				pairs := count[a] * count[b] / (length * (length - 1))
				want[1] += pairs
				for j, weight := range weights {
					want[0] += pairs * weight * q.word(words, w)[j] * q.word(words, v)[j] / (total[j] * total[j] * m[w] * m[v])
				}
			}
		}
		g := &group{words: make([]float64, n*q.stride), pairs: make([]float64, 2)}
		evidence(doc, g, index, count)
		same(t, "pairs", g.pairs, want, 1e-11)
	}) {
		t.Fatal("stopped")
	}
}

// Values that are no counts are named; documents that are too short are counted.
func TestSurvey(t *testing.T) {
	for _, v := range []float64{-1, .5, math.NaN(), math.Inf(1)} {
		x := &block.Dense{P: 2, N: 2, V: []float64{1, 2, 3, v}}
		_, err := Survey(t.Context(), x)
		if c := (*CountError)(nil); !errors.As(err, &c) || c.Row != 1 || c.Column != 1 {
			t.Errorf("%g: %v", v, err)
		}
	}
	d := survey(t, &block.Dense{P: 4, N: 2, V: []float64{0, 0, 1, 1, 2, 1, 1, 0}})
	if d.Empty != 1 || d.Short != 3 || !slices.Equal(d.Words, []float64{4, 2}) {
		t.Errorf("%+v", d)
	}
}

// A search that is stopped in the polish keeps the topics of the last step.
func TestInterruptKeepsTopics(t *testing.T) {
	x, mu := drawn(5, 3, 1000, 30, 80, 1, .1)
	ctx, cancel := context.WithCancel(t.Context())
	o := options(3)
	done := 0
	o.Progress = func(r progress.Report) {
		if r.Iterations == 2 {
			cancel()
		}
		if r.Done {
			done++
		}
	}
	r, err := Find(ctx, survey(t, x), o)
	if !errors.Is(err, context.Canceled) || r == nil || r.Iterations != 2 || !(distance(mu, r.Topics, 3, 80) < .3) {
		t.Errorf("%v, %+v", err, r)
	}
	cancel()
	if r, err := Find(ctx, survey(t, x), o); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := Find(t.Context(), survey(t, x), o); err != nil || done != 1 {
		t.Errorf("%v, done %d times in three searches, two of them interrupted", err, done)
	}
}

func TestPerplexityAndCoherence(t *testing.T) {
	const n = 7
	x, _ := drawn(6, 2, 50, 20, n, 1, 1)
	flat := &Model{N: n, Topics: slices.Repeat([]float64{1. / n}, 2*n), Alpha: []float64{.5, .5}}
	if p, err := flat.Perplexity(t.Context(), survey(t, x), 1, 1); err != nil || math.Abs(p-n) > 1e-9 {
		t.Errorf("topics of equal words have perplexity %g, %v", p, err)
	}
	shares, err := flat.Shares(t.Context(), x, 1)
	if err != nil || math.Abs(shares[0]-.5) > 1e-12 {
		t.Errorf("%v, %v", shares[:2], err)
	}
	// A word that no topic has says nothing of shares; its probability is 0.
	never := &Model{N: 2, Topics: []float64{1, 0, 1, 0}, Alpha: []float64{.5, .5}}
	odd := survey(t, &block.Dense{P: 1, N: 2, V: []float64{0, 6}})
	if shares, err := never.Shares(t.Context(), odd, 1); err != nil || shares[0] != .5 || shares[1] != .5 {
		t.Errorf("%v, %v", shares, err)
	}
	if p, err := never.Perplexity(t.Context(), odd, 1, 1); err != nil || !math.IsInf(p, 1) {
		t.Errorf("perplexity %g, %v", p, err)
	}
	// Words 0 and 1 are always together, in two of four documents; 2 and 3 never; 0 and 2 in one.
	docs := survey(t, &block.Dense{P: 4, N: 4, V: []float64{1, 2, 1, 0, 3, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1}})
	got, err := Coherence(t.Context(), docs, [][]int{{0, 1}, {2, 3}, {0, 2}})
	want := []float64{1, -1, 0}
	if err != nil {
		t.Fatal(err)
	}
	same(t, "coherence", got, want, 1e-12)
}

// The concentration of large numbers of documents is near the true one, whatever the topics'
// number.
func TestConcentration(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct {
		k, docs, length int
		a0              float64
	}{{10, 5000, 100, 1}, {20, 20000, 60, 2}, {10, 5000, 100, .2}} {
		x, mu := drawn(7, c.k, c.docs, c.length, 2000, c.a0, .05)
		r, err := Find(t.Context(), survey(t, x), options(c.k))
		if err != nil || math.Abs(r.Concentration/c.a0-1) > .1 || !(distance(mu, r.Topics, c.k, 2000) < .1) {
			t.Errorf("%+v: concentration %g, distance %g, %v", c, r.Concentration, distance(mu, r.Topics, c.k, 2000), err)
		}
	}
}

// Standard errors are the standard deviations of what other documents of the same topics give;
// both from 40 draws, each good to 11%.
func TestBootstrapIsTheSpreadOfOtherDocuments(t *testing.T) {
	slow.Test(t)
	const k, n, draws = 2, 30, 40
	o := options(k)
	var first *Result
	var all [][]float64
	var b *Bootstrap
	for l := range draws {
		x, _ := drawnOf(uint64(l), k, 400, 30, n, 1, .3)
		r, err := Find(t.Context(), survey(t, x), o)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
			b = NewBootstrap(x, r.Topics, r.Weights, r.Concentration, r.Prior, o)
			for j := range draws {
				if err := b.Draw(t.Context(), uint64(j)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if linalg.Dot(r.Topics[:n], first.Topics[:n]) < linalg.Dot(r.Topics[n:], first.Topics[:n]) {
			r.Topics, r.Weights = append(slices.Clone(r.Topics[n:]), r.Topics[:n]...), []float64{r.Weights[1], r.Weights[0]}
		}
		all = append(all, b.vector(r))
	}
	topics, weights, concentration := b.Errors()
	spread := make([]float64, len(all[0]))
	for i := range spread {
		mean, square := 0., 0.
		for _, v := range all {
			mean += v[i] / draws
		}
		for _, v := range all {
			square += (v[i] - mean) * (v[i] - mean) / (draws - 1)
		}
		spread[i] = math.Sqrt(square)
	}
	for what, pair := range map[string][2]float64{
		"topics":        {linalg.Norm2(topics), linalg.Norm2(spread[:k*n])},
		"weights":       {weights[0], spread[k*n]},
		"concentration": {concentration, spread[k*n+k]},
	} {
		if ratio := pair[0] / pair[1]; !(ratio > .6) || !(ratio < 1.6) {
			t.Errorf("error of %s %.4g, spread %.4g", what, pair[0], pair[1])
		}
	}
}
