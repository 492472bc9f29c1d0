package block

import "math/rand/v2"

// Stratified draws one number from each of k equal stretches of 0..p-1.
func Stratified(p, k int, seed uint64) []int {
	k = min(k, p)
	index := make([]int, k)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range index {
		lo, hi := i*p/k, (i+1)*p/k
		index[i] = lo + rng.IntN(hi-lo)
	}
	return index
}
