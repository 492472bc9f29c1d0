// Package tables holds tables of observations in memory, in a file, in both, or
// forgotten except for their sums.
//
// A pass over a file reads blocks of 8 MB with one block read ahead, on all processors if
// the numbers have fixed offsets in the file. It does not use mmap, so that address space
// is bounded too. Spill copies observations that are slow to read, from text or a network, to
// a temporary file in binary form, so that they are parsed once.
//
// Session.Append keeps the second moment and the packed compressed moment up to date,
// and Moment.Accumulated solves from them; its comment states what is exact. Other fits do
// not depend on earlier ones: the same data and options give the same answer.
// Session.Forget then drops the observations, for an endless feed.
package tables
