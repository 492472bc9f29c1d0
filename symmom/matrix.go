package symmom

import (
	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
	"symmom/internal/data/load"
)

// LoadMatrix reads a matrix from a file, in any format that Load reads: true factors
// for a score, n x r with one factor per column. Of the options only Context is used.
func LoadMatrix(path string, options ...LoadOptions) (*mat.Dense, error) {
	ctx, err := contextOf(options)
	if err != nil {
		return &mat.Dense{}, err
	}
	m, err := load.LoadMatrix(ctx, path)
	if err != nil {
		m = &mat.Dense{}
	}
	return m, loading(ctx, err)
}

// SaveMatrix writes a matrix as NPY (float64, C order), a vector (*mat.VecDense) as an
// array of one dimension. The file is written atomically.
func SaveMatrix(path string, m mat.Matrix) error { return export.WriteNPY(path, m) }
