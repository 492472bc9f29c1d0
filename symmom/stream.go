package symmom

import (
	"context"

	"symmom/internal/observations"
	"symmom/internal/passes"
	"symmom/internal/storage"
)

// Stream opens a table that stays on disk: NPY in C order, CSV or TSV, each also
// gzipped, Parquet or Arrow; or several files that are one table, as Load does. It is
// read once now, to count the observations and check every value, and then once for
// each pass that a result takes; about 50 MB of it are in memory at a time, whatever
// its size (more where a Parquet file's row groups are large). What takes long to read,
// text, compressed and columnar files and objects of stores, is kept as plain numbers in
// a temporary file and read from there (see LoadOptions.NoSpill). Files that are read
// again must not change while the session is used.
//
// Decompose, Sweep and Evaluate work with every form, the explicit one if the
// tensor fits. All starts of a search share each pass, as many at a time as fit in
// 128 MB. Center and Standardize change the observations whenever they are read. What
// needs them in memory (Sparse, WithWeights) gives an error that says so; Matrix and
// Weights are empty. If ||X||^2 cannot be computed
// exactly, it is estimated in one pass, from a sample of the observations and those
// of largest norm: the sample for seed 1 is drawn while the file is first read,
// that for another Options.Seed in a pass of its own. LoadOptions are those of Load
// except for Missing "mean", WeightsFile and Float32, which are refused.
//
// With LoadOptions.Spark the data stay where they are and the executors of a cluster
// make each pass: two now, of which one looks at the rows that ||X||^2 is estimated
// from, and those of a compressed fit, the form of such a table; an explicit one works
// if the tensor fits. Sweep, Mixture, Summary and Evaluate are such passes, too. What
// takes hundreds of passes is refused. Results are the same bits on any number of
// executors of one kind of processor.
func Stream(path string, options ...LoadOptions) *Session {
	return noEnvironment.Stream(path, options...)
}

// Stream is like the function Stream of this package, in this environment.
func (e *Environment) Stream(path string, options ...LoadOptions) *Session {
	return e.read(options, func(ctx context.Context, o observations.Options) (*storage.Table, error) {
		if len(options) == 1 && options[0].WeightsFile != "" {
			return nil, &ArgumentError{Argument: "WeightsFile", Value: options[0].WeightsFile, Want: "none for a stream: make the weights a column of the table, and say which"}
		}
		if o.Float32 {
			return nil, &ArgumentError{Argument: "Float32", Value: true, Want: "false for a stream: it keeps no values in memory, and reads a float32 file as it is"}
		}
		if len(options) == 1 && options[0].Spark != "" {
			return passes.Connected(ctx, options[0].Spark, options[0].SparkWorker, path, o)
		}
		return storage.Open(ctx, path, o, len(options) == 0 || !options[0].NoSpill)
	})
}
