package load

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"symmom/internal/store/files"
	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// readNPZ reads one array of a zip archive. r is what in reads from, for a random
// access of its own; nil, or a stream, means that the archive is read into memory.
func readNPZ(ctx context.Context, in input, r io.Reader, o Options) (*table, error) {
	at, size, err := in.readerAt(r)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, fail(in.Name, "is not a whole NPZ archive (%w); copy or save the file again", err)
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader) // faster than that of archive/zip
	labels, err := in.labelArray(ctx, size, z, o)
	if err != nil {
		return nil, err
	}
	if labels != nil {
		if o.Array == "" {
			o.Array = otherArray(z, o.Labels)
		}
		o.Labels = ""
	}
	t, err := readArchive(ctx, in, size, z, o)
	if err == nil && labels != nil {
		t.labels = labels
		err = t.labelRows()
		if t.ready != nil {
			t.ready.Labels = labels.Column(nil)
		}
	}
	return t, err
}

// otherArray is the only array of an archive besides one, "" if there are several.
func otherArray(z *zip.Reader, one string) (other string) {
	for _, f := range z.File {
		base, ok := strings.CutSuffix(f.Name, ".npy")
		switch {
		case !ok || base == one || f.Name == one:
		case other != "":
			return ""
		default:
			other = base
		}
	}
	return other
}

// readArchive reads the array that the options say.
func readArchive(ctx context.Context, in input, size int64, z *zip.Reader, o Options) (*table, error) {
	if o.Array == "" && isSparse(z) {
		return readSparseNPZ(ctx, in, size, z, o)
	}
	file, err := member(in.Name, z, o.Array)
	if err != nil {
		return nil, err
	}
	inner, close, err := in.inner(ctx, size, file)
	if err != nil {
		return nil, err
	}
	defer close()
	return readNPY(ctx, inner, nil, inner.Name, o)
}

// inner is an array of the archive of size bytes that in reads.
func (in input) inner(ctx context.Context, size int64, file *zip.File) (inner input, close func(), err error) {
	name := in.Name + "[" + words.Quote(strings.TrimSuffix(file.Name, ".npy")) + "]"
	if file.Flags&1 != 0 {
		return inner, nil, fail(name, "is encrypted; write the archive again without a password")
	}
	body, err := file.Open()
	if err != nil {
		return inner, nil, zipError(in, name, err)
	}
	inner = input{Budget: in.Budget, size: -1, summed: true}
	inner.Name = name
	if file.Method == zip.Store && file.CompressedSize64 <= uint64(size) {
		inner.size = int64(file.CompressedSize64)
	} else {
		inner.Direct = int64(min(file.CompressedSize64, uint64(size)))
		if in.Direct == 0 { // else the archive is compressed once more
			inner.Size = inner.Direct
		}
	}
	inner.r = bufioReader(interruptible.NewReader(ctx, &zipReader{in, name, body}))
	return inner, func() { body.Close() }, nil
}

// readerAt gives random access to the bytes that in has from its beginning on.
func (in input) readerAt(r io.Reader) (io.ReaderAt, int64, error) {
	if in.size >= 0 {
		if at, ok := files.At(r, in.size); ok {
			return at, in.size, nil
		}
	}
	b, err := in.ReadAll(in.r)
	if err != nil {
		return nil, 0, in.readError(err)
	}
	return bytes.NewReader(b), int64(len(b)), nil
}

// member finds the array to read.
func member(name string, z *zip.Reader, array string) (*zip.File, error) {
	var found []*zip.File
	var names []string
	for _, f := range z.File {
		base, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			if f.Name == "xl/workbook.xml" || f.Name == "content.xml" {
				return nil, fail(name, "is a workbook of Excel or LibreOffice, not an NPZ archive; save the sheet as CSV")
			}
			continue
		}
		names = append(names, words.Quote(base))
		if array == "" || array == base || array == f.Name {
			found = append(found, f)
		}
	}
	switch {
	case len(names) == 0:
		return nil, fail(name, "is a zip archive without a .npy array, as numpy.savez writes; unpack it if a table is in it")
	case len(found) == 0:
		return nil, fail(name, "has no array %s; its arrays are %s", words.Quote(array), list(names))
	case len(found) > 1 && array == "":
		return nil, diag.Helped(fail(name, "has %d arrays, choose one: %s", len(found), list(names)), "Array")
	case len(found) > 1:
		return nil, fail(name, "has %d arrays of the name %s; write it again with numpy.savez", len(found), words.Quote(array))
	}
	return found[0], nil
}

// zipReader says in its errors that the archive is at fault.
type zipReader struct {
	in   input
	name string
	r    io.Reader
}

func (z *zipReader) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	if err != nil && err != io.EOF {
		err = zipError(z.in, z.name, err)
	}
	return n, err
}

func zipError(in input, name string, err error) error {
	if errors.Is(err, zip.ErrAlgorithm) {
		return fail(name, "is compressed by a method that is not read here; write it with numpy.savez_compressed")
	}
	var failure *diag.Failure
	if errors.As(err, &failure) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return in.readError(err)
	}
	return fail(name, "the archive is damaged (%w); copy or save the file again", err)
}
