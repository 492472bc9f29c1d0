// Package paper holds the experiments of Sherman & Kolda, "Estimating
// Higher-Order Moments Using Symmetric Tensor Decomposition" (2020): every
// table and figure, computed anew, with the published numbers.
//
//	result, err := paper.Run(ctx, "table1", paper.Settings{})
//	fmt.Println(result)
//
// List names the experiments. Each is a set of cells; a cell is one
// decomposition from all its starts, or one drawing. Settings.State names a file
// of the finished cells, so that an interrupted run can be resumed. Each
// experiment has its own file; published.go has the paper's numbers, results.md
// the comparison in words.
//
// The experiments use only the public API of package symmom.
//
// The key of a finished cell names everything that it depends on. Tables, pages and
// RESULTS.md are made from cells alone.
package paper
