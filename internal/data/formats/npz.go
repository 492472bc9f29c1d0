package formats

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"symmom/internal/data/columns"
	"symmom/internal/data/npy"
	"symmom/internal/data/sparsefile"
	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// openNPZ opens one array of a zip archive, with the labels that another has.
func openNPZ(ctx context.Context, in Input, r io.Reader, c Choice) (*Contents, error) {
	at, size, err := in.readerAt(r)
	if err != nil {
		return nil, err
	}
	reader, err := zip.NewReader(at, size)
	if err != nil {
		return nil, fail(in.Name, "is not a whole NPZ archive (%w); copy or save the file again", err)
	}
	reader.RegisterDecompressor(zip.Deflate, flate.NewReader) // faster than that of archive/zip
	z := archive{ctx, in, size, reader}
	labels, err := z.labels(c.Labels)
	if err != nil {
		return nil, err
	}
	if labels != nil && c.Array == "" {
		c.Array = z.other(c.Labels)
	}
	contents := &Contents{Labels: labels}
	if c.Array == "" && z.isSparse() {
		contents.In = in
		if contents.Names, err = z.names(); err != nil {
			return nil, err
		}
		n := 0
		if c.Stream {
			if contents.Rows, contents.close, err = z.rows(); err == nil {
				n = contents.Rows.N
			}
		} else if contents.Matrix, err = z.sparse(c); err == nil {
			n = contents.Matrix.N
		}
		if k := len(contents.Names); err == nil && k > 0 && k != n {
			contents.Close()
			err = fail(in.Name, "its array %q has %s for %s; write it again with one for each", sparsefile.Names, words.Plural(k, "name"), words.Plural(n, "column"))
		}
		return contents, err
	}
	inner, close, err := z.open(c.Array)
	if err != nil {
		return nil, err
	}
	if contents.Array, err = openNPY(inner, nil); err != nil {
		close()
		return nil, err
	}
	contents.close = close
	return contents, nil
}

// archive is a zip archive of size bytes, which in reads.
type archive struct {
	ctx  context.Context
	in   Input
	size int64
	*zip.Reader
}

// other is the only array of an archive besides one, "" if there are several.
func (z archive) other(one string) (other string) {
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

// open opens an array.
func (z archive) open(array string) (inner Input, close func(), err error) {
	in := z.in
	file, err := z.member(array)
	if err != nil {
		return inner, nil, err
	}
	name := in.Name + "[" + words.Quote(strings.TrimSuffix(file.Name, ".npy")) + "]"
	if file.Flags&1 != 0 {
		return inner, nil, fail(name, "is encrypted; write the archive again without a password")
	}
	body, err := file.Open()
	if err != nil {
		return inner, nil, zipError(in, name, err)
	}
	inner = Input{Budget: in.Budget, Length: -1, Summed: true}
	inner.Name = name
	if file.Method == zip.Store && file.CompressedSize64 <= uint64(z.size) {
		inner.Length = int64(file.CompressedSize64)
	} else {
		inner.Direct = int64(min(file.CompressedSize64, uint64(z.size)))
		if in.Direct == 0 { // else the archive is compressed once more
			inner.Size = inner.Direct
		}
	}
	inner.R = Buffered(interruptible.NewReader(z.ctx, &zipReader{in, name, body}))
	return inner, func() { body.Close() }, nil
}

// member finds the array to read.
func (z archive) member(array string) (*zip.File, error) {
	name := z.in.Name
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
		return nil, fail(name, "has no array %s; its arrays are %s", words.Quote(array), diag.List(names))
	case len(found) > 1 && array == "":
		return nil, diag.Helped(fail(name, "has %d arrays, choose one: %s", len(found), diag.List(names)), "Array")
	case len(found) > 1:
		return nil, fail(name, "has %d arrays of the name %s; write it again with numpy.savez", len(found), words.Quote(array))
	}
	return found[0], nil
}

// zipReader says in its errors that the archive is at fault.
type zipReader struct {
	in   Input
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

func zipError(in Input, name string, err error) error {
	if errors.Is(err, zip.ErrAlgorithm) {
		return fail(name, "is compressed by a method that is not read here; write it with numpy.savez_compressed")
	}
	var failure *diag.Failure
	if errors.As(err, &failure) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return in.ReadError(err)
	}
	return fail(name, "the archive is damaged (%w); copy or save the file again", err)
}

// labels takes the labels from an array of that name, if there is one.
func (z archive) labels(name string) (*columns.Reader, error) {
	if _, err := z.member(name); name == "" || err != nil {
		return nil, nil // it may be the number of a column
	}
	inner, close, err := z.open(name)
	if err != nil {
		return nil, err
	}
	defer close()
	head, err := inner.Peek(1 << 12)
	if err != nil {
		return nil, err
	}
	const want = "labels: one number or text for each row"
	h, err := npy.ReadHeader(bytes.NewReader(head))
	text, isText := npy.NewText(h.Descr)
	labels := &columns.Reader{Name: name}
	if err != nil || !isText {
		a, err := openNPY(inner, nil)
		if err != nil {
			return nil, err
		}
		numbers, err := a.single(want)
		if err != nil && a.Columns != 1 {
			err = diag.Helped(err, "Labels")
		}
		if err != nil {
			return nil, err
		}
		for i, v := range numbers {
			if err := number(labels, v, inner.Name, i); err != nil {
				return nil, err
			}
		}
		return labels, nil
	}
	p, n, err := h.Dims()
	if err == nil && n != 1 {
		err = fmt.Errorf("has %s, want %s", words.Plural(n, "column"), want)
	}
	if err != nil {
		return nil, diag.Helped(fail(inner.Name, "%w", err), "Labels")
	}
	_, _ = inner.R.Discard(int(h.Length)) // of what was peeked at
	raw, one := make([]byte, text.Size), []byte(nil)
	for l := range p {
		if _, err := io.ReadFull(inner.R, raw); err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fail(inner.Name, "truncated: the header announces %d labels, but only %d are there; copy or save the file again", p, l)
		} else if err != nil {
			return nil, inner.ReadError(err)
		}
		one = text.Append(one[:0], raw)
		if err := label(labels, one, inner.Name, 0, l); err != nil {
			return nil, err
		}
	}
	return labels, nil
}
