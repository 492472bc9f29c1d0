package ranks

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/estimate/fit"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

var drawnTables = flag.Uint64("tables", 1, "of each kind in the tests of groups")

// foundGroups returns the number of components by BIC, and whether they are groups that lie apart.
func foundGroups(t *testing.T, x *block.Dense) (int, bool) {
	t.Helper()
	c := &Search{Max: 10, ctx: t.Context(), drawn: x, Moment: fit.Moment{Table: tableOf(x, "x")}, Options: fit.Options{Seed: 1, Threads: 1}}
	e, err := c.mixtures()
	if err != nil {
		t.Fatal(err)
	}
	return e.Rank, c.groups
}

// Groups of normal observations six standard deviations apart are told, those of three
// are not; of sizes 1:2:... as well.
func TestGroupsApart(t *testing.T) {
	slow.Test(t)
	const p = 400
	for _, r := range []int{3, 5} {
		for _, n := range []int{2, 5} {
			for _, apart := range []float64{3, 6} {
				for _, equal := range []bool{true, false} {
					told := uint64(0)
					for seed := range *drawnTables {
						rng := rand.New(rand.NewPCG(seed, uint64(100*r+10*n)+uint64(apart)))
						means := separated(rng, r, n, apart)
						x := &block.Dense{P: p, N: n}
						for range p {
							k := rng.IntN(r)
							if !equal { // weights 1, 2, ...
								k = 0
								for u := rng.IntN(r * (r + 1) / 2); u > k; k++ {
									u -= k + 1
								}
							}
							for i := range n {
								x.V = append(x.V, means[k*n+i]+rng.NormFloat64())
							}
						}
						rank, groups := foundGroups(t, x)
						if groups && rank != r {
							t.Errorf("%d groups %g apart, equal %v, %d variables: %d are told", r, apart, equal, n, rank)
						}
						if groups {
							told++
						}
					}
					if apart < 5 && told > 0 || apart > 5 && 2*told < *drawnTables {
						t.Errorf("%d groups %g apart, equal %v, %d variables: told in %d of %d", r, apart, equal, n, told, *drawnTables)
					}
				}
			}
		}
	}
}

// separated draws r points of which the nearest two are so far apart, and none four times as far.
func separated(rng *rand.Rand, r, n int, apart float64) []float64 {
	for {
		v, least, greatest := make([]float64, r*n), math.Inf(1), 0.
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		for i := range r {
			for j := range i {
				d := 0.
				for a := range n {
					d += (v[i*n+a] - v[j*n+a]) * (v[i*n+a] - v[j*n+a])
				}
				least, greatest = min(least, math.Sqrt(d)), max(greatest, math.Sqrt(d))
			}
		}
		if greatest < 4*least {
			for i := range v {
				v[i] *= apart / least
			}
			return v
		}
	}
}

// Data without groups, or with those of independent variables, have none that are told.
func TestNoGroupsApart(t *testing.T) {
	slow.Test(t)
	each := func(one func(rng *rand.Rand) float64) func(*rand.Rand, []float64) {
		return func(rng *rand.Rand, v []float64) {
			for i := range v {
				v[i] = one(rng)
			}
		}
	}
	normal := (*rand.Rand).NormFloat64
	tail := func(rng *rand.Rand) float64 { // the root of a third of chi square with three degrees of freedom
		return math.Sqrt((math.Pow(normal(rng), 2) + math.Pow(normal(rng), 2) + math.Pow(normal(rng), 2)) / 3)
	}
	poisson := func(rng *rand.Rand) (count float64) { // of mean 2
		for at := rng.ExpFloat64(); at < 2; at += rng.ExpFloat64() {
			count++
		}
		return count
	}
	for name, fill := range map[string]func(rng *rand.Rand, v []float64){
		"normal":      each(normal),
		"uniform":     each((*rand.Rand).Float64),
		"exponential": each((*rand.Rand).ExpFloat64),
		"lognormal":   each(func(rng *rand.Rand) float64 { return math.Exp(normal(rng)) }),
		"laplace":     each(func(rng *rand.Rand) float64 { return float64(2*rng.IntN(2)-1) * rng.ExpFloat64() }),
		"t3":          each(func(rng *rand.Rand) float64 { return normal(rng) / tail(rng) }),
		"beta":        each(func(rng *rand.Rand) float64 { return math.Pow(math.Sin(math.Pi/2*rng.Float64()), 2) }),
		"five values": each(func(rng *rand.Rand) float64 { return float64(rng.IntN(5)) }),
		"two values":  each(func(rng *rand.Rand) float64 { return float64(rng.IntN(2)) }),
		"poisson":     each(poisson),
		"rounded":     each(func(rng *rand.Rand) float64 { return math.Round(2 * normal(rng)) }),
		"half zeros":  each(func(rng *rand.Rand) float64 { return max(0, rng.ExpFloat64()-math.Ln2) }),
		"two peaks":   each(func(rng *rand.Rand) float64 { return normal(rng) + 6*float64(rng.IntN(2)) }),
		"one of two peaks": func(rng *rand.Rand, v []float64) {
			each(normal)(rng, v)
			v[0] = 5 * float64(rng.IntN(2))
		},
		"multivariate t3": func(rng *rand.Rand, v []float64) {
			s := tail(rng)
			each(func(rng *rand.Rand) float64 { return normal(rng) / s })(rng, v)
		},
		"correlated": func(rng *rand.Rand, v []float64) {
			last := 0.
			each(func(rng *rand.Rand) float64 { last = .9*last + normal(rng); return last })(rng, v)
		},
		"skewed along a line": func(rng *rand.Rand, v []float64) {
			s := 3 * rng.ExpFloat64()
			each(func(rng *rand.Rand) float64 { return normal(rng) + s })(rng, v)
		},
		"outliers": func(rng *rand.Rand, v []float64) {
			s := 1.
			if rng.IntN(10) == 0 {
				s = 10
			}
			each(func(rng *rand.Rand) float64 { return s * normal(rng) })(rng, v)
		},
		"a ring": func(rng *rand.Rand, v []float64) {
			each(func(rng *rand.Rand) float64 { return .2 * normal(rng) })(rng, v)
			sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
			v[0], v[1] = v[0]+3*cos, v[1]+3*sin
		},
		"a curve": func(rng *rand.Rand, v []float64) {
			each(func(rng *rand.Rand) float64 { return .2 * normal(rng) })(rng, v)
			s := 4*rng.Float64() - 2
			v[0], v[1] = v[0]+s, v[1]+s*s
		},
	} {
		for seed := range *drawnTables {
			rng := rand.New(rand.NewPCG(seed, 77))
			n := 2 + int(seed%5)
			x := &block.Dense{P: 300, N: n, V: make([]float64, 300*n)}
			for l := range x.P {
				fill(rng, x.V[l*n:(l+1)*n])
			}
			if rank, groups := foundGroups(t, x); groups {
				t.Errorf("%s, %d variables, seed %d: %d groups are told", name, n, seed, rank)
			}
		}
	}
}
