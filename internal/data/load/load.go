package load

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"reflect"

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
		return nil, fail(name, "is a directory; give a CSV, TSV, NPY, NPZ, MATLAB, Parquet or Arrow file")
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

// Read reads a stream: format is "csv", "tsv", "npy", "npz", "mat", "parquet",
// "arrow", "mtx", "svmlight", or "" for what the content says. name is what messages
// call it; "" is the reader's own, if it has one. r must not be used afterwards: Read may have
// read ahead, and when ctx ends while r blocks, a goroutine stays in that one call.
func Read(ctx context.Context, r io.Reader, name, format string, o Options) (*Set, error) {
	name = oneLine(cmp.Or(name, ownName(r), "<reader>"))
	switch format {
	case "", "csv", "tsv", "npy", "npz", "mat", "parquet", "arrow", "mtx", "svmlight":
	default:
		return nil, fail(name, "unknown format %s; want csv, tsv, npy, npz, mat, parquet, arrow, mtx, svmlight, or nothing to let the content decide", words.Quote(format))
	}
	if r == nil {
		return nil, fail(name, "no reader was given")
	}
	t, err := read(ctx, r, name, format, true, o)
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
func read(ctx context.Context, r io.Reader, name, format string, sure bool, o Options) (*table, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the pump

	in, found, err := identify(ctx, r, name, format, o)
	if err != nil {
		return nil, err
	}
	if in.size < 0 {
		r = nil
	}
	if sure && format != "" && format != found && (formats.Binary(format) || formats.Binary(found)) {
		return nil, fail(name, "holds %s, not the requested %s", found, format)
	}

	if o.Codes != nil {
		o.Sparse = false // a zero may be one
	}
	var t *table
	switch found {
	case "npy":
		t, err = readNPY(ctx, in, r, name, o)
	case "npz":
		t, err = readNPZ(ctx, in, r, o)
	case "mat":
		t, err = readMAT(ctx, in, r, o)
	case "parquet", "arrow":
		t, err = readColumnar(ctx, in, r, found, o)
	case "mtx", "svmlight":
		t, err = readSparse(in, found, o)
	default:
		if found == "tsv" && o.Delimiter == 0 {
			o.Delimiter = '\t'
		}
		t, err = readCSV(in, o)
	}
	return t, err
}

// of refuses options that a table of this format has no use for.
func (o Options) of(name, format string) error {
	if o.Array != "" && format != "npz" && format != "mat" {
		return fail(name, "array %s was requested, but only npz archives and MATLAB files have named arrays; this is %s", words.Quote(o.Array), format)
	}
	if !formats.Binary(format) {
		return nil
	}
	for _, c := range []struct {
		asked        bool
		what, option string
	}{
		{o.Header == HeaderPresent, "a line of names", "Header"},
		{o.Delimiter != 0, "a delimiter", "Delimiter"},
		{o.Decimal != 0, "a decimal sign", "Decimal"},
	} {
		if c.asked {
			return diag.Helped(fail(name, "%s was given, which only tables of text have; this is %s", c.what, format), c.option)
		}
	}
	return nil
}

// identify finds the format of what r holds, takes gzip off, and refuses options that say
// nothing of that format.
func identify(ctx context.Context, r io.Reader, name, format string, o Options) (in input, found string, err error) {
	in = newInput(ctx, r, name, o.MemoryLimit)
	head, err := in.peek(formats.Head)
	if err != nil {
		return in, "", err
	}
	if bytes.HasPrefix(head, []byte(formats.Gzip)) {
		packed := &counted{r: in.r}
		z, err := files.NewGzip(bufioReader(packed))
		if err != nil {
			return in, "", gzipError(in, err)
		}
		// The size announced by compressed bytes is unknown until they are inflated.
		of := in.Budget
		of.Direct = of.Size
		in = input{Budget: of, r: bufioReader(&gzipReader{in: in, z: z, packed: packed}), size: -1, summed: true}
		if head, err = in.peek(formats.Head); err != nil {
			return in, "", err
		}
	}
	if len(head) == 0 {
		return in, "", empty(name, "is empty; want a table with one observation a row")
	}
	if found, err = formats.Sniff(head, format); err != nil {
		return in, "", fail(name, "%w", err)
	}
	in.Ways = WaysOf(found, in.size >= 0 || in.Size > 0, o.Float32)
	return in, found, o.of(name, found)
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
