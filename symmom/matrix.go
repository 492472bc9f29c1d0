package symmom

import (
	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
	"symmom/internal/data/load"
)

// LoadMatrix reads a matrix from a file, in any format that Load reads: true factors
// for a score, n x r with one factor per column.
func LoadMatrix(path string) (*mat.Dense, error) {
	return noEnvironment.LoadMatrix(path)
}

// LoadMatrix is like the function LoadMatrix of this package, in this environment.
func (e *Environment) LoadMatrix(path string) (*mat.Dense, error) {
	ctx := e.context()
	m, err := load.LoadMatrix(ctx, path)
	if err != nil {
		m = &mat.Dense{}
	}
	return m, loading(ctx, err)
}

// SaveMatrix writes a matrix as NPY (float64, C order), a vector (*mat.VecDense) as an
// array of one dimension. The file is written atomically.
func SaveMatrix(path string, m mat.Matrix) error { return export.WriteNPY(path, m) }
