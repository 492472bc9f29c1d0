package tables

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/moment/block"
)

// kept holds the properties of observations apart from a way to read them, those that a storage
// that was appended to and one that was forgotten have in common.
type kept struct {
	seen    *Sketch
	totals  *Sums
	weights bool // see Storage.Weighted
	float32 bool // see Storage.Single
	disk    bool // the first observations are in a file
	stored  float64
}

func (k *kept) Weighted() bool   { return k.weights }
func (k *kept) Single() bool     { return k.float32 }
func (k *kept) Stored() float64  { return k.stored }
func (k *kept) Slow() bool       { return k.disk }
func (k *kept) Brief() bool      { return !k.disk }
func (k *kept) Array() *load.Set { return nil }
func (k *kept) Sketch() *Sketch  { return k.seen }
func (k *kept) Sums() *Sums      { return k.totals }

func (k *kept) Digest(context.Context) (fingerprint.Digest, error) { return k.totals.digest, nil }
func (k *kept) Fingerprint(context.Context) (string, error)        { return k.totals.fingerprint, nil }

// appended holds the observations of a table and of the blocks appended to it.
type appended struct {
	*block.Chain
	*kept

	mu  sync.Mutex
	set *load.Set // all in one array, once that has been needed
}

// Reads is that of the first link on disk: later ones are in memory.
func (x *appended) Reads(path string) string {
	if first, ok := x.Links[0].(reader); ok {
		return first.Reads(path)
	}
	return ""
}

func (x *appended) Whole(ctx context.Context, info *load.Info, what string) (*load.Set, error) {
	if x.disk {
		return nil, errOnDisk(info.Source, what)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.set == nil {
		all, err := block.Gather(ctx, x.Chain)
		if err != nil {
			return nil, err
		}
		x.set = &load.Set{Info: *info, Values: all.V, Values32: all.V32, Weights: all.Nu}
	}
	return x.set, nil
}

// forgotten represents forgotten observations. Every pass over them fails.
type forgotten struct {
	*kept
	p, n   int
	source string
}

func (x *forgotten) Shape() (p, n int) { return x.p, x.n }
func (x *forgotten) Share() float64    { return 1 / float64(x.p) }
func (x *forgotten) BlockRows() int    { return 1 }

func (x *forgotten) Pass(context.Context, func(block.Block)) bool { return false }

func (x *forgotten) Err() error { return fmt.Errorf("%s: %w", x.source, ErrForgotten) }

func (x *forgotten) Whole(_ context.Context, _ *load.Info, what string) (*load.Set, error) {
	return nil, x.Err()
}

// ErrForgotten is returned, wrapped, by everything that needs forgotten observations.
var ErrForgotten = errors.New("the observations were forgotten (Forget); only compressed fits are possible")
