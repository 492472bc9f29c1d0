package symmom

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/progress"
	"symmom/internal/moment/block"
	"symmom/internal/moment/frame"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Session is a table of p observations of n variables, with positive weights
// nu that sum to 1. It is immutable: every method that changes something
// returns a new session that shares the data.
type Session struct {
	data        *tables.Table // nil when err is not
	move        frame.Move    // what became of the variables as they were loaded
	coordinates string
	// whitening is what Whiten did, or nil.
	whitening *whitening
	choice    *choice              // what Select took, or nil
	before    []progress.PhaseTime // any fit
	limit     uint64               // LoadOptions.MemoryLimit
	host      *progress.Host       // or nil
	ctx       context.Context      // nil: the host's
	err       error
}

// Load reads a table from a file: CSV or TSV (also gzipped), NPY, NPZ, MATLAB (.mat of
// save -v7, -v6 or -v4), Parquet, Arrow or Feather, by extension and by content; or a
// sparse matrix: of a .mat, .npz of scipy.sparse, Matrix Market (.mtx, .mm of gensim), LDA-C
// (.ldac), or svmlight (.svm, .svmlight, .libsvm), whose labels are left out. Rows are observations, in a .mat those
// that MATLAB shows.
//
// Several files can be one table: those of a directory, of a pattern such as
// "part-*.csv", or of a list, "@files.txt", a text file with a path on each line. They
// are taken in the order of their names, or of the list, and each has the columns of
// the first, by name if they have names.
//
// Paths can be URLs: https://, with range requests if the server supports them, and if
// the program imports symmom/cloud, as the command does, s3://, gs:// and azblob://.
// There a directory ends in a slash. Broken connections are resumed; an object that is
// replaced meanwhile is an error. Save methods take URLs of stores, too.
//
// If a sparse matrix has 256 variables or more and at most a tenth of its values are
// not zero, the session stores only those, as FromCSR does. In Parquet, Arrow and
// Feather, a column of lists is a variable for each number of a list (x[0], x[1], ...),
// and a field of a record is one (a.b). Columns without numbers are dropped with a
// warning, unless LoadOptions.Columns is set.
//
// Memory: 8 n p bytes, or 4 n p with LoadOptions.Float32; 12 or 8 bytes a value of a
// sparse matrix; while several files are read, up to twice that. If there is less, the
// error wraps ErrTooLarge.
func Load(path string, options ...LoadOptions) *Session {
	return loaded(options, func(ctx context.Context, o load.Options) (*load.Set, error) {
		o.Sparse = true
		return load.Load(ctx, path, o)
	})
}

// Read reads a table from r, named r.Name() if it has that, as files do. The format is "csv",
// "tsv", "npy", "npz", "mat", "parquet", "arrow", "mtx", "ldac", "svmlight", "fwf", or "" to
// detect it.
func Read(r io.Reader, format string, options ...LoadOptions) *Session {
	return loaded(options, func(ctx context.Context, o load.Options) (*load.Set, error) {
		o.Sparse = true
		return load.Read(ctx, r, "", format, o)
	})
}

// FromRows makes a session of observations given as rows, which it copies.
func FromRows(rows [][]float64) *Session {
	return loaded(nil, func(_ context.Context, o load.Options) (*load.Set, error) {
		return load.FromRows(rows, o)
	})
}

// FromMatrix makes a session of a p x n matrix, one observation per row, which it
// copies.
func FromMatrix(m mat.Matrix) *Session {
	return loaded(nil, func(_ context.Context, o load.Options) (*load.Set, error) {
		return load.FromMatrix(m, o)
	})
}

// Failed returns a session that carries err, for functions that make sessions and
// fail.
func Failed(err error) *Session { return &Session{err: err} }

