// Package paper holds the experiments of Sherman & Kolda, "Estimating
// Higher-Order Moments Using Symmetric Tensor Decomposition" (2020): every
// table and figure, computed anew, with the published numbers.
//
//	result, err := paper.Run(ctx, "table1", paper.Settings{})
//	fmt.Println(result)
//
// List names the experiments. Each is a set of cells; a cell is one
// decomposition from all its starts, or one drawing. Settings.State names a file
// that keeps the finished cells, so that a run goes on where it was stopped.
// Each experiment has a file of its own; published.go has the numbers that the
// paper gives, results.md the comparison in words.
//
// The experiments use the public API of package symmom only.
//
// The key of a finished cell names everything that it depends on. Tables, pages and
// RESULTS.md are made from cells alone.
package paper
