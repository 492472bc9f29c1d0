package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// All kernels do what the formula says, for any number of topics, with those that nobody has; nothing
// beyond the vectors is written. Sums of n terms of one sign: n + 10 roundings.
func TestResponses(t *testing.T) {
	rng := rand.New(rand.NewPCG(58, 1))
	const guard = 8
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for n := 8; n <= 72; n += 8 {
			for round := range 20 {
				vector := func(scale float64) []float64 {
					v := make([]float64, n+guard)
					for i := range v[:n-rng.IntN(8)] {
						v[i] = scale * rng.Float64()
					}
					return v
				}
				word, sums := vector(3), vector(1)
				eta := .05
				if round == 1 {
					eta = 0
					clear(word)
				}
				a := Responses{Now: vector(2), Least: vector(.1), Inverse: vector(.01), Weight: 1.5, Eta: eta, G: make([]float64, n+guard), Next: vector(1)}
				if round == 0 {
					clear(word) // a word that no topic has
				}
				a.Scaled = make([]float64, n+guard)
				Multiply(a.Scaled, a.Now, a.Inverse)
				wantNext, wantSums, g := slices.Clone(a.Next), slices.Clone(sums), make([]float64, n)
				norm := 0.
				for j := range n {
					norm += word[j] * a.Scaled[j]
				}
				total := 0.
				for j := range n {
					own := 0.
					if norm > 0 {
						own = word[j] * a.Scaled[j] / norm
					}
					g[j] = math.Max(word[j]-1.5*own, eta) * math.Max(a.Now[j]-own, a.Least[j]) * a.Inverse[j]
					total += g[j]
				}
				for j := range n {
					g[j] = 3 * (g[j] / (total + leastNormal)) // 0 where none has the word, and eta is 0
					wantNext[j] += g[j]
					wantSums[j] += 1.5 * g[j]
				}
				cut := func(v []float64) []float64 { return v[:n:n] }
				b := a
				b.Now, b.Least, b.Inverse, b.Scaled, b.G, b.Next = cut(a.Now), cut(a.Least), cut(a.Inverse), cut(a.Scaled), cut(a.G), cut(a.Next)
				got := b.Of(cut(word), cut(sums), 3)
				near := func(what string, got, want float64) {
					if !(math.Abs(got-want) <= float64(n+10)*0x1p-52*math.Max(1e-3, math.Abs(want))) {
						t.Fatalf("%v, n=%d: %s is %.17g, want %.17g", k, n, what, got, want)
					}
				}
				near("norm", got, norm)
				for j := range n {
					near("G", a.G[j], g[j])
					near("Next", a.Next[j], wantNext[j])
					near("sums", sums[j], wantSums[j])
				}
				if NormInf(a.G[n:])+NormInf(a.Next[n:])+NormInf(sums[n:]) != 0 {
					t.Fatalf("%v, n=%d: wrote beyond the vectors", k, n)
				}
			}
		}
	}
}