// loaded is the common part of all that make a session from data in memory.
func loaded(options []LoadOptions, get func(context.Context, load.Options) (*load.Set, error)) *Session {
	return opened(options, func(ctx context.Context, o load.Options) (_ *tables.Table, err error) {
		if len(options) == 1 && options[0].WeightsFile != "" {
			if o.RowWeights, err = load.LoadWeights(ctx, options[0].WeightsFile); err != nil {
				return nil, err
			}
		}
		set, err := get(ctx, o)
		if err == nil && o.RowWeights != nil {
			set, err = set.WithWeights(o.RowWeights)
		}
		if err != nil {
			return nil, err
		}
		return tables.New(set), nil
	})
}

// opened is the common part of all that make a session from outside data.
func opened(options []LoadOptions, get func(context.Context, load.Options) (*tables.Table, error)) *Session {
	o, err := atMostOne(options)
	if err != nil {
		return Failed(err)
	}
	c, err := o.internal()
	if err != nil {
		return Failed(err)
	}
	s := (&Session{limit: c.MemoryLimit}).WithContext(o.Context)
	ctx := s.context()
	began := time.Now()
	if o.Words != "" {
		if c.Names, err = load.LoadNames(ctx, o.Words); err != nil {
			s.err = loading(ctx, err)
			return s
		}
	}
	defer func() { s.before = []progress.PhaseTime{{Phase: PhaseLoad, Elapsed: time.Since(began), Passes: 1}} }()
	s.data, err = get(ctx, c)
	s.err = loading(ctx, err)
	return s
}

// Err returns the first error of the chain that led here, or nil.
func (s *Session) Err() error {
	if s.err == nil && s.data == nil {
		return ErrNoData
	}
	return s.err
}

// with returns the session with other data, or with the error.
func (s *Session) with(d *load.Set, err error) *Session {
	if err != nil {
		return s.holding(nil, err)
	}
	return s.holding(tables.New(d), nil)
}

func (s *Session) holding(d *tables.Table, err error) *Session {
	c := *s
	c.data, c.err, c.whitening = d, err, nil
	return &c
}

// WithContext returns the session with a context for its long calls. When it is
// cancelled, they stop within one evaluation and return the best result so far.
func (s *Session) WithContext(ctx context.Context) *Session {
	c := *s
	c.ctx = ctx
	if ctx == nil {
		return &c
	}
	if h := progress.HostOf(ctx); h != nil {
		c.host, c.ctx = h, nil
	}
	return &c
}

// far reports whether the observations stay on a cluster.
func (s *Session) far() bool {
	_, far := s.data.Storage.(block.Far)
	return far
}

// whole returns all observations in one array, for operations that require it.
func (s *Session) whole(what string) (*load.Set, error) {
	d, err := s.data.Whole(s.context(), what)
	return d, interrupted(what, err)
}

func (s *Session) context() context.Context {
	if s.ctx != nil {
		return s.ctx
	}
	return s.host.Now()
}

