package load

import (
	"cmp"
	"context"
	"io"
	"reflect"
	"strings"

	"symmom/internal/data/formats"
	"symmom/internal/data/shards"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"

	"gonum.org/v1/gonum/mat"
)

// Load reads the file at path, or the files that it names together (shards.Here), which
// are one table: each has the columns of the first, by name. The content decides the
// format where it is unmistakable (NPY, NPZ, MATLAB, gzip), else the extension does; text
// is CSV.
//
// Errors are *ParseError (a place in the file), *MissingError, or one line that
// begins with the path; the causes fs.ErrNotExist and the context's are kept.
// Memory: 8*P*N bytes, or 4*P*N as float32, and as much again for a gzipped or
// Fortran array that does not come from a plain file. It is held against what is
// free (Options.MemoryLimit) before it is taken: a *memory.Error.
func Load(ctx context.Context, path string, o Options) (*Set, error) {
	names, err := shards.Here(ctx, path)
	if err != nil {
		return nil, err
	}
	if names != nil {
		return loadShards(ctx, files.Name(path), names, o)
	}
	t, err := loadTable(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return t.set(ctx, o)
}

// loadTable reads the table of one file.
func loadTable(ctx context.Context, path string, o Options) (*table, error) {
	name := files.Name(path)
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, OpenError(name, err)
	}
	defer f.Close()
	first, err := f.Stat()
	if err == nil && first.IsDir() {
		return nil, fail(name, "is a directory; give a %s file", formats.Listed(func(*formats.Format) bool { return true }))
	}
	t, failed := read(ctx, f, name, formats.Of(files.Plain(path)), false, o)
	if err != nil || !first.Mode().IsRegular() || ctx.Err() != nil {
		return t, failed
	}
	// Part of one table and part of another is none, whether or not that could be read.
	if change := files.Change(f, first); change != "" {
		return nil, fail(name, "the file changed while it was read (%s); load it again when it is complete, or a copy", change)
	}
	return t, failed
}

// OpenError says why the file of this name cannot be read, and what to do.
func OpenError(name string, err error) error { return diag.Open(name, err) }

// Read reads a stream: format is the name of one, such as "csv" or "parquet", or "" for what
// the content says. name is what messages call it; "" is the reader's own, if it has one. r
// must not be used afterwards: Read may have read ahead, and when ctx ends while r blocks, a
// goroutine stays in that one call.
func Read(ctx context.Context, r io.Reader, name, format string, o Options) (*Set, error) {
	name = oneLine(cmp.Or(name, ownName(r), "<reader>"))
	asked := formats.Called(format)
	if asked == nil && format != "" {
		return nil, fail(name, "unknown format %s; want %s, or nothing to let the content decide", words.Quote(format), strings.Join(formats.List(), ", "))
	}
	if r == nil {
		return nil, fail(name, "no reader was given")
	}
	t, err := read(ctx, r, name, asked, true, o)
	if err != nil {
		return nil, err
	}
	return t.set(ctx, o)
}

// ownName returns the name of a reader that has one, as files have.
func ownName(r io.Reader) string {
	named, is := r.(interface{ Name() string })
	if v := reflect.ValueOf(r); !is || v.Kind() == reflect.Pointer && v.IsNil() {
		return ""
	}
	return named.Name()
}

// read finds the format and reads the table. sure says that the format was given and
// not guessed from an extension.
func read(ctx context.Context, r io.Reader, name string, format *formats.Format, sure bool, o Options) (*table, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the pump

	in, found, err := identify(ctx, r, name, format, o)
	if err != nil {
		return nil, err
	}
	if sure && format != nil && format != found && (format.Detected() || found.Detected()) {
		return nil, fail(name, "holds %s, not the requested %s", found.Name, format.Name)
	}
	if o.Codes != nil {
		o.Sparse = false // a zero may be one
	}
	c, err := open(ctx, in, r, found, o, false)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var t *table
	switch {
	case c.Text != nil:
		return readCSV(c, o)
	case c.Columnar != nil:
		return readColumnar(ctx, c, o)
	case c.Array != nil:
		t, err = readArray(ctx, c.Array, c.without(o))
	default:
		t, err = readMatrix(c, c.without(o))
	}
	if err != nil {
		return nil, err
	}
	return t, t.beside(c)
}

// contents are those of a file.
type contents struct{ *formats.Contents }

// open opens what in reads from r.
func open(ctx context.Context, in formats.Input, r io.Reader, f *formats.Format, o Options, stream bool) (contents, error) {
	if in.Length < 0 {
		r = nil
	}
	c, err := f.Open(ctx, in, r, formats.Choice{Array: o.Array, Labels: o.Labels, Sparse: o.Sparse, Single: o.Float32, Positions: o.Fixed, Columns: len(o.Names), Stream: stream})
	if err == nil && c.Text != nil && o.Names != nil {
		c.Text.Names = o.Names
	}
	return contents{c}, err
}

// without are the options for values that labels and names are beside.
func (c contents) without(o Options) Options {
	if o.Names == nil {
		o.Names = c.Names
	}
	if c.Labels != nil {
		o.Labels = ""
	}
	return o
}

// beside takes notes and labels that are not among the values.
func (t *table) beside(c contents) error {
	if t.ready != nil {
		t.ready.Warnings = append(t.ready.Warnings, c.Notes...)
	}
	t.notes = append(c.Notes, t.notes...)
	if c.Labels == nil {
		return nil
	}
	t.labels, t.labelled = c.Labels, c.Labelled
	if t.ready != nil {
		t.ready.Labels = c.Labels.Column(nil)
	}
	return t.labelRows()
}

// of refuses options that a table of this format has no use for.
func (o Options) of(name string, f *formats.Format) error {
	if o.Array != "" && f.Takes&formats.ArrayName == 0 {
		return fail(name, "array %s was requested, but only npz archives and MATLAB files have named arrays; this is %s", words.Quote(o.Array), f.Name)
	}
	for _, c := range []struct {
		asked        bool
		takes        formats.Takes
		what, option string
	}{
		{o.Header == HeaderPresent, formats.Header, "a line of names was", "Header"},
		{o.Delimiter != 0, formats.Delimiter, "a delimiter was", "Delimiter"},
		{o.Decimal != 0, formats.Decimal, "a decimal sign was", "Decimal"},
		{o.Fixed != nil, formats.Positions, "positions of columns were", "Fixed"},
	} {
		if c.asked && f.Takes&c.takes == 0 {
			return diag.Helped(fail(name, "%s given, which %s files do not have", c.what, f.Name), c.option)
		}
	}
	if o.Names != nil && f.Takes&formats.NameList == 0 {
		return diag.Helped(fail(name, "a list of names was given, and %s files have names of their own", f.Name), "Words")
	}
	return nil
}

// identify finds the format of what r holds, takes gzip off, and refuses options that say
// nothing of that format.
func identify(ctx context.Context, r io.Reader, name string, format *formats.Format, o Options) (in formats.Input, found *formats.Format, err error) {
	if o.Fixed != nil {
		format = formats.Taking(formats.Positions)
	}
	if in, found, err = formats.Identify(ctx, r, name, o.MemoryLimit, format, o.Float32); err == nil {
		err = o.of(name, found)
	}
	return in, found, err
}

// LoadMatrix reads a matrix, such as the n x r truth to score against, by the
// rules of Load with default options. A vector is n x 1.
func LoadMatrix(ctx context.Context, path string) (*mat.Dense, error) {
	s, err := Load(ctx, path, Options{})
	if err != nil {
		return nil, err
	}
	return mat.NewDense(s.P, s.N, s.Values), nil
}
