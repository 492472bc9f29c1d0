package symmom

import (
	"context"
	"fmt"
	"sync"

	"symmom/internal/moment"
	"symmom/internal/observations"
)

// Stream opens a table that stays on disk: NPY in C order, or CSV or TSV, each
// also gzipped. It is read through once now, which counts the observations and
// checks every value, and then once for each pass that a result takes; about
// 50 MB of it are in memory at a time, whatever its size. The file must stay as
// it is while the session is used.
//
// Decompose, Sweep and Evaluate work with every form, the explicit one where the
// tensor fits. All starts of a search share each pass, as many at a time as the
// solver has room for in 128 MB. What needs the observations in memory
// (Standardize, WithWeights) gives an error that says so; Matrix and Weights are
// empty. ||X||^2, where it cannot be had exactly, is estimated in a pass, from a
// sample of the observations and those of largest norm: the sample of seed 1 is
// drawn while the file is read the first time, that of another Options.Seed in
// a pass of its own. LoadOptions are those
// of Load but for Missing "mean", WeightsFile and Float32, which are refused.
func Stream(path string, opts ...LoadOptions) *Session { return noHost.Stream(path, opts...) }

// Stream is the function Stream of this package, within the host.
func (h *Host) Stream(path string, opts ...LoadOptions) *Session {
	var f *far
	s := h.read(opts, func(ctx context.Context, o observations.Options) (*observations.Set, error) {
		if len(opts) == 1 && opts[0].WeightsFile != "" {
			return nil, &ArgumentError{Argument: "WeightsFile", Value: opts[0].WeightsFile, Want: "none for a stream: make the weights a column of the table and name it in Weights"}
		}
		if o.Float32 {
			return nil, &ArgumentError{Argument: "Float32", Value: true, Want: "false for a stream: it keeps no values in memory, and reads a float32 file as it is"}
		}
		f = &far{}
		disk, err := observations.OpenStream(ctx, path, o, func(b observations.Block) {
			if f.sample == nil {
				n := len(b.Values) / b.Rows
				f.sample, f.extremes = moment.NewSample(moment.SampleSize(n), n, normSeed), moment.NewExtremes(n)
			}
			f.look(moment.Block{Rows: b.Rows, V: b.Values, Nu: b.Weights})
		})
		if err != nil {
			return nil, err
		}
		f.disk, f.source, f.span, f.heavy = disk, diskSource{disk}, f.extremes.Largest(), disk.Weighted
		return &observations.Set{P: disk.P, N: disk.N, Names: disk.Names, Source: disk.Source,
			Dropped: disk.Dropped, Warnings: disk.Warnings}, nil
	})
	if s.err == nil {
		s.far = f
	}
	return s
}

// normSeed of the observations that ||X||^2 is estimated from, unless
// Options.Seed is another.
const normSeed = DefaultSeed

// far is what a session has whose observations are not one array in memory.
type far struct {
	source   moment.Source
	span     float64        // largest norm of an observation
	sample   *moment.Sample // for ||X||^2, as is:
	extremes *moment.Extremes
	disk     *observations.Stream // the first observations, nil when they are in memory
	feed     *feed                // what Append has accumulated, or nil
	heavy    bool                 // observations have weights
	single   bool                 // they are stored as float32

	mu  sync.Mutex
	set *observations.Set // all in one array, once that was needed
}

// look shows a block of observations to what an estimate of ||X||^2 is made of.
func (f *far) look(b moment.Block) {
	f.sample.Add(b)
	f.extremes.Add(b)
}

// diskSource is a stream as a source of passes.
type diskSource struct{ s *observations.Stream }

func (d diskSource) Shape() (p, n int) { return d.s.P, d.s.N }
func (d diskSource) Share() float64    { return d.s.Share }
func (d diskSource) BlockRows() int    { return d.s.Rows }
func (d diskSource) Fault() error      { return d.s.Fault() }

func (d diskSource) Pass(ctx context.Context, do func(moment.Block)) bool {
	return d.s.Pass(ctx, func(b observations.Block) {
		do(moment.Block{Rows: b.Rows, V: b.Values, Nu: b.Weights})
	}) == nil
}

// seeded returns the sample for ||X||^2 of a seed, which takes a pass where it
// is not the usual one. What was appended to has one sample, drawn as it grew.
func (f *far) seeded(ctx context.Context, seed uint64) (*moment.Sample, error) {
	if seed == normSeed || f.feed != nil {
		return f.sample, nil
	}
	_, n := f.source.Shape()
	sample := moment.NewSample(moment.SampleSize(n), n, seed)
	if f.source.Pass(ctx, sample.Add) {
		return sample, nil
	}
	if err := f.source.Fault(); err != nil {
		return nil, err
	}
	return nil, ctx.Err()
}

// dataOf returns observations in memory as a source of passes.
func dataOf(d *observations.Set) *moment.Data {
	return &moment.Data{P: d.P, N: d.N, V: d.Values, V32: d.Values32, Nu: d.Weights}
}

// source returns the observations for passes over them.
func (s *Session) source() moment.Source {
	if s.far != nil {
		return s.far.source
	}
	return dataOf(s.data)
}

// whole returns all observations in one array, for what cannot do without.
func (s *Session) whole(what string) (*observations.Set, error) {
	f := s.far
	if f == nil {
		return s.data, nil
	}
	if f.disk != nil {
		return nil, fmt.Errorf("%s: %s needs all observations in memory, and this session reads them from disk: use Load instead of Stream", s.data.Source, what)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set == nil {
		x, err := moment.Gather(s.context(), f.source)
		if err != nil {
			return nil, interrupted(what, err)
		}
		c := *s.data
		c.Values, c.Values32, c.Weights = x.V, x.V32, x.Nu
		f.set = &c
	}
	return f.set, nil
}

// weighted tells whether the observations have weights.
func (s *Session) weighted() bool {
	return s.data.Weights != nil || s.far != nil && s.far.heavy
}

// single tells whether the observations are stored as float32.
func (s *Session) single() bool {
	return s.data.Values32 != nil || s.far != nil && s.far.single
}

// stopped says why work on the session's data came to no end: the error of a
// file that could not be read, or ctx's.
func (s *Session) stopped(ctx context.Context) error {
	if s.far != nil {
		if err := s.far.source.Fault(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// fingerprint is Session.Fingerprint, "" when it was interrupted.
func (s *Session) fingerprint() string {
	if s.far == nil {
		return s.data.Fingerprint()
	}
	if s.far.feed != nil {
		return s.far.feed.fingerprint
	}
	sum, err := s.far.disk.Fingerprint(s.context())
	if err != nil {
		return ""
	}
	return sum
}
