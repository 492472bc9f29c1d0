package tables

import (
	"context"
	"fmt"

	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/moment/block"
)

// Storage is where observations are stored, and what is known about them without a
// pass: inMemory, onDisk, sparse, appended, forgotten. The observations never change.
// A new kind implements block.Source and the methods below; except for Append and
// Forget, no code asks which kind it is.
type Storage interface {
	block.Source

	Weighted() bool // the observations have weights of their own
	Single() bool   // they are stored as float32

	// Stored returns how many numbers a pass reads: p n, or the number of nonzero
	// values of sparse observations.
	Stored() float64

	// Slow reports whether a pass takes longer than the work on its data, so that a
	// fit should save passes.
	Slow() bool

	// Brief reports whether a pass takes a fraction of a second all the same.
	Brief() bool

	// Array returns the observations if they are one array in memory, otherwise nil. A
	// storage that returns nil has a Sketch, and more than one pass over it should be
	// avoided.
	Array() *load.Set

	// Sketch returns what was gathered while the observations were read. It is nil
	// only if Array is not.
	Sketch() *Sketch

	// Sums returns the sums that Append updates, or nil.
	Sums() *Sums

	// Whole gathers the observations in one array for what needs it. The error says
	// why that cannot be done.
	Whole(ctx context.Context, info *load.Info, what string) (*load.Set, error)

	// Digest covers the values, Fingerprint the weights too. For a file, each can take
	// a pass.
	Digest(ctx context.Context) (fingerprint.Digest, error)
	Fingerprint(ctx context.Context) (string, error)
}

// inMemory holds observations in one array.
type inMemory struct {
	*block.Dense
	set *load.Set
}

func (x inMemory) Weighted() bool   { return x.set.Weights != nil }
func (x inMemory) Single() bool     { return x.set.Values32 != nil }
func (x inMemory) Stored() float64  { return float64(x.P) * float64(x.Dense.N) }
func (x inMemory) Slow() bool       { return false }
func (x inMemory) Brief() bool      { return true }
func (x inMemory) Array() *load.Set { return x.set }
func (x inMemory) Sketch() *Sketch  { return nil }
func (x inMemory) Sums() *Sums      { return nil }

func (x inMemory) Whole(context.Context, *load.Info, string) (*load.Set, error) {
	return x.set, nil
}

func (x inMemory) Digest(context.Context) (fingerprint.Digest, error) {
	return x.set.Digest(), nil
}

func (x inMemory) Fingerprint(context.Context) (string, error) {
	return x.set.Fingerprint(), nil
}

// briefBytes bounds the files whose passes are brief: the system keeps those in memory, and
// reads a gigabyte a second or more.
const briefBytes = 256 << 20

// onDisk represents observations that stay in their file.
type onDisk struct {
	*load.Stream
	seen  *Sketch
	plain bool // passes read plain numbers from a local file
}

func (x onDisk) Weighted() bool   { return x.Stream.Weighted }
func (x onDisk) Single() bool     { return false }
func (x onDisk) Slow() bool       { return true }
func (x onDisk) Brief() bool      { return x.plain && 8*x.Stored() <= briefBytes }
func (x onDisk) Array() *load.Set { return nil }
func (x onDisk) Sketch() *Sketch  { return x.seen }
func (x onDisk) Sums() *Sums      { return nil }

func (x onDisk) Whole(_ context.Context, _ *load.Info, what string) (*load.Set, error) {
	return nil, errOnDisk(x.Source, what)
}

func errOnDisk(source, what string) error {
	return fmt.Errorf("%s: %s needs all observations in memory, and this session reads them from disk: use Load instead of Stream", source, what)
}
