package storage

import (
	"context"
	"slices"
	"strings"

	"symmom/internal/fingerprint"
	"symmom/internal/memory"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/observations"
	"symmom/internal/profile"
)

// moved holds the observations of another storage, on disk, each of which is moved, and
// perhaps scaled, whenever it is read.
type moved struct {
	Storage
	as     obs.Changed
	source string
	seen   *Sketch
	digest fingerprint.Digest
}

func (x *moved) BlockRows() int                                     { return x.as.BlockRows() }
func (x *moved) Pass(ctx context.Context, do func(obs.Block)) bool  { return x.as.Pass(ctx, do) }
func (x *moved) Sketch() *Sketch                                    { return x.seen }
func (x *moved) Sums() *Sums                                        { return nil }
func (x *moved) Digest(context.Context) (fingerprint.Digest, error) { return x.digest, nil }

func (x *moved) Fingerprint(ctx context.Context) (string, error) {
	return x.digest.SumOf(ctx, x.Storage, x.Weighted())
}

func (x *moved) Reads(path string) string {
	if from, ok := x.Storage.(reader); ok {
		return from.Reads(path)
	}
	return ""
}

func (x *moved) Whole(_ context.Context, _ *observations.Info, what string) (*observations.Set, error) {
	return nil, errOnDisk(x.source, what)
}

// Standardize returns the observations with the (weighted) mean of each variable subtracted
// and, unless they are only centered, divided by its standard deviation, or by 1 if that is
// 0, and these. Those on disk stay there, which takes three passes.
func (t *Table) Standardize(ctx context.Context, onlyCenter bool) (out *Table, mean, deviation []float64, err error) {
	if t.Sparse() != nil {
		return t.standardizeSparse(ctx, onlyCenter)
	}
	_, far := t.Storage.(obs.Far)
	if t.Slow() && !far && t.Forgotten() == nil {
		return t.standardizeSlow(ctx, onlyCenter)
	}
	what := "Standardize"
	if onlyCenter {
		what = "Center"
	}
	set, err := t.Whole(ctx, what)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := memory.Check(strings.ToLower(what)+": a copy of the data", float64(set.Bytes()), 0, "stream the table, or keep the values as float32", "Stream", "Float32"); err != nil {
		return nil, nil, nil, err
	}
	set, l, err := set.Standardize(onlyCenter)
	if err != nil {
		return nil, nil, nil, err
	}
	return New(set), l.Mean, l.Deviation, nil
}

func (t *Table) standardizeSlow(ctx context.Context, onlyCenter bool) (*Table, []float64, []float64, error) {
	var wide []float64
	l, err := observations.Locate(t.N, func(do func(float64, []float64)) error {
		if !t.Pass(ctx, func(b obs.Block) {
			for i := range b.Rows {
				nu := t.Share()
				if b.Nu != nil {
					nu *= b.Nu[i]
				}
				do(nu, b.Values(i, i+1, t.N, &wide))
			}
		}) {
			return t.Stopped(ctx)
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	x := &moved{Storage: t.Storage, as: obs.Changed{Source: t.Storage, Change: l.Standardize}, source: t.Source, seen: newSketch(t.N)}
	if onlyCenter {
		x.as.Change = l.Center
		if err := l.Movable(t.Info); err != nil {
			return nil, nil, nil, err
		}
	} else if len(l.Constant) == t.N {
		return nil, nil, nil, observations.ErrConstant(t.Source, t.Single())
	}
	about := profile.NewRunning(t.N)
	if !x.Pass(ctx, func(b obs.Block) {
		x.seen.add(b)
		about.Add(b.V)
		x.digest.Add(b.V)
	}) {
		return nil, nil, nil, t.Stopped(ctx)
	}
	x.seen.finish()
	info := *t.Info
	var constant []notice.Warning
	if !onlyCenter {
		about.Constant, constant = nil, l.Warnings(t.Info, t.Single())
	}
	info.Warnings = slices.Concat(about.Warnings(profile.Table{P: t.P, N: t.N, Label: t.Label, Single: t.Single()}), constant, info.Notes)
	return &Table{Info: &info, Storage: x}, l.Mean, l.Deviation, nil
}

// standardizeSparse keeps the zeros of sparse observations, and shares their values.
func (t *Table) standardizeSparse(ctx context.Context, onlyCenter bool) (out *Table, mean, deviation []float64, err error) {
	if mean, deviation, err = t.Moments(ctx); err != nil {
		return nil, nil, nil, err
	}
	var scale []float64
	constant := 0
	for i, d := range deviation {
		if !(d > 0) {
			deviation[i] = 1
			constant++
		}
		scale = append(scale, 1/deviation[i])
	}
	if onlyCenter {
		scale = nil
	} else if constant == t.N {
		return nil, nil, nil, observations.ErrConstant(t.Source, t.Single())
	}
	out, err = t.Mapped(ctx, scale, mean)
	return out, mean, deviation, err
}
