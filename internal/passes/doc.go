// Package passes runs passes over tables whose observations are on other machines.
//
// A pass is a Message: what to compute (obs.Pass and a few kinds of its own), how to
// read the table, and its splits, files or row groups of them. A worker (Serve) makes
// it over one split and answers a line, and the sums of all splits are added in the
// order of the splits: the same bits on any number of machines, in whatever order the
// answers come and however often a split was tried again. What a pass computes over a
// split is the code of internal/moment for observations in memory and in files.
//
// An Engine is what has workers make a pass: Spark (internal/spark), or Local. Open
// gives a table whose fits are such passes.
package passes
