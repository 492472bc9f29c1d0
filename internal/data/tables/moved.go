package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/data/profile"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
)

// moved holds the observations of another storage, on disk, each of which is moved, and
// perhaps scaled, whenever it is read.
type moved struct {
	Storage
	as     block.Changed
	source string
	seen   *Sketch
	digest fingerprint.Digest
}

func (x *moved) BlockRows() int                                      { return x.as.BlockRows() }
func (x *moved) Pass(ctx context.Context, do func(block.Block)) bool { return x.as.Pass(ctx, do) }
func (x *moved) Stored() float64                                     { p, n := x.Shape(); return float64(p) * float64(n) }
func (x *moved) Sketch() *Sketch                                     { return x.seen }
func (x *moved) Sums() *Sums                                         { return nil }
func (x *moved) Digest(context.Context) (fingerprint.Digest, error)  { return x.digest, nil }

func (x *moved) Fingerprint(ctx context.Context) (string, error) {
	return x.digest.SumOf(ctx, x.Storage, x.Weighted())
}

func (x *moved) Reads(path string) string {
	if from, ok := x.Storage.(reader); ok {
		return from.Reads(path)
	}
	return ""
}

func (x *moved) Whole(_ context.Context, _ *load.Info, what string) (*load.Set, error) {
	return nil, errOnDisk(x.source, what)
}

// Standardize returns the observations with the (weighted) mean of each variable subtracted
// and, unless they are only centered, divided by its standard deviation, or by 1 if that is
// 0, and the location that these are of. Those on disk stay there, which takes three passes, with
// weights four; a copy of others may take limit bytes of memory (memory.Limit).
func (t *Table) Standardize(ctx context.Context, onlyCenter bool, limit uint64) (*Table, *profile.Location, error) {
	if t.Sparse() != nil {
		return t.standardizeSparse(ctx, onlyCenter)
	}
	_, far := t.Storage.(block.Far)
	if t.Slow() && !far && t.Forgotten() == nil {
		return t.standardizeSlow(ctx, onlyCenter)
	}
	what := "Standardize"
	if onlyCenter {
		what = "Center"
	}
	set, err := t.Whole(ctx, what)
	if err != nil {
		return nil, nil, err
	}
	if err := memory.Check(strings.ToLower(what)+": a copy of the data", float64(set.Bytes()), limit, "stream the table, or keep the values as float32", "Stream", "Float32"); err != nil {
		return nil, nil, err
	}
	set, l, err := set.Standardize(ctx, onlyCenter)
	if err != nil {
		return nil, nil, err
	}
	out := New(set)
	out.centered = true
	return out, l, nil
}

func (t *Table) standardizeSlow(ctx context.Context, onlyCenter bool) (*Table, *profile.Location, error) {
	var wide []float64
	total := float64(t.P)
	if t.Weighted() { // divided by their sum, weights are the same bits as in memory
		total = 0
		if !t.Pass(ctx, func(b block.Block) {
			for i := range b.Rows {
				total += b.Weight(i)
			}
		}) {
			return nil, nil, t.Stopped(ctx)
		}
	}
	l, err := profile.Locate(t.N, func(do func(nu float64, row []float64, lo, hi int)) error {
		if !t.Pass(ctx, func(b block.Block) {
			for i := range b.Rows {
				do(b.Weight(i)/total, b.Values(i, i+1, t.N, &wide), 0, t.N)
			}
		}) {
			return t.Stopped(ctx)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	move, err := l.Move(t.profiled(), t.Source, onlyCenter)
	if err != nil {
		return nil, nil, err
	}
	x := &moved{Storage: t.Storage, as: block.Changed{Source: t.Storage, Change: move}, source: t.Source, seen: newSketch(t.N)}
	about := profile.NewRunning(t.N)
	if !x.Pass(ctx, func(b block.Block) {
		x.seen.add(b)
		about.Add(b.V)
		x.digest.Add(b.V)
	}) {
		return nil, nil, t.Stopped(ctx)
	}
	x.seen.finish()
	if t.Weighted() {
		l.Passes++ // for their sum
	}
	return &Table{Info: t.standing(about.Profile, l, onlyCenter), Storage: x, centered: true}, l, nil
}

// standardizeSparse keeps the zeros of sparse observations, and shares their values.
func (t *Table) standardizeSparse(ctx context.Context, onlyCenter bool) (*Table, *profile.Location, error) {
	mean, deviation, err := t.Moments(ctx)
	if err != nil {
		return nil, nil, err
	}
	about := profile.New(t.N)
	about.Constant, about.Largest, about.Nonzero = nil, make([]float64, t.N), make([]int, t.N)
	var scale []float64
	for i, d := range deviation {
		if !(d > 0) {
			deviation[i] = 1
			about.Constant = append(about.Constant, i)
		} else if inverse := 1 / d; !linalg.Finite(d, inverse) && !onlyCenter {
			return nil, nil, fmt.Errorf("%s: %s: its standard deviation is %.3g, out of range: change its unit", t.Source, t.Label(i), d)
		}
		scale = append(scale, 1/deviation[i])
		about.Nonzero[i] = t.P
		if about.Largest[i] = d; !onlyCenter && d > 0 {
			about.Largest[i] = 1
		}
		about.Squares[i] = float64(t.P) * about.Largest[i] * about.Largest[i]
	}
	l := &profile.Location{Mean: mean, Deviation: deviation, Constant: about.Constant, Passes: 4}
	if onlyCenter {
		scale = nil
	} else if err := l.Varies(t.profiled(), t.Source); err != nil {
		return nil, nil, err
	}
	out, err := t.Mapped(ctx, scale, mean)
	if err != nil {
		return nil, nil, err
	}
	out.Info, out.centered = t.standing(about, l, onlyCenter), true
	return out, l, nil
}

// profiled is the table that package profile describes, whose values are not at hand.
func (t *Table) profiled() profile.Table {
	return profile.Table{P: t.P, N: t.N, Label: t.Label, Single: t.Single(), Weighted: t.Weighted()}
}

// standing is what is known of the observations once they were centered or standardized, of
// which about is the profile.
func (t *Table) standing(about profile.Profile, l *profile.Location, onlyCenter bool) *load.Info {
	info := *t.Info
	var constant []diag.Warning
	if t.Weighted() {
		l.Moved(&about, onlyCenter)
	}
	if !onlyCenter {
		about.Constant, constant = nil, l.Warnings(t.profiled())
	}
	info.Warnings = slices.Concat(about.Warnings(t.profiled()), constant, info.Notes)
	return &info
}
