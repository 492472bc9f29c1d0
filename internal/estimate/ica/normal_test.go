package ica

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// The range of one source is that of a normal sample's kurtosis, whose percentage points are
// tabulated (Pearson & Hartley, Biometrika Tables for Statisticians 1, 34C).
func TestNormalRangeOfOne(t *testing.T) {
	for _, c := range []struct{ p, least, greatest float64 }{{100, 2.18, 4.39}, {200, 2.37, 3.98}, {500, 2.57, 3.60}, {1000, 2.68, 3.41}} {
		// The formula is a fit to .05; the table has two digits.
		if least, greatest := normalRange(1, c.p); !(math.Abs(3+least-c.least) <= .06) || !(math.Abs(3+greatest-c.greatest) <= .06) {
			t.Errorf("%g observations: [%.3f, %.3f], want [%.2f, %.2f]", c.p, 3+least, 3+greatest, c.least, c.greatest)
		}
	}
}

// Sources of normal observations are counted as such, however many they are, beside others or
// alone; uniform ones are not where they are found.
func TestNormal(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct{ p, normal, others int }{
		{50, 2, 0}, {400, 4, 0}, {100, 10, 0}, {3000, 10, 0}, {40, 20, 0}, {500, 20, 0},
		{1000, 9, 1}, {2000, 4, 4}, {150, 0, 2}, {200, 0, 4}, {500, 0, 10},
	} {
		exact, near := 0, 0
		const runs = 20
		for seed := range uint64(runs) {
			found, err := Separate(t.Context(), whitened(c.p, c.normal, c.others, seed, uniform), Options{Starts: 3, Seed: 1, Polish: true, MaxIterations: 200, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			got := found.normal(float64(c.p))
			if got == c.normal {
				exact++
			}
			if got-1 <= c.normal && c.normal <= got+1 {
				near++
			}
		}
		// Up to 3 tables in 100 are outside of the range: more than 2 of 20 with probability .02.
		if exact < runs*4/5 || near < runs-2 {
			t.Errorf("%d normal sources and %d others, %d observations: so many are counted in %d of %d runs, but for one in %d", c.normal, c.others, c.p, exact, runs, near)
		}
	}
}

// Any number of threads finds the same, bit for bit.
func TestThreads(t *testing.T) {
	for _, x := range []*block.Dense{whitened(20000, 1, 5, 7, uniform), whitened(20000, 1, 3, 7, rare), whitened(20000, 1, 3, 7, three)} {
		sameOnThreads(t, x)
	}
}

func sameOnThreads(t *testing.T, x *block.Dense) {
	t.Helper()
	var one *Result
	for threads := 1; threads <= 3; threads++ {
		found, err := Separate(t.Context(), x, Options{Starts: 3, Seed: 1, Polish: true, MaxIterations: 200, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if one == nil {
			one = found
		}
		if !slices.Equal(found.Rows, one.Rows) || !slices.Equal(found.Kurtosis, one.Kurtosis) {
			t.Errorf("%d threads: %v %v, want %v %v", threads, found.Rows, found.Kurtosis, one.Rows, one.Kurtosis)
		}
	}
}

// The noise of a normal source is not in those beside it: their angles have the standard
// errors that they have without its say.
func TestBesideNormal(t *testing.T) {
	laplace := func(rng *rand.Rand) float64 { return rng.ExpFloat64() * float64(1-2*rng.IntN(2)) }
	const p, runs = 20000, 10
	square := 0.
	for seed := range uint64(runs) {
		found, err := Separate(t.Context(), whitened(p, 1, 1, seed, laplace), Options{Starts: 3, Seed: 1, Polish: true, MaxIterations: 200, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		square += found.Rows[0] * found.Rows[0] / runs // of the Laplace source, whose kurtosis is largest
	}
	// Of tanh(z) with E z g - E g' = a and Var(g - z E z g) = v it is sqrt(v/p)/|a|.
	along, slope, v := 0., 0., 0.
	for _, z := range whitened(p, 0, 1, 3, laplace).V {
		g := math.Tanh(z)
		along, slope, v = along+z*g/p, slope+(1-g*g)/p, v+g*g/p
	}
	want := (v - along*along) / p / (along - slope) / (along - slope)
	if !(square < 3*want) {
		t.Errorf("the Laplace source holds %.2g of the normal one, want %.2g", math.Sqrt(square), math.Sqrt(want))
	}
}

func uniform(rng *rand.Rand) float64 { return rng.Float64() }

// whitened returns independent observations, normal ones and others, whitened by Gram and Schmidt.
func whitened(p, normal, others int, seed uint64, other func(*rand.Rand) float64) *block.Dense {
	k, rng := normal+others, rand.New(rand.NewPCG(seed, 51))
	columns := make([][]float64, k)
	for j := range columns {
		v := make([]float64, p)
		mean := 0.
		for l := range v {
			if j < normal {
				v[l] = rng.NormFloat64()
			} else {
				v[l] = other(rng)
			}
			mean += v[l] / float64(p)
		}
		for l := range v {
			v[l] -= mean
		}
		for range 2 {
			for _, u := range columns[:j] {
				inner := 0.
				for l := range v {
					inner += u[l] * v[l] / float64(p)
				}
				for l := range v {
					v[l] -= inner * u[l]
				}
			}
		}
		square := 0.
		for _, x := range v {
			square += x * x / float64(p)
		}
		for l := range v {
			v[l] /= math.Sqrt(square)
		}
		columns[j] = v
	}
	x := &block.Dense{P: p, N: k, V: make([]float64, 0, p*k)}
	for l := range p {
		for _, v := range columns {
			x.V = append(x.V, v[l])
		}
	}
	return x
}

// until is a context that is cancelled when it has been asked so often.
type until struct {
	context.Context
	left int
}

func (u *until) Err() error {
	if u.left--; u.left < 0 {
		return context.Canceled
	}
	return nil
}

// A search that is interrupted in a later start has the best of those before it.
func TestInterruptedStart(t *testing.T) {
	x := whitened(60, 1, 2, 3, uniform)
	separate := func(starts, left int) (*Result, int, error) {
		ctx := &until{t.Context(), left}
		found, err := Separate(ctx, x, Options{Starts: starts, Seed: 4, MaxIterations: 40, Threads: 1})
		return found, left - ctx.left, err
	}
	var best []*Result
	var asked []int
	for starts := 1; starts <= 4; starts++ {
		found, n, err := separate(starts, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		best, asked = append(best, found), append(asked, n)
	}
	for left := asked[0]; left < asked[3]; left += 1 + (asked[3]-asked[0])/100 {
		found, _, err := separate(4, left)
		done := 0 // starts that had ended surely
		for done < 3 && asked[done+1] <= left {
			done++
		}
		same := func(of *Result) bool { return slices.Equal(found.Rows, of.Rows) }
		if !errors.Is(err, context.Canceled) || found == nil || found.Converged || !same(best[done]) && !same(best[done+1]) {
			t.Fatalf("interrupted after %d starts: %+v, %v; want %+v", done+1, found, err, best[done])
		}
	}
}
