package moment

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// suggested is the rank that all eigenvalues of x suggest.
func suggested(t *testing.T, x *block.Dense) int {
	t.Helper()
	s, err := Spectrum(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	rank, err := s.SuggestedRank(ctx, min(x.P, x.N), x.Effective())
	if err != nil {
		t.Fatal(err)
	}
	return rank
}

// Eigenvalues that one or two observations make, or some that weigh more than the others,
// suggest no rank; clusters do.
func TestSuggestedRankOfFew(t *testing.T) {
	student := func(rng *rand.Rand) float64 {
		q := 0.
		for range 3 {
			z := rng.NormFloat64()
			q += z * z / 3
		}
		return 1 / math.Sqrt(q)
	}
	only := func(yes bool, size float64) float64 {
		if yes {
			return size
		}
		return 0
	}
	const tables = 40
	for _, c := range []struct {
		name     string
		clusters bool
		uneven   float64 // deviation of the logarithms of the weights
		value    func(rng *rand.Rand, l, i int, scale float64) float64
	}{
		{"Student's t", false, 0, func(rng *rand.Rand, _, _ int, _ float64) float64 { return rng.NormFloat64() * student(rng) }},
		{"multivariate t", false, 0, func(rng *rand.Rand, _, _ int, scale float64) float64 { return rng.NormFloat64() * scale }},
		{"Cauchy", false, 0, func(rng *rand.Rand, _, _ int, _ float64) float64 { return math.Tan(math.Pi * (rng.Float64() - .5)) }},
		{"an outlier", false, 0, func(rng *rand.Rand, l, _ int, _ float64) float64 { return rng.NormFloat64() * (1 + only(l == 3, 1e6)) }},
		{"two outliers", false, 0, func(rng *rand.Rand, l, _ int, _ float64) float64 { return rng.NormFloat64() * (1 + only(l < 2, 20)) }},
		{"weights", false, 1.5, func(rng *rand.Rand, _, _ int, _ float64) float64 { return rng.NormFloat64() }},
		{"three clusters", true, 0, func(rng *rand.Rand, l, i int, _ float64) float64 { return rng.NormFloat64() + only(l%3 == i, 20) }},
		{"three with weights", true, .5, func(rng *rand.Rand, l, i int, _ float64) float64 { return rng.NormFloat64() + only(l%3 == i, 20) }},
		{"three of t", true, 0, func(rng *rand.Rand, l, i int, scale float64) float64 {
			return rng.NormFloat64()*scale + only(l%3 == i, 40)
		}},
		{"two of a tenth", true, 0, func(rng *rand.Rand, l, i int, _ float64) float64 {
			return rng.NormFloat64() + only(max(0, l%10-7) == i, 20)
		}},
	} {
		for _, size := range []struct{ p, n int }{{100, 10}, {100, 50}, {300, 5}} {
			found := 0
			for seed := range uint64(tables) {
				rng := rand.New(rand.NewPCG(seed, 26))
				x := &block.Dense{P: size.p, N: size.n}
				total := 0.
				for l := range x.P {
					scale := student(rng)
					for i := range x.N {
						x.V = append(x.V, c.value(rng, l, i, scale))
					}
					if c.uneven > 0 {
						x.Nu = append(x.Nu, math.Exp(c.uneven*rng.NormFloat64()))
						total += x.Nu[l]
					}
				}
				for l := range x.Nu {
					x.Nu[l] /= total
				}
				if suggested(t, x) > 0 {
					found++
				}
			}
			// As of so many normal observations it was 8 to 40 of 40, also without clusters.
			if !c.clusters && found > 2 || c.clusters && found < tables-1 {
				t.Errorf("%d observations of %d variables, %s: %d of %d tables have a suggested rank", size.p, size.n, c.name, found, tables)
			}
		}
	}
}

// The kurtosis along eigenvectors is that of gonum's, by the definition; also where not all
// eigenvectors are found.
func TestSpectrumKurtosis(t *testing.T) {
	for _, n := range []int{12, vectorsCheap + 20} {
		rng := rand.New(rand.NewPCG(27, uint64(n)))
		x := standingOut(500, n, .3, rng)
		x.Nu = make([]float64, x.P)
		total := 0.
		for l := range x.Nu {
			x.Nu[l] = rng.ExpFloat64()
			total += x.Nu[l]
		}
		second := mat.NewSymDense(n, nil)
		for l := range x.Nu {
			x.Nu[l] /= total
			second.SymRankOne(second, x.Nu[l], mat.NewVecDense(n, x.V[l*n:(l+1)*n]))
		}
		var e mat.EigenSym
		if !e.Factorize(second, true) {
			t.Fatal("no eigenvalues")
		}
		var vectors mat.Dense
		e.VectorsTo(&vectors)
		s, err := Spectrum(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.kurtosis(ctx, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		for j, k := range got {
			u := vectors.ColView(n - 2 - j)
			square, fourth := 0., 0.
			for l, nu := range x.Nu {
				z := mat.Dot(u, mat.NewVecDense(n, x.V[l*n:(l+1)*n]))
				square += nu * z * z
				fourth += nu * z * z * z * z
			}
			// An eigenvector may be off by vectorError and more, as the gaps are a few tenths.
			want, slack := fourth/square/square, 1e-9
			if n > vectorsCheap {
				slack = 20 * vectorError
			}
			if !(math.Abs(k-want) <= slack*want) {
				t.Errorf("%d variables: kurtosis %d is %.12g, want %.12g", n, j, k, want)
			}
		}
	}
}

// The mean is one of the directions that stand out, or too small for that: of three groups it is
// the latter where they are about it, to the last bit, to rounded digits or except for a mean below
// the noise.
func TestAboutMean(t *testing.T) {
	const p, n = 600, 6
	for _, c := range []struct {
		name   string
		shift  float64
		digits float64
		groups int
		rank   int
		about  bool
	}{{"far", 5, 0, 3, 3, false}, {"about", 0, 0, 3, 2, true}, {"rounded", 0, 1e5, 3, 2, true}, {"nearly", .1, 0, 3, 2, true}, {"the mean alone", 5, 0, 0, 1, false}, {"nothing", 0, 0, 0, 0, false}} {
		rng := rand.New(rand.NewPCG(34, 1))
		x, mean := &block.Dense{P: p, N: n}, make([]float64, n)
		for l := range p {
			for i := range n {
				v := rng.NormFloat64()
				if c.groups > 0 && l%c.groups == i {
					v += 20
				}
				x.V = append(x.V, v)
				mean[i] += v / p
			}
		}
		for l := range p {
			for i := range n {
				v := x.V[l*n+i] - mean[i] + c.shift
				if c.digits > 0 {
					v = math.Round(v*c.digits) / c.digits
				}
				x.V[l*n+i] = v
			}
		}
		s, err := Spectrum(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		rank, err := s.SuggestedRank(ctx, n, p)
		if err != nil {
			t.Fatal(err)
		}
		if about := s.AboutMean(n, func(int) float64 { return c.shift }); rank != c.rank || about != c.about {
			t.Errorf("%s: rank %d, about the mean %v", c.name, rank, about)
		}
	}
}

// Eigenvalues of variables that are not correlated are gonum's.
func TestUpdated(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 1))
	for n := 1; n < 12; n++ {
		v, m := make([]variable, n), mat.NewSymDense(n, nil)
		means := mat.NewVecDense(n, nil)
		for i := range v {
			v[i].variance = float64((n-i)/2) * .3 // some twice, and one 0
			if i%3 > 0 {
				means.SetVec(i, rng.NormFloat64())
			}
			v[i].square = means.AtVec(i) * means.AtVec(i)
			m.SetSym(i, i, v[i].variance)
		}
		m.SymRankOne(m, 1, means)
		var e mat.EigenSym
		if !e.Factorize(m, false) {
			t.Fatal("no eigenvalues")
		}
		for i, want := range e.Values(nil) {
			// Those of gonum are off by a few roundings of the largest.
			if got := updated(v, n-1-i); !(math.Abs(got-want) <= 1e-13*mat.Norm(m, 2)) {
				t.Errorf("eigenvalue %d of %d is %.17g, want %.17g", n-1-i, n, got, want)
			}
		}
	}
}

// Of variables that have nothing to do with each other the eigenvalues that stand out are
// their own; clusters have others.
func TestUnrelated(t *testing.T) {
	const tables = 40
	for _, n := range []int{5, 10, 30} {
		scales, constant, clusters := 0, 0, 0
		for seed := range uint64(tables) {
			rng := rand.New(rand.NewPCG(seed, 29))
			units := make([]float64, n)
			means := make([]float64, 3*n)
			for i := range units {
				units[i] = math.Exp(2 * rng.NormFloat64())
			}
			for i := range means {
				means[i] = 3 * rng.NormFloat64()
			}
			unrelated := func(at func(l, i int) float64) bool {
				x := &block.Dense{P: 300, N: n}
				sum, squares := make([]float64, n), make([]float64, n)
				for l := range x.P {
					for i := range n {
						v := at(l, i)
						x.V = append(x.V, v)
						sum[i] += v / 300
						squares[i] += v * v / 300
					}
				}
				s, err := Spectrum(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				rank, err := s.SuggestedRank(ctx, n, 300)
				if err != nil {
					t.Fatal(err)
				}
				doubted := s.Unrelated(func(i int) (mean, deviation float64) { return sum[i], math.Sqrt(squares[i] - sum[i]*sum[i]) })
				if doubted && rank == 0 {
					t.Error("no eigenvalues stand out, and they are doubted")
				}
				return doubted
			}
			if unrelated(func(l, i int) float64 { return units[i] * (1 + rng.NormFloat64()) }) {
				scales++
			}
			if unrelated(func(l, i int) float64 { return rng.NormFloat64() * map[bool]float64{false: 1, true: 1e-3}[i == 1] }) {
				constant++
			}
			if unrelated(func(l, i int) float64 { return means[l%3*n+i] + rng.NormFloat64() }) {
				clusters++
			}
		}
		// In some tables the mean alone stands out; few clusters differ in few variables.
		if scales < tables*3/4 || constant < tables || clusters > tables/5 {
			t.Errorf("%d variables: %d of different units, %d with a constant one and %d of clusters in %d tables are unrelated", n, scales, constant, clusters, tables)
		}
	}
}

// passCounter counts the passes over a source.
type passCounter struct {
	block.Source
	passes int
}

func (x *passCounter) Pass(ctx context.Context, f func(block.Block)) bool {
	x.passes++
	return x.Source.Pass(ctx, f)
}

// The longest observation never changes how many eigenvalues stand out; of clusters it tells
// that without a look at the observations.
func TestSuggestedRankByLongest(t *testing.T) {
	const p, n = 2000, 12
	for _, c := range []struct {
		name string
		at   func(rng *rand.Rand, l, i int) float64
		pass bool // is needed
		rank int
	}{
		{"clusters", func(rng *rand.Rand, l, i int) float64 {
			if l%3 == i {
				return rng.NormFloat64() + 10
			}
			return rng.NormFloat64()
		}, false, 3},
		{"an outlying row", func(rng *rand.Rand, l, i int) float64 {
			if l == 7 {
				return 300 * float64(i%2)
			}
			return rng.NormFloat64()
		}, true, 0},
		{"noise", func(rng *rand.Rand, _, _ int) float64 { return rng.NormFloat64() }, false, 0},
		{"Cauchy", func(rng *rand.Rand, _, _ int) float64 { return rng.NormFloat64() / rng.NormFloat64() }, true, 0},
	} {
		for seed := range uint64(10) {
			rng := rand.New(rand.NewPCG(seed, 34))
			x, longest := &passCounter{}, 0.
			data := &block.Dense{P: p, N: n}
			for l := range p {
				square := 0.
				for i := range n {
					v := c.at(rng, l, i)
					data.V = append(data.V, v)
					square += v * v
				}
				longest = max(longest, math.Sqrt(square))
			}
			x.Source = data
			s, err := NewSecond(ctx, x, longest)
			if err != nil {
				t.Fatal(err)
			}
			rank, err := s.SuggestedRank(ctx, n, p)
			if err != nil {
				t.Fatal(err)
			}
			s.Longest, x.passes = longest, 0
			by, err := s.SuggestedRank(ctx, n, p)
			if err != nil {
				t.Fatal(err)
			}
			if by != rank || c.rank != rank {
				t.Errorf("%s, seed %d: rank %d, by the longest %d, want %d", c.name, seed, rank, by, c.rank)
			}
			if x.passes > 0 != c.pass {
				t.Errorf("%s, seed %d: %d passes", c.name, seed, x.passes)
			}
		}
	}
}

// Eigenvalues that are small beside that of a mean far from the origin keep their digits, and
// their vectors theirs.
func TestSecondFarFromTheOrigin(t *testing.T) {
	const c = 1 << 30
	for _, x := range []struct {
		n          int
		v          []float64
		trace, det float64 // of the two eigenvalues that are not 0
	}{
		{2, []float64{c + 1, c + 2, c + 1, c - 2, c - 1, c + 2, c - 1, c - 2}, 5 + 2.*c*c, 4 + 5.*c*c},
		{3, []float64{c + 1, c, c, c - 1, c, c}, 1 + 3.*c*c, 2. * c * c}, // fewer observations than variables
	} {
		s, err := Spectrum(t.Context(), &block.Dense{P: len(x.v) / x.n, N: x.n, V: x.v})
		if err != nil {
			t.Fatal(err)
		}
		large := (x.trace + math.Sqrt(x.trace*x.trace-4*x.det)) / 2
		for i, want := range []float64{large, x.det / large, 0}[:x.n] {
			if !(math.Abs(s.Values[i]-want) <= 1e-12*want) {
				t.Errorf("eigenvalue %d of %d variables is %.15g, want %.15g", i+1, x.n, s.Values[i], want)
			}
		}
		if !(s.Values[1] > s.Zero()) || x.n > 2 && s.Values[2] > s.Zero() || s.Hidden > 0 {
			t.Errorf("of eigenvalues %g those up to %g are 0", s.Values, s.Zero())
		}
		for i := range 2 {
			for j := range 2 {
				dot := linalg.Dot(s.rows[i*x.n:(i+1)*x.n], s.rows[j*x.n:(j+1)*x.n])
				if want := map[bool]float64{true: 1, false: 0}[i == j]; !(math.Abs(dot-want) <= 1e-8) {
					t.Errorf("eigenvectors %d and %d of %d variables: %g", i+1, j+1, x.n, dot)
				}
			}
		}
	}
}
