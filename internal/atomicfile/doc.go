// Package atomicfile writes files that appear whole or not at all: an old file
// stays as it is when writing fails, and a reader never sees half a new one.
// Errors say what became of the file and what to do, but not its name, which
// the caller puts before them.
//
// google/renameio v2.0.2 (2026-01) was not taken: it does not build on Windows, changes
// the owner of a file that it replaces, and leaves temporary files of killed processes
// that nobody can distinguish from those in use. Here they are locked.
package atomicfile
