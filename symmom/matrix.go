package symmom

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/export"
	"symmom/internal/data/load"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/store/files"
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

// SaveMatrix writes a matrix as NPY (float64, C order), a vector (*mat.VecDense) as an array of
// one dimension; or, if the name ends as one of another format that Session.Save writes, such as
// .csv, as a table, with the names of a NamedMatrix's columns in its header. Other names are an
// error. The file is written atomically.
func SaveMatrix(path string, m mat.Matrix) error {
	if ext := files.Ext(path); ext == ".npy" || ext == "" || linalg.IsNil(m) {
		return export.WriteNPY(path, m)
	}
	p, n := m.Dims()
	raw, ok := m.(mat.RawMatrixer)
	if !ok || raw.RawMatrix().Stride != n {
		raw = mat.DenseCopyOf(m)
	}
	t := export.Table{Source: &block.Dense{P: p, N: n, V: raw.RawMatrix().Data}, Label: func(j int) string { return fmt.Sprintf("column %d", j+1) }}
	if named, ok := m.(*NamedMatrix); ok {
		t.Names = named.ColumnNames
	}
	if err := export.Write(context.Background(), path, t, nil); err != nil {
		return &SaveError{path, err}
	}
	return nil
}
