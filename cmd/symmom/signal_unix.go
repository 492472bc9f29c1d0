//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileSizeSignal makes a write beyond the limit on file sizes (ulimit
// -f) an error that can be reported, as a full disk is, where the signal would
// end the program.
func ignoreFileSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }
