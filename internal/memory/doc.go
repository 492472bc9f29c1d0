// Package memory tells how much memory can be had, and refuses what would take
// more before any of it is made: a system that runs out ends the process
// without a word.
//
// Memory is asked for before it is taken. What can be had is three quarters of what the
// machine, the container and the process's own limit leave, or the limit that was given.
// Readers ask for what a header announces or the size of a file suggests, and again as
// slices grow; a search counts what it is sure to allocate. Compressed data may grow to
// 32 times their size, or to 67 MB, unless a limit is given: measured numbers compress
// to a tenth at best.
package memory
