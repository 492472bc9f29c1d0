package load

import (
	"context"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"

	"symmom/internal/data/columns"
	"symmom/internal/data/fingerprint"
	"symmom/internal/data/formats"
	"symmom/internal/data/profile"
	"symmom/internal/data/shards"
	"symmom/internal/data/sparsefile"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
)

// streamBytes is the size of a block of a Stream. Only tests change it.
var streamBytes = 8 << 20

// Stream is a table that stays in its file, or files, and is read block by block, as
// often as asked: NPY in C order, CSV or TSV, each also gzipped, Parquet, Arrow, or a sparse
// matrix row by row. It holds a few blocks of about 8 MB (of at least two observations),
// whatever P is. It may be used by several goroutines; each pass has its own blocks.
//
// The rules are those of Load: the same columns, header, delimiter, weights
// column and missing values (which may be an error or dropped, not filled).
type Stream struct {
	Info
	Span     float64 // largest absolute value
	Weighted bool    // with weights that differ
	Sparse   bool    // blocks are without their zeros
	Profile  *profile.Running
	Coded    []columns.Count // cells that codes made missing

	stored   float64 // values of sparse blocks
	share    float64 // 1 over the sum of the weights of all blocks (1 each without)
	rows     int     // in a block; the last may have fewer
	files    []streamed
	options  Options
	heaviest float64     // the largest weight in the file
	costly   atomic.Bool // to read again; set ahead of the blocks that are passed on
	kept     func(context.Context, func(block.Block)) error

	mu     sync.Mutex
	fault  error
	digest *fingerprint.Digest // nil while unknown
	spare  []*buffer
}

// streamed is a file of a Stream.
type streamed struct {
	path, source string
	info         fs.FileInfo       // as it was first
	order        []int             // of its variables, for shards.Reorder
	shape        *sparsefile.Shape // of a matrix that has it only at its end
}

// buffer is a block being read.
type buffer struct {
	values, weights []float64
	sparse          *block.Sparse // instead of values
	rows            int
}

// full reports whether a block without zeros has as many values as may be in memory: rows may
// be longer than most.
func (b *buffer) full() bool { return b.sparse != nil && b.sparse.Stored() >= streamBytes/8 }

// block returns what was read.
func (b *buffer) block(n int) block.Block {
	out := block.Block{Rows: b.rows, Sparse: b.sparse, Nu: b.weights}
	if b.sparse == nil {
		out.V = b.values[:b.rows*n]
	}
	return out
}

// OpenStream reads the file, or the files that path names together (see Load), once, to
// count the observations and to check every value, and returns the stream. look, unless
// nil, is shown the blocks on the way; their weights are not yet divided by the largest.
//
// Errors are those of Load. The files must be regular ones and stay as they are.
func OpenStream(ctx context.Context, path string, o Options, look func(*Stream, block.Block)) (*Stream, error) {
	s := &Stream{Info: Info{Source: files.Name(path)}, options: o}
	if o.Missing == MissingMean {
		return nil, fail(s.Source, "a stream cannot fill missing values with the column mean; choose error or drop, or load the table into memory")
	}
	paths, err := shards.Here(ctx, path)
	if err != nil {
		return nil, err
	}
	sv := &survey{stream: s, all: &table{source: s.Source}, several: paths != nil}
	if paths == nil {
		paths = []string{path}
	} else if err := alone(s.Source, paths); err != nil {
		return nil, err
	}
	for _, file := range paths {
		s.files = append(s.files, streamed{path: file, source: files.Name(file)})
	}
	if err := s.pass(ctx, func(b block.Block) {
		sv.add(b)
		if look != nil {
			look(s, b)
		}
	}, sv); err != nil {
		return nil, err
	}
	sv.all.notes = append(sv.all.notes, shards.Unread(paths)...)
	return s, sv.finish()
}

// Keep has later passes read a copy of the blocks that look was shown, with pass.
func (s *Stream) Keep(pass func(context.Context, func(block.Block)) error) { s.kept = pass }

// Costly reports, once look is called, whether a local file of plain numbers is faster.
func (s *Stream) Costly() bool { return s.costly.Load() }

// Reads returns the name of the file that a write to path would replace under the stream,
// or "".
func (s *Stream) Reads(path string) string {
	id := files.Identify(path)
	for _, f := range s.files {
		if files.Identify(f.path).Is(id) {
			return f.source
		}
	}
	return ""
}

// Shape returns P and N.
func (s *Stream) Shape() (p, n int) { return s.P, s.N }

// Stored returns how many numbers a pass reads.
func (s *Stream) Stored() float64 {
	if s.Sparse {
		return s.stored
	}
	return float64(s.P) * float64(s.N)
}

// Share is the factor by which the weights of blocks, at most 1, must be multiplied to sum
// to 1.
func (s *Stream) Share() float64 { return s.share }

// BlockRows returns the number of observations in a block; the last may have
// fewer.
func (s *Stream) BlockRows() int { return s.rows }

// Pass calls do with one block after the other, always the same in the same
// order, while the next one is read. It returns false soon after ctx ended, and
// when the file could not be read: Err says why, and the stream can no longer
// be used.
func (s *Stream) Pass(ctx context.Context, do func(block.Block)) bool {
	if s.Err() != nil {
		return false
	}
	err := s.pass(ctx, do, nil)
	if err != nil && ctx.Err() == nil {
		s.mu.Lock()
		s.fault = err
		s.mu.Unlock()
	}
	// The reader's context ends a moment after ctx, at which do has left out what it saw.
	return err == nil && ctx.Err() == nil
}

// Err returns the error that ended the stream's use, or nil.
func (s *Stream) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// pass opens the files anew, and reads them to their end.
func (s *Stream) pass(ctx context.Context, do func(block.Block), sv *survey) error {
	if s.kept != nil {
		return formats.Named(s.Source).ReadError(s.kept(ctx, func(b block.Block) { b.Nu = s.weigh(b.Nu); do(b) }))
	}
	r := &pass{ctx: ctx, stream: s, survey: sv}
	switch err := r.open(); err {
	case nil:
	case io.EOF:
		return empty(s.Source, "none of %s has observations", words.Plural(len(sv.all.notes), "file"))
	default:
		return err
	}
	two := [2]*buffer{s.take(), s.take()}
	err := parallel.Ahead(ctx, two, r.next, func(b *buffer) {
		if b.rows > 0 {
			do(b.block(s.N))
		}
	}, r.close)
	switch {
	case err == nil:
		s.give(two[:]...)
	case err == ctx.Err():
		return formats.Named(s.Source).ReadError(err)
	}
	return err
}

func (s *Stream) take() *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.spare); k > 0 {
		b := s.spare[k-1]
		s.spare = s.spare[:k-1]
		return b
	}
	return &buffer{}
}

// give keeps the buffers of one pass for the next.
func (s *Stream) give(b ...*buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spare) == 0 {
		s.spare = b
	}
}
