//go:build unix

package repl

import (
	"syscall"
	"time"
)

// processorTime is what the process has used so far, in all its threads.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
