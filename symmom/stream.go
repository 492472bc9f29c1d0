package symmom

import (
	"context"

	"symmom/internal/cluster/passes"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
)

// Stream opens a table that stays on disk: of any format that Load reads but MATLAB's,
// NPY and NPZ in C order, sparse matrices row by row (CSR); or several files that are one
// table, as for Load. It is read once immediately, to count the observations and check
// every value, and then once for each pass of a computation; about 50 MB of it are in
// memory at a time, for any size (more if a Parquet file's row groups are large). Text,
// compressed, columnar and sparse files and objects in stores, which are slow to read, are
// copied as binary numbers to a temporary file and read from there (see
// LoadOptions.NoSpill). Sparse matrices stay without their zeros as Load keeps them. Files
// that are read again must not change while the session is used.
//
// Decompose, Sweep and Evaluate work with every form, the explicit one if the
// tensor fits. All starts of a search share each pass, as many at a time as fit in
// 128 MB. Center and Standardize transform the observations as they are read. Sparse and
// WithWeights, which need them in memory, return an error; Matrix and Weights are empty.
// If ||X||^2 cannot be computed exactly, it is estimated in one pass, from a sample of
// the observations and those of largest norm: the sample for seed 1 is drawn while the
// file is first read, that for another Options.Seed in a separate pass. LoadOptions are
// those of Load except for Missing "mean", WeightsFile and Float32, which are refused.
//
// With LoadOptions.Spark the data stay on a cluster, whose executors make each pass: two
// immediately, one of them for the sample to estimate ||X||^2, and those of a compressed
// fit, the default form here; the explicit one works if the tensor fits. Sweep, Mixture,
// Topics, Summary and Evaluate make such passes, too. Operations that take hundreds of passes are
// refused. Results are the same bits on any number of executors of one kind of processor.
func Stream(path string, options ...LoadOptions) *Session {
	return opened(options, func(ctx context.Context, o load.Options) (*tables.Table, error) {
		if len(options) == 1 && options[0].WeightsFile != "" {
			return nil, &ArgumentError{Argument: "WeightsFile", Value: options[0].WeightsFile, Want: "none for a stream: make the weights a column of the table, and say which"}
		}
		if o.Float32 {
			return nil, &ArgumentError{Argument: "Float32", Value: true, Want: "false for a stream: it keeps no values in memory, and reads a float32 file as it is"}
		}
		if len(options) == 1 && options[0].Spark != "" {
			return passes.Connected(ctx, options[0].Spark, options[0].SparkWorker, path, o)
		}
		o.Sparse = true
		return tables.Open(ctx, path, o, len(options) == 0 || !options[0].NoSpill)
	})
}
