package observations

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/google/renameio/v2"
	"gonum.org/v1/gonum/mat"
)

// WriteNPY writes m as float64 in C order. The file appears whole or not at all:
// an old one stays as it is when writing fails. A device or a pipe (/dev/stdout)
// is written to directly.
func WriteNPY(path string, m mat.Matrix) error {
	name := oneLine(path)
	if isNil(m) {
		return fail(name, "nothing was written: the matrix is nil")
	}
	return writeAtomic(path, func(w io.Writer) error { return encodeNPY(w, m) })
}

// encodeNPY writes version 1.0, the data at a multiple of 64 bytes as NumPy does.
func encodeNPY(w io.Writer, m mat.Matrix) error {
	p, n := m.Dims()
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", p, n)
	pad := 63 - (10+len(dict))%64
	dict += strings.Repeat(" ", pad) + "\n"
	buf := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(buf[8:], uint16(len(dict)))
	buf = append(buf, dict...)
	const full = 1 << 16
	row := make([]float64, n)
	for i := range p {
		matrixRow(row, m, i)
		for _, v := range row {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			if len(buf) >= full {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
	}
	_, err := w.Write(buf)
	return err
}

// writeAtomic has write fill a new file beside path and puts it in path's place.
func writeAtomic(path string, write func(io.Writer) error) error {
	target := path
	if t, err := filepath.EvalSymlinks(path); err == nil {
		target = t // a rename would replace the link
	}
	info, err := os.Stat(target)
	switch {
	case err == nil && info.IsDir():
		return fail(oneLine(path), "is a directory; give the name of a file")
	case err == nil && !info.Mode().IsRegular():
		return writeDirect(path, target, write)
	}
	f, err := renameio.NewPendingFile(target,
		renameio.WithTempDir(filepath.Dir(target)),
		renameio.WithPermissions(0o644),
		renameio.WithExistingPermissions())
	if err != nil {
		return writeError(path, err, info != nil)
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return writeError(path, err, info != nil)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return writeError(path, err, info != nil)
	}
	return nil
}

func writeDirect(path, target string, write func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return writeError(path, err, false)
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return writeError(path, err, false)
	}
	return nil
}

func writeError(path string, err error, old bool) error {
	kept := "nothing was written"
	if old {
		kept = "the old file is unchanged"
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fail(oneLine(path), "%w; %s: free some space or write elsewhere", syscall.ENOSPC, kept)
	case errors.Is(err, fs.ErrNotExist):
		return fail(oneLine(path), "%w: the directory is missing; make it first", fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fail(oneLine(path), "%w to write; %s", fs.ErrPermission, kept)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fail(oneLine(path), "writing failed: %w; %s", err, kept)
}
