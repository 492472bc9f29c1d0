// Package memory determines the available memory, and refuses larger requests before
// anything is allocated: a system that runs out of memory kills the process without a
// message.
//
// The available memory is three quarters of that left by the machine, the container and
// the process's own limit, or the limit given. Readers check the size in a header or the
// size of the file, and again as slices grow; a search adds up its certain allocations.
// Compressed data may grow to 32 times their size, or to 67 MB, unless a limit is given:
// measured numbers compress to a tenth at best.
package memory