// saving is the context of a save, which an interrupt does not stop, so that the best
// result is kept.
func (s *Session) saving() context.Context {
	ctx := s.context()
	if ctx.Err() != nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// WithWeights returns the session with other weights nu, one positive number per
// observation; they are divided by their sum.
func (s *Session) WithWeights(w []float64) *Session {
	if s.Err() != nil {
		return s
	}
	d, err := s.data.Set(s.context(), "WithWeights")
	if err = interrupted("WithWeights", err); err != nil {
		return s.with(nil, err)
	}
	c := s.with(d.WithWeights(w))
	c.whitening = s.whitening.kept()
	return c
}

// N returns the number of variables, 0 for a failed session.
func (s *Session) N() int {
	if s.data == nil {
		return 0
	}
	return s.data.N
}

// Observations returns the number of observations p, 0 for a failed session.
func (s *Session) Observations() int {
	if s.data == nil {
		return 0
	}
	return s.data.P
}

// Columns returns the names of the variables; one without a name is called by its
// column number in the source, "column 3".
func (s *Session) Columns() []string {
	if s.data == nil {
		return nil
	}
	names := make([]string, s.data.N)
	for j := range names {
		names[j] = s.data.Label(j)
	}
	return names
}

// Source names where the data came from.
func (s *Session) Source() string {
	if s.data == nil {
		return ""
	}
	return s.data.Source
}

// Coordinates names the transformation of the loaded observations: "centered",
// "standardized" or "whitened"; "" for nothing.
func (s *Session) Coordinates() string { return s.coordinates }

// Warnings lists problems with the data.
func (s *Session) Warnings() []Warning {
	if s.data == nil {
		return nil
	}
	return warned(s.data.Warnings...)
}

// Weights returns a copy of nu, or nil if all are 1/p or they stay on disk.
func (s *Session) Weights() []float64 {
	if s.data == nil {
		return nil
	}
	d, err := s.whole("Weights")
	if err != nil || d.Weights == nil {
		return nil
	}
	return append([]float64(nil), d.Weights...)
}

// Weighted reports whether observations have weights that differ, also of a stream.
func (s *Session) Weighted() bool { return s.data != nil && s.data.Weighted() }

// Matrix returns a copy of the data, p x n, one observation per row; an empty matrix, whose
// Err says why, for a failed session and for a stream, whose data stay on disk.
func (s *Session) Matrix() *NamedMatrix {
	if err := s.Err(); err != nil {
		return noMatrix(err)
	}
	d, err := s.whole("Matrix")
	if err != nil {
		return noMatrix(err)
	}
	return &NamedMatrix{Dense: mat.NewDense(d.P, d.N, d.Float64()), ColumnNames: s.Columns()}
}

// Fingerprint identifies values and weights: "xxh3:...". O(n p), once. For a
// session that was appended to it identifies the parts and their order. It is "" if
// interrupted.
func (s *Session) Fingerprint() string {
	if s.data == nil {
		return ""
	}
	fingerprint, _ := s.data.Fingerprint(s.context())
	return fingerprint
}

// String describes the data in a few lines, and shows the first observations of those in memory.
func (s *Session) String() string { return s.shown().String() }

// HTML is String for notebooks, the observations as a table.
func (s *Session) HTML() string { return s.shown().HTML() }

func (s *Session) shown() shown {
	if err := s.Err(); err != nil {
		return &htmltext.Facts{Title: errorLine("session", err)}
	}
	text := &htmltext.Facts{Title: s.describe()}
	if s.data.Array() == nil {
		return text
	}
	first := s.WithContext(context.Background()).Head(5)
	if first.Err() != nil {
		return text
	}
	if rest := s.data.P - 5; rest > 0 {
		first.note = words.Plural(rest, "more observation")
	}
	return parts{text, first}
}

// describe describes the data in a few lines.
func (s *Session) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s", s.data.Source, words.Plural(s.data.P, "observation"), words.Plural(s.data.N, "variable"))
	if all := s.data.Array(); all != nil && all.Weights != nil {
		lo, hi := math.Inf(1), 0.
		for _, w := range all.Weights {
			lo, hi = math.Min(lo, w), math.Max(hi, w)
		}
		fmt.Fprintf(&b, ", weights from %.3g to %.3g", lo, hi)
	}
	if s.coordinates != "" {
		b.WriteString(", " + s.coordinates)
	}
	switch {
	case s.data.Forgotten() != nil:
		b.WriteString(", forgotten except for their sums")
	case s.far():
		b.WriteString(", left on a cluster")
	case s.data.Slow():
		b.WriteString(", streamed from disk")
		if d := s.data.Density(); d < 1 {
			fmt.Fprintf(&b, " without zeros: %s are not", words.Percent(d))
		}
	case s.data.Sparse() != nil:
		fmt.Fprintf(&b, ", sparse: %s are not zero", words.Percent(s.data.Density()))
	}
	if l := s.Labels(); l.Err() == nil {
		fmt.Fprintf(&b, "\n  %s", l)
	}
	if len(s.data.Shards) > 0 {
		fmt.Fprintf(&b, ", from %s", words.Plural(len(s.data.Shards), "file"))
	}
	for _, w := range s.data.Warnings {
		fmt.Fprintf(&b, "\n  warning: %s", w)
	}
	return b.String()
}
