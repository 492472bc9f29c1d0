package profile

import (
	"context"
	"slices"
	"sync"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
)

// Values holds a P x N matrix row by row, in V or, as float32, in V32.
type Values struct {
	P, N int
	V    []float64
	V32  []float32

	// Fill, if it is set, writes a part of V or of V32, the other one nil, which begins with
	// value from, before it is looked at. Several goroutines call it.
	Fill func(v []float64, v32 []float32, from int) error
}

// blockValues is how many values are dealt with at a time: they stay in the second-level
// cache.
const blockValues = 1 << 16

// groupValues is how many follow each other in one goroutine: several large pages (2 MB),
// because two goroutines that touch the same one first would both clear it.
const groupValues = 1 << 19

// wideValues is how many values stored as float32 are converted at a time.
const wideValues = 1 << 12

// Sweep makes the sweep. Its error is the context's, soon after the context ends, or that of
// Fill for the first values where it failed.
func Sweep(ctx context.Context, t Values) (*Profile, error) {
	rows := max(1, blockValues/max(1, t.N))
	s := &sweep{Values: t, ctx: ctx, rows: rows, waiting: map[int]*part{}}
	s.joined.L = &s.mu
	blocks, group := (t.P+rows-1)/rows, max(1, groupValues/max(1, rows*t.N))
	s.ahead = group * 2 * parallel.Threads(0)
	s.out = New(t.N)
	s.columns = s.out.Constant
	defer context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.joined.Broadcast()
	})()
	s.block(0) // before all others, because its first row is compared with theirs
	s.columns = slices.Clone(s.out.Constant)
	if groups := (blocks + group - 1) / group; blocks > 1 && s.err == nil {
		pool := &parallel.Pool{Threads: min(parallel.Threads(0), groups)}
		pool.Job = func(_, g int) {
			for i := max(1, g*group); i < min((g+1)*group, blocks); i++ {
				s.block(i)
			}
		}
		pool.Run(ctx, groups)
	}
	if s.next < blocks && s.err == nil {
		return nil, ctx.Err()
	}
	if s.err != nil {
		return nil, s.err
	}
	s.out.Finish()
	return &s.out, nil
}

type sweep struct {
	Values
	ctx     context.Context
	rows    int       // of a block
	first   []float64 // row
	columns []int     // that are constant in the first block
	out     Profile   // of the blocks before next

	mu      sync.Mutex
	joined  sync.Cond
	next    int
	ahead   int           // blocks that may be dealt with from next on: parts take memory
	joining bool          // somebody adds blocks to out
	waiting map[int]*part // blocks from next on
	free    []*part
	err     error // of the failed block
	failed  int
}

// part is the result of a block.
type part struct {
	Profile
	wide []float64 // some of its values, if they are stored as float32
}

// block deals with block i.
func (s *sweep) block(i int) {
	p := s.part(i)
	if p == nil {
		return
	}
	from, to := s.bounds(i)
	if s.Fill != nil {
		if err := s.fill(from, to); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.err == nil || i < s.failed {
				s.err, s.failed = err, i
				s.joined.Broadcast()
			}
			return
		}
	}
	if i == 0 {
		s.each(p, 0, s.N, func(row []float64) { s.first = slices.Clone(row) })
	}
	p.Begin(s.columns)
	s.each(p, from, to, func(rows []float64) { p.Add(rows, s.first) })
	s.join(i, p)
}

func (s *sweep) fill(from, to int) error {
	if s.V32 == nil {
		return s.Fill(s.V[from:to], nil, from)
	}
	return s.Fill(nil, s.V32[from:to], from)
}

// each goes over values as float64, some rows at a time.
func (s *sweep) each(p *part, from, to int, look func(rows []float64)) {
	if s.V32 == nil {
		look(s.V[from:to])
		return
	}
	step := max(1, wideValues/s.N) * s.N
	if p.wide == nil {
		p.wide = make([]float64, step)
	}
	for ; from < to; from += step {
		k := min(step, to-from)
		linalg.Widen(p.wide[:k], s.V32[from:from+k])
		look(p.wide[:k])
	}
}

// bounds returns where the values of block i are.
func (s *sweep) bounds(i int) (from, to int) {
	return i * s.rows * s.N, min((i+1)*s.rows, s.P) * s.N
}

// part returns one for block i, as soon as most blocks before it are joined, or nil if one
// of these has failed or the context has ended.
func (s *sweep) part(i int) *part {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i >= s.next+s.ahead && s.err == nil && s.ctx.Err() == nil {
		s.joined.Wait()
	}
	if s.err != nil && s.failed < i || s.ctx.Err() != nil {
		return nil
	}
	if k := len(s.free) - 1; k >= 0 {
		p := s.free[k]
		s.free = s.free[:k]
		return p
	}
	return &part{Profile: New(s.N)}
}

// join adds block i to the result, and those after it that wait, unless it is to wait
// itself: blocks follow each other, whoever is done first.
func (s *sweep) join(i int, p *part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting[i] = p
	if s.joining {
		return
	}
	s.joining = true
	for p := s.waiting[s.next]; p != nil; p = s.waiting[s.next] {
		delete(s.waiting, s.next)
		s.mu.Unlock()
		s.out.Join(&p.Profile)
		s.mu.Lock()
		s.next++
		s.free = append(s.free, p)
		s.joined.Broadcast()
	}
	s.joining = false
}
