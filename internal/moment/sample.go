package moment

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Sample collects m observations of a source in one pass, drawn independently of each
// other, each with its probability nu. It keeps a reservoir for each of them, which an
// observation enters with a probability equal to its share in the weight so far. The
// result is a function of the observations and the seed alone.
type Sample struct {
	n, m  int
	mu    sync.Mutex        // for the next three, which Data changes
	v     []float64         // m x n
	lent  bool              // a clone has v as well: it is not to be changed
	other map[int][]float64 // observations that have taken the place of those in v
	from  []int             // the observation in each reservoir, counted from 0
	nu    []float64         // its weight
	seen  int               // observations
	last  []int             // the observation of the block that entered each reservoir
	wide  []float64         // an observation that is stored as float32
	total float64           // weight of the observations seen
	rng   *rand.Rand
}

// Bounds of a sample: its memory, and the operations of its Gram matrix.
const (
	sampleBytes = 32 << 20
	sampleOps   = 4e9
	sampleMost  = 1 << 14
)

// SampleSize returns the number of observations of n variables to use for an estimate
// of ||X||^2.
func SampleSize(n int) int {
	return max(2, min(sampleMost, sampleBytes/(8*n), int(math.Sqrt(sampleOps/float64(n)))))
}

// NewSample makes an empty sample of m observations of n variables.
func NewSample(m, n int, seed uint64) *Sample {
	return &Sample{n: n, m: m, v: linalg.MakeLarge[float64](m * n), from: make([]int, m), nu: make([]float64, m), rng: generator(seed)}
}

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, math.MaxUint64-1)) }

// Clone returns a copy to which more observations can be added. The observations so
// far count with a total weight of total from then on.
func (s *Sample) Clone(total float64, seed uint64) *Sample {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent = true
	c := &Sample{n: s.n, m: s.m, v: s.v, lent: true, other: maps.Clone(s.other), from: slices.Clone(s.from), nu: make([]float64, s.m), seen: s.seen, total: total, rng: generator(seed)}
	for i, w := range s.nu {
		c.nu[i] = w / s.total * total
	}
	return c
}

// mostOther is the share, one in mostOther, of a sample that may be kept beside the others, so
// that a few observations are added without a copy of all.
const mostOther = 8

// own gives s an array of its own. It is called with s.mu held.
func (s *Sample) own() {
	v := linalg.MakeLarge[float64](len(s.v))
	copy(v, s.v)
	for i, row := range s.other {
		copy(v[i*s.n:], row)
	}
	s.v, s.lent, s.other = v, false, nil
}

// Data returns the sample as observations of equal weight. It is invalid once more
// observations are added.
func (s *Sample) Data() *block.Dense {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.other) > 0 {
		s.own()
	}
	return &block.Dense{P: s.m, N: s.n, V: s.v}
}

// Drawn returns the index of the i-th observation of the sample among all, counted from 0,
// and its share of their weight.
func (s *Sample) Drawn(i int) (index int, share float64) { return s.from[i], s.nu[i] / s.total }

// Add adds a block of observations. It draws one random number for each, and as many
// more as reservoirs are entered, m log p in all; it makes at most m copies of an
// observation.
func (s *Sample) Add(b block.Block) {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, l := range s.last {
		if l >= 0 {
			s.put(i, b.Values(l, l+1, s.n, &s.wide))
			s.from[i], s.nu[i] = s.seen+l, 1
			if b.Nu != nil {
				s.nu[i] = b.Nu[l]
			}
		}
	}
	s.seen += b.Rows
}

// put makes row the observation of a reservoir. It is called with s.mu held.
func (s *Sample) put(i int, row []float64) {
	if s.lent && len(s.other) >= s.m/mostOther {
		s.own()
	}
	if !s.lent {
		copy(s.v[i*s.n:(i+1)*s.n], row)
		return
	}
	if s.other == nil {
		s.other = map[int][]float64{}
	}
	s.other[i] = slices.Clone(row)
}
