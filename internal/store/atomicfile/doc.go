// Package atomicfile writes files atomically: an old file is unchanged if writing
// fails, and readers never see a partial one. Errors state the outcome and a remedy,
// but not the name of the file, which the caller adds.
//
// google/renameio v2.0.2 (2026-01) does not build on Windows, changes the owner of a
// file that it replaces, and leaves temporary files of killed processes that are
// indistinguishable from those in use. Here they are locked.
package atomicfile
