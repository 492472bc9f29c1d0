//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileSizeSignal makes a write beyond the limit on file sizes (ulimit -f) an
// error that can be reported, like a full disk; otherwise the signal would end the
// program.
func ignoreFileSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }
