package texts

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/flate"

	"symmom/internal/data/npy"
	"symmom/internal/data/sparsefile"
	"symmom/internal/store/files"
)

// Extensions are those of files that Write writes, as the user names them.
var Extensions = []string{"npz", "mtx"}

// CheckName returns an error, which follows a name, unless its extension is one of these.
func CheckName(path string) error {
	switch files.Ext(path) {
	case ".npz", ".mtx":
		return nil
	}
	return fmt.Errorf("want a name that ends in .npz, for SciPy, or .mtx, for Matrix Market")
}

// Write writes the counts in the format of a name's extension, and returns how many documents
// have none.
func (c *Counts) Write(ctx context.Context, w io.Writer, path string) (blank int, err error) {
	if files.Ext(path) == ".mtx" {
		return c.writeMatrixMarket(ctx, w)
	}
	return c.writeNPZ(ctx, w)
}

// WriteWords writes the words, one on a line.
func (c *Counts) WriteWords(w io.Writer) error {
	for _, word := range c.Words {
		if _, err := io.WriteString(w, word+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// writeNPZ writes the archive of scipy.sparse.save_npz, a CSR matrix of int64, with the words in
// another array.
func (c *Counts) writeNPZ(ctx context.Context, w io.Writer) (blank int, err error) {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	wide := c.Stored > math.MaxInt32
	integers := "<i4"
	if wide {
		integers = "<i8"
	}
	member := func(name, descr, shape string, fill func(*integerWriter) error) {
		if err != nil {
			return
		}
		var to io.Writer
		if to, err = z.Create(name + ".npy"); err != nil {
			return
		}
		n := &integerWriter{w: bufio.NewWriterSize(to, 1<<16), wide: descr == "<i8"}
		if _, err = n.w.Write(npy.Head(descr, shape)); err == nil {
			err = fill(n)
		}
		if err == nil {
			err = n.w.Flush()
		}
	}
	starts := make([]int, 1, c.Documents+1)
	member("indices", integers, fmt.Sprintf("(%d,)", c.Stored), func(n *integerWriter) error {
		return c.each(ctx, func(r *rows) error {
			before := starts[len(starts)-1]
			for _, end := range r.ends {
				if before+end == starts[len(starts)-1] {
					blank++
				}
				starts = append(starts, before+end)
			}
			for _, j := range r.column {
				n.put(int(j))
			}
			return n.err
		})
	})
	member("indptr", integers, fmt.Sprintf("(%d,)", c.Documents+1), func(n *integerWriter) error {
		for _, at := range starts {
			n.put(at)
		}
		return n.err
	})
	member("format", "|S3", "()", func(n *integerWriter) error {
		_, err := n.w.WriteString("csr")
		return err
	})
	member("shape", "<i8", "(2,)", func(n *integerWriter) error {
		n.put(c.Documents)
		n.put(len(c.Words))
		return n.err
	})
	member("data", "<i8", fmt.Sprintf("(%d,)", c.Stored), func(n *integerWriter) error {
		return c.each(ctx, func(r *rows) error {
			for _, v := range r.count {
				n.put(int(v))
			}
			return n.err
		})
	})
	member(sparsefile.Names, "|u1", fmt.Sprintf("(%d,)", c.wordBytes()), func(n *integerWriter) error { return c.WriteWords(n.w) })
	if err == nil {
		err = z.Close()
	}
	return blank, err
}

// wordBytes is what WriteWords writes.
func (c *Counts) wordBytes() (size int) {
	for _, w := range c.Words {
		size += len(w) + 1
	}
	return size
}

// integerWriter writes the elements of an array, and keeps the first error.
type integerWriter struct {
	w    *bufio.Writer
	wide bool // int64, else int32
	err  error
}

func (n *integerWriter) put(x int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(x))
	size := 4
	if n.wide {
		size = 8
	}
	if _, err := n.w.Write(b[:size]); err != nil && n.err == nil {
		n.err = err
	}
}

// writeMatrixMarket writes the coordinates and counts of the entries.
func (c *Counts) writeMatrixMarket(ctx context.Context, w io.Writer) (blank int, err error) {
	to := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(to, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", c.Documents, len(c.Words), c.Stored)
	row := 0
	var line []byte
	err = c.each(ctx, func(r *rows) error {
		from := 0
		for _, end := range r.ends {
			row++
			if from == end {
				blank++
			}
			for ; from < end; from++ {
				line = strconv.AppendInt(line[:0], int64(row), 10)
				line = strconv.AppendInt(append(line, ' '), int64(r.column[from])+1, 10)
				line = strconv.AppendInt(append(line, ' '), int64(r.count[from]), 10)
				if _, err := to.Write(append(line, '\n')); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		err = to.Flush()
	}
	return blank, err
}
