package tables

import (
	"context"
	"errors"
	"sync"

	"symmom/internal/data/columns"
	"symmom/internal/data/load"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Table holds observations: their names, where they are stored, and what has been
// learned about them, which is all that changes.
type Table struct {
	*load.Info
	Storage
	centered bool // the mean is zero to within rounding

	mu      sync.Mutex
	learned map[int]*Compression // by compressed fits, by order; never changed

	marking     sync.Mutex // held during passes, apart from what fits ask for meanwhile
	fingerprint string     // "" until needed
}

// New makes a table of observations in memory.
func New(set *load.Set) *Table {
	if set.Sparse != nil {
		t, _ := newSparse(context.Background(), &set.Info, &block.SparseRows{P: set.P, N: set.N, Values: set.Sparse, Nu: set.Weights})
		return t
	}
	return &Table{Info: &set.Info, Storage: inMemory{set.Dense(), set}}
}

// Open makes a table of observations that stay in their file, which it reads once. If keep
// is set and the file takes long to read, a temporary copy of the numbers is read later.
func Open(ctx context.Context, path string, o load.Options, keep bool) (*Table, error) {
	var disk onDisk
	var kept *Spill
	stream, err := load.OpenStream(ctx, path, o, func(s *load.Stream, b block.Block) {
		if disk.seen == nil {
			disk.seen = newSketch(s.N)
			if keep && s.Costly() {
				kept, _ = NewSpill(s.N) // without one, the file is read again
			}
		}
		disk.seen.add(b)
		if kept != nil && kept.Add(b) != nil {
			kept.Close()
			kept = nil
		}
	})
	if err != nil {
		if kept != nil {
			kept.Close()
		}
		return nil, err
	}
	disk.Stream, disk.plain = stream, kept != nil || !stream.Costly()
	if kept != nil {
		stream.Keep(kept.Pass)
	}
	disk.seen.finish()
	return &Table{Info: &disk.Info, Storage: disk}, nil
}

// Fingerprint identifies values and weights. For a file it takes a pass, once.
func (t *Table) Fingerprint(ctx context.Context) (string, error) {
	t.marking.Lock()
	defer t.marking.Unlock()
	if t.fingerprint == "" {
		var err error
		if t.fingerprint, err = t.Storage.Fingerprint(ctx); err != nil {
			return "", err
		}
	}
	return t.fingerprint, nil
}

// Forgotten returns the error for what needs observations that are gone, or nil if
// they are not.
func (t *Table) Forgotten() error {
	if err := t.Err(); errors.Is(err, ErrForgotten) {
		return err
	}
	return nil
}

// reader is a storage that stays in files.
type reader interface{ Reads(path string) string }

// Reads returns the name of a file that holds the observations and that a write to path
// would replace, or "".
func (t *Table) Reads(path string) string {
	if x, ok := t.Storage.(reader); ok {
		return x.Reads(path)
	}
	return ""
}

// Whole returns all observations in one array for what needs it. The error says why
// that cannot be done.
func (t *Table) Whole(ctx context.Context, what string) (*load.Set, error) {
	set, err := t.Storage.Whole(ctx, t.Info, what)
	if err == nil && set.Labels != t.Labels {
		labelled := *set
		labelled.Labels = t.Labels
		set = &labelled
	}
	return set, err
}

// Labelled returns the table with other labels.
func (t *Table) Labelled(c *columns.Column) *Table {
	info := *t.Info
	info.Labels = c
	return &Table{Info: &info, Storage: t.Storage, centered: t.centered, learned: t.Learned()}
}

// SampleFor returns observations drawn with a seed, for ||X||^2: the sketch's sample
// if it will do, otherwise one drawn in a pass. A table that was appended to has a
// single sample, drawn as it grew.
func (t *Table) SampleFor(ctx context.Context, seed uint64) (*moment.Sample, error) {
	if k := t.Sketch(); k != nil && (seed == Seed || t.Sums() != nil) {
		return k.Sample, nil
	}
	if x, ok := t.Storage.(sampler); ok {
		return x.Sample(ctx, seed)
	}
	sample := moment.NewSample(moment.SampleSize(t.N), t.N, seed)
	if !t.Pass(ctx, sample.Add) {
		return nil, t.Stopped(ctx)
	}
	return sample, nil
}

// sampler is a storage that draws samples where its observations are.
type sampler interface {
	Sample(ctx context.Context, seed uint64) (*moment.Sample, error)
}

// Stopped returns the reason that work on the observations did not complete: the error
// of a file that could not be read, or ctx's.
func (t *Table) Stopped(ctx context.Context) error { return block.Stopped(ctx, t.Storage) }

// Largest returns the largest eigenvalue of the second moment of the observations x.
func (t *Table) Largest(ctx context.Context, x block.Source, span float64, threads int) (float64, error) {
	if s := t.Sums(); s != nil && s.Second != nil {
		value, _, err := moment.LargestOf(ctx, s.Second, span, threads, ctx.Err)
		return value, err
	}
	value, _, err := moment.LargestEigenvalue(ctx, x, span, threads)
	return value, err
}

// Extent returns the largest norm of an observation, a unit in which squares stay in
// range.
func (t *Table) Extent(ctx context.Context) (float64, error) {
	if k := t.Sketch(); k != nil {
		return k.Span, nil
	}
	return moment.Span(ctx, t.Storage)
}
