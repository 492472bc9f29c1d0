package moment

import (
	"context"
	"math"
	"math/rand/v2"

	"symmom/internal/linalg"
)

// Sample collects m observations of a source in one pass, drawn independently
// of each other, each with its probability nu: a reservoir for each of them,
// which an observation enters with the share that it has in the weight so far.
// Which are drawn is a function of the observations and the seed alone.
type Sample struct {
	n, m  int
	v     []float64
	last  []int     // the observation of the block that entered each reservoir
	wide  []float64 // an observation that is stored as float32
	total float64   // weight of the observations seen
	rng   *rand.Rand
}

// Bounds of a sample: its memory, and the operations of its Gram matrix.
const (
	sampleBytes = 32 << 20
	sampleOps   = 4e9
	sampleMost  = 1 << 14
)

// SampleSize returns the number of observations of n variables that an
// estimate of ||X||^2 is to be made of.
func SampleSize(n int) int {
	return max(2, min(sampleMost, sampleBytes/(8*n), int(math.Sqrt(sampleOps/float64(n)))))
}

// NewSample makes an empty sample of m observations of n variables.
func NewSample(m, n int, seed uint64) *Sample {
	return &Sample{n: n, m: m, v: make([]float64, m*n), rng: rand.New(rand.NewPCG(seed, math.MaxUint64-1))}
}

// Clone returns a copy to which more observations can be shown. The weight of
// those seen so far counts total from then on.
func (s *Sample) Clone(total float64, seed uint64) *Sample {
	c := NewSample(s.m, s.n, seed)
	copy(c.v, s.v)
	c.total = total
	return c
}

// Data returns the sample as observations of equal weight. It is void once more
// observations are added.
func (s *Sample) Data() *Data { return &Data{P: s.m, N: s.n, V: s.v} }

// Add shows the sample a block of observations. One random number each, and as
// many more as reservoirs are entered, m log p in all; at most m copies of an
// observation.
func (s *Sample) Add(b Block) {
	if s.last == nil {
		s.last = make([]int, s.m)
	}
	for i := range s.last {
		s.last[i] = -1
	}
	for l := range b.Rows {
		w := 1.0
		if b.Nu != nil {
			w = b.Nu[l]
		}
		s.total += w
		share := w / s.total
		if !(share > 0) {
			continue
		}
		// The gaps between the reservoirs entered are geometric.
		rest := math.Log1p(-share) // -Inf at the first: it enters all
		for i := 0; ; i++ {
			skip := math.Log(1-s.rng.Float64()) / rest
			if skip >= float64(s.m-i) {
				break
			}
			i += int(skip)
			s.last[i] = l
		}
	}
	for i, l := range s.last {
		if l >= 0 {
			copy(s.v[i*s.n:(i+1)*s.n], b.Values(l, l+1, s.n, &s.wide))
		}
	}
}

// NormSquared returns an unbiased estimate of ||X||^2 of the observations
// divided by unit, with its standard error, from the first rows observations
// of the sample (0: all): the mean of <v, w>^d over all pairs, a U-statistic
// whose error is the jackknife's (Arvesen 1969). n rows^2 multiply-adds. It
// returns ctx's error when cancelled.
func (s *Sample) NormSquared(ctx context.Context, d int, unit float64, rows, threads int) (value, stderr float64, err error) {
	m := s.m
	if rows > 0 {
		m = min(m, rows)
	}
	sums := make([]float64, m) // of an observation with all others
	blocks := (m + normRows - 1) / normRows
	t := &team{threads: min(Threads(threads), blocks)}
	grams := make([][]float64, t.threads)
	for i := range grams {
		grams[i] = make([]float64, normRows*normRows)
	}
	t.job = func(worker, i int) {
		lo, hi := i*normRows, min((i+1)*normRows, m)
		for from := 0; from < m && ctx.Err() == nil; from += normRows {
			to := min(from+normRows, m)
			g := grams[worker][:(hi-lo)*(to-from)]
			linalg.MulABt(g, s.v[lo*s.n:hi*s.n], s.v[from*s.n:to*s.n], hi-lo, to-from, s.n)
			linalg.Scale(1/(unit*unit), g)
			linalg.PowInto(g, d)
			for l := lo; l < hi; l++ {
				for k, v := range g[(l-lo)*(to-from) : (l-lo+1)*(to-from)] {
					if from+k != l {
						sums[l] += v
					}
				}
			}
		}
	}
	if !t.run(ctx, blocks) {
		return 0, 0, ctx.Err()
	}
	p := float64(m)
	var sum, squares float64
	for _, v := range sums {
		sum += v / p
	}
	value = sum / (p - 1)
	if m < 3 {
		return value, math.Abs(value), nil // two observations know nothing of their spread
	}
	for _, v := range sums {
		squares += (v - sum) * (v - sum)
	}
	// Without observation i the estimate is (p sum - 2 sums_i)/((p-1)(p-2)).
	return value, 2 * math.Sqrt(squares*(p-1)/p) / ((p - 1) * (p - 2)), nil
}

// Pairs returns the number of pairs behind an estimate from rows observations
// (0: all).
func (s *Sample) Pairs(rows int) int {
	m := s.m
	if rows > 0 {
		m = min(m, rows)
	}
	return m * (m - 1) / 2
}
