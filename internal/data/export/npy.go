package export

import (
	"context"
	"io"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/npy"
	"symmom/internal/math/linalg"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
)

// WriteNPY writes m as float64 in C order. The file is written atomically:
// an old one stays as it is when writing fails. A device or a pipe (/dev/stdout)
// is written to directly.
func WriteNPY(path string, m mat.Matrix) error {
	name := files.Name(path)
	if linalg.IsNil(m) {
		return diag.Fail(name, "nothing was written: the matrix is nil")
	}
	if err := files.WriteFunc(context.Background(), path, func(w io.Writer) error { return npy.Write(w, m) }); err != nil {
		return diag.Fail(name, "%w", err)
	}
	return nil
}
