// Package passes runs passes over tables on other machines.
//
// A pass is a Message: a computation (block.Pass and a few kinds of its own), the options
// for reading the table, and its splits, files or row groups of them. A worker (Serve) makes
// it over one split and answers with a line, and the sums of all splits are added in the
// order of the splits: the same bits on any number of machines, for any order of the
// answers, and after any number of retries. The computation over a split is the code of
// internal/moment for observations in memory and in files.
//
// An Engine runs passes on workers: Spark (internal/cluster/spark), or Local. Open returns a
// table whose fits are such passes.
package passes
