package passes

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/words"
)

// far is the storage of a table whose observations an engine reads.
type far struct {
	engine      Engine
	source      string
	p, n        int
	options     load.Options
	splits      []Split
	weights     []float64 // of each split
	weighted    bool
	sum         float64 // of all weights, relative to the largest
	fingerprint string
	seen        *tables.Sketch

	mu    sync.Mutex
	fault error // of the last pass
}

func kind(k string) block.Pass { return block.Pass{Kind: k} }

func (x *far) Shape() (p, n int) { return x.p, x.n }
func (x *far) Share() float64    { return 1 / x.sum }
func (x *far) BlockRows() int    { return max(2, (8<<20)/(8*x.n)) }

func (x *far) Err() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.fault
}

// ended keeps the error of a pass, unless the pass was interrupted.
func (x *far) ended(ctx context.Context, err error) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.fault = nil
	if ctx.Err() == nil {
		x.fault = err
	}
	return err == nil
}

func (x *far) message(p block.Pass) *Message {
	return &Message{Pass: p, N: x.n, Options: x.options, Splits: x.splits}
}

// Sum has the workers make the pass.
func (x *far) Sum(ctx context.Context, p block.Pass, seen func(float64)) ([]float64, bool) {
	total, err := sum(ctx, x.engine, x.message(p), seen)
	return total, x.ended(ctx, err)
}

// mostHere bounds the bytes of a table whose observations Pass brings here.
const mostHere = 64 << 20

// Pass brings all observations here, of a small table.
func (x *far) Pass(ctx context.Context, do func(block.Block)) bool {
	if b := 8 * float64(x.p) * float64(x.n); b > mostHere {
		return x.ended(ctx, fmt.Errorf("%s: this needs every observation here, %s, and they stay on %s: %w", x.source, words.Bytes(b), x.engine.Name(), ErrStay))
	}
	return x.ended(ctx, collect(ctx, x.engine, x.message(kind(Rows)), nil, nil, func(a answer, data [][]float64) error {
		if len(data) != 2 || len(data[0]) != x.splits[a.Split].Rows*x.n || len(data[1]) != 0 && len(data[1]) != x.splits[a.Split].Rows {
			return fmt.Errorf("%s: the answer of a worker %w", x.engine.Name(), errDamaged)
		}
		b := block.Block{Rows: x.splits[a.Split].Rows, V: data[0]}
		if len(data[1]) > 0 {
			b.Nu = data[1]
		}
		do(b)
		return nil
	}))
}

// ErrStay is wrapped by errors of what cannot be done with observations that stay
// elsewhere.
var ErrStay = errors.New("what can be done there is a compressed fit, a mixture or topics; load or stream a part of them for the rest")

// Sample draws observations for an estimate of ||X||^2, by their weights.
func (x *far) Sample(ctx context.Context, seed uint64) (*moment.Sample, error) {
	size := moment.SampleSize(x.n)
	m := x.message(kind(Sample))
	m.Seed, m.Counts = seed<<20, moment.Shares(size, x.weights, seed)
	begin := []int{0}
	for i, k := range x.splits {
		begin = append(begin, begin[i]+k.Rows)
	}
	var parts [][]float64
	if err := collect(ctx, x.engine, m, nil, nil, func(_ answer, data [][]float64) error {
		if len(data) != 1 {
			return fmt.Errorf("%s: the answer of a worker %w", x.engine.Name(), errDamaged)
		}
		parts = append(parts, data[0])
		return nil
	}); err != nil {
		return nil, err
	}
	return moment.JoinSamples(size, x.n, parts, begin, x.sum, seed)
}

func (x *far) Weighted() bool         { return x.weighted }
func (x *far) Single() bool           { return false }
func (x *far) Stored() float64        { return float64(x.p) * float64(x.n) }
func (x *far) Slow() bool             { return true }
func (x *far) Brief() bool            { return false }
func (x *far) Array() *load.Set       { return nil }
func (x *far) Sketch() *tables.Sketch { return x.seen }
func (x *far) Sums() *tables.Sums     { return nil }

func (x *far) Whole(_ context.Context, _ *load.Info, what string) (*load.Set, error) {
	return nil, fmt.Errorf("%s: %s needs all observations in memory, and they stay on %s: use Load", x.source, what, x.engine.Name())
}

func (x *far) Digest(context.Context) (fingerprint.Digest, error) {
	return fingerprint.Digest{}, fmt.Errorf("%s: observations cannot be appended to a table that stays on %s", x.source, x.engine.Name())
}

// Fingerprint identifies the splits and their order.
func (x *far) Fingerprint(context.Context) (string, error) { return x.fingerprint, nil }
