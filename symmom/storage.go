package symmom

import (
	"context"
	"fmt"
	"sync"

	"symmom/internal/moment"
	"symmom/internal/obs"
	"symmom/internal/observations"
)

// storage is where a session's observations are, and what is known of them
// without a pass: inMemory, onDisk, appended, forgotten. It is never changed. One
// that is new implements obs.Source and these; beside Append and Forget, no code asks
// which it is.
type storage interface {
	obs.Source

	weighted() bool // the observations have weights of their own
	single() bool   // they are stored as float32

	// slow tells that a pass takes longer than the work on what it brings, so
	// that passes are what a fit saves.
	slow() bool

	// array returns the observations if they are one array in memory, else nil:
	// then there is a sketch, and more than one pass is worth avoiding.
	array() *observations.Set

	// sketch is what was gathered while the observations came in, or nil.
	sketch() *sketch

	// sums is what Append keeps up to date, or nil.
	sums() *sums

	// whole gathers the observations in one array. An error says why that
	// cannot be done for what needs it.
	whole(ctx context.Context, info *observations.Info, what string) (*observations.Set, error)

	// digest is of the values, fingerprint of the weights, too. Of a file they
	// take a pass.
	digest(ctx context.Context) (observations.Digest, error)
	fingerprint(ctx context.Context) (string, error)
}

// normSeed of the observations that ||X||^2 is estimated from, unless
// Options.Seed is another.
const normSeed = DefaultSeed

// sketch is what can be said of observations that were seen once.
type sketch struct {
	span     float64          // largest norm of an observation
	sample   *moment.Sample   // for ||X||^2, as is:
	extremes *moment.Extremes // the largest
}

func newSketch(n int) *sketch {
	return &sketch{sample: moment.NewSample(moment.SampleSize(n), n, normSeed), extremes: moment.NewExtremes(n)}
}

// add shows it a block of observations.
func (k *sketch) add(b obs.Block) {
	k.sample.Add(b)
	k.extremes.Add(b)
}

// finish is for when all were shown.
func (k *sketch) finish() { k.span = k.extremes.Largest() }

// inMemory is observations in one array.
type inMemory struct {
	*obs.Dense
	set *observations.Set
}

func newInMemory(set *observations.Set) inMemory { return inMemory{set.Dense(), set} }

func (x inMemory) weighted() bool           { return x.set.Weights != nil }
func (x inMemory) single() bool             { return x.set.Values32 != nil }
func (x inMemory) slow() bool               { return false }
func (x inMemory) array() *observations.Set { return x.set }
func (x inMemory) sketch() *sketch          { return nil }
func (x inMemory) sums() *sums              { return nil }

func (x inMemory) whole(context.Context, *observations.Info, string) (*observations.Set, error) {
	return x.set, nil
}

func (x inMemory) digest(context.Context) (d observations.Digest, err error) {
	d.Add(x.set)
	return d, nil
}

func (x inMemory) fingerprint(context.Context) (string, error) { return x.set.Fingerprint(), nil }

// onDisk is observations that stay in their file.
type onDisk struct {
	*observations.Stream
	seen *sketch
}

func (x onDisk) weighted() bool           { return x.Weighted }
func (x onDisk) single() bool             { return false }
func (x onDisk) slow() bool               { return true }
func (x onDisk) array() *observations.Set { return nil }
func (x onDisk) sketch() *sketch          { return x.seen }
func (x onDisk) sums() *sums              { return nil }

func (x onDisk) whole(_ context.Context, _ *observations.Info, what string) (*observations.Set, error) {
	return nil, errOnDisk(x.Source, what)
}

func errOnDisk(source, what string) error {
	return fmt.Errorf("%s: %s needs all observations in memory, and this session reads them from disk: use Load instead of Stream", source, what)
}

func (x onDisk) digest(ctx context.Context) (observations.Digest, error) { return x.Digest(ctx) }
func (x onDisk) fingerprint(ctx context.Context) (string, error)         { return x.Fingerprint(ctx) }

// kept is what is left of observations besides a way to pass over them: all
// that a storage which was appended to and one which forgot have in common.
type kept struct {
	seen    *sketch
	totals  *sums
	weights bool // as storage.weighted
	float32 bool // as storage.single
	disk    bool // the first observations are in a file
}

func (k *kept) weighted() bool           { return k.weights }
func (k *kept) single() bool             { return k.float32 }
func (k *kept) slow() bool               { return k.disk }
func (k *kept) array() *observations.Set { return nil }
func (k *kept) sketch() *sketch          { return k.seen }
func (k *kept) sums() *sums              { return k.totals }

func (k *kept) digest(context.Context) (observations.Digest, error) { return k.totals.digest, nil }
func (k *kept) fingerprint(context.Context) (string, error)         { return k.totals.fingerprint, nil }

// appended is the observations of a session and of the blocks that were
// appended to it.
type appended struct {
	*obs.Chain
	*kept

	mu  sync.Mutex
	set *observations.Set // all in one array, once that was needed
}

func (x *appended) whole(ctx context.Context, info *observations.Info, what string) (*observations.Set, error) {
	if x.disk {
		return nil, errOnDisk(info.Source, what)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.set == nil {
		all, err := obs.Gather(ctx, x.Chain)
		if err != nil {
			return nil, interrupted(what, err)
		}
		x.set = &observations.Set{Info: *info, Values: all.V, Values32: all.V32, Weights: all.Nu}
	}
	return x.set, nil
}

// forgotten stands for observations that are gone. Each pass over them fails.
type forgotten struct {
	*kept
	p, n   int
	source string
}

func (x *forgotten) Shape() (p, n int) { return x.p, x.n }
func (x *forgotten) Share() float64    { return 1 / float64(x.p) }
func (x *forgotten) BlockRows() int    { return 1 }

func (x *forgotten) Pass(context.Context, func(obs.Block)) bool { return false }

func (x *forgotten) Err() error { return fmt.Errorf("%s: %w", x.source, errForgotten) }

func (x *forgotten) whole(_ context.Context, _ *observations.Info, what string) (*observations.Set, error) {
	return nil, interrupted(what, x.Err())
}

// forgotten returns the error of whatever needs observations that are gone, or
// nil when they are not.
func (s *Session) forgotten() error {
	if x, ok := s.storage.(*forgotten); ok {
		return x.Err()
	}
	return nil
}

// whole returns all observations in one array, for what cannot do without.
func (s *Session) whole(what string) (*observations.Set, error) {
	return s.storage.whole(s.context(), s.data, what)
}

// sample returns observations drawn with a seed, for ||X||^2: those of the
// sketch where they will do, or else drawn in a pass. What was appended to has one
// sample, drawn as it grew.
func (s *Session) sample(ctx context.Context, seed uint64) (*moment.Sample, error) {
	if k := s.storage.sketch(); k != nil && (seed == normSeed || s.storage.sums() != nil) {
		return k.sample, nil
	}
	sample := moment.NewSample(moment.SampleSize(s.data.N), s.data.N, seed)
	if !s.storage.Pass(ctx, sample.Add) {
		return nil, s.stopped(ctx)
	}
	return sample, nil
}

// stopped says why work on the session's data came to no end: the error of a
// file that could not be read, or ctx's.
func (s *Session) stopped(ctx context.Context) error { return obs.Stopped(ctx, s.storage) }
