// Package storage holds tables of observations, wherever these are: in memory, in a
// file, in both, or gone except for their sums.
package storage

import (
	"context"
	"fmt"

	"symmom/internal/obs"
	"symmom/internal/observations"
)

// Storage is where observations are, and what is known about them without a pass:
// inMemory, onDisk, sparse, appended, forgotten. The observations never change. A new kind
// implements obs.Source and the methods below; apart from Append and Forget, no code
// asks which kind it is.
type Storage interface {
	obs.Source

	Weighted() bool // the observations have weights of their own
	Single() bool   // they are stored as float32

	// Stored is how many numbers a pass goes through: p n, or those that are not
	// zero of sparse observations.
	Stored() float64

	// Slow tells that a pass takes longer than the work on what it brings, so
	// that passes are what a fit saves.
	Slow() bool

	// Array returns the observations if they are one array in memory, else nil. A
	// storage that returns nil has a Sketch; more than one pass over it is worth
	// avoiding.
	Array() *observations.Set

	// Sketch is what was gathered while the observations came in. It may be nil only
	// if Array is not.
	Sketch() *Sketch

	// Sums is what Append keeps up to date, or nil.
	Sums() *Sums

	// Whole gathers the observations in one array. An error says why that
	// cannot be done for what needs it.
	Whole(ctx context.Context, info *observations.Info, what string) (*observations.Set, error)

	// Digest covers the values, Fingerprint the weights as well. For a file, each
	// may take a pass.
	Digest(ctx context.Context) (observations.Digest, error)
	Fingerprint(ctx context.Context) (string, error)
}

// inMemory is observations in one array.
type inMemory struct {
	*obs.Dense
	set *observations.Set
}

func (x inMemory) Weighted() bool           { return x.set.Weights != nil }
func (x inMemory) Single() bool             { return x.set.Values32 != nil }
func (x inMemory) Stored() float64          { return float64(x.P) * float64(x.Dense.N) }
func (x inMemory) Slow() bool               { return false }
func (x inMemory) Array() *observations.Set { return x.set }
func (x inMemory) Sketch() *Sketch          { return nil }
func (x inMemory) Sums() *Sums              { return nil }

func (x inMemory) Whole(context.Context, *observations.Info, string) (*observations.Set, error) {
	return x.set, nil
}

func (x inMemory) Digest(context.Context) (d observations.Digest, err error) {
	d.Add(x.set)
	return d, nil
}

func (x inMemory) Fingerprint(context.Context) (string, error) {
	return x.set.Fingerprint(), nil
}

// onDisk is observations that stay in their file.
type onDisk struct {
	*observations.Stream
	seen *Sketch
}

func (x onDisk) Weighted() bool           { return x.Stream.Weighted }
func (x onDisk) Single() bool             { return false }
func (x onDisk) Stored() float64          { return float64(x.P) * float64(x.N) }
func (x onDisk) Slow() bool               { return true }
func (x onDisk) Array() *observations.Set { return nil }
func (x onDisk) Sketch() *Sketch          { return x.seen }
func (x onDisk) Sums() *Sums              { return nil }

func (x onDisk) Whole(_ context.Context, _ *observations.Info, what string) (*observations.Set, error) {
	return nil, errOnDisk(x.Source, what)
}

func errOnDisk(source, what string) error {
	return fmt.Errorf("%s: %s needs all observations in memory, and this session reads them from disk: use Load instead of Stream", source, what)
}
