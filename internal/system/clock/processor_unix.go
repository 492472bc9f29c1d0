//go:build unix

package clock

import (
	"syscall"
	"time"
)

// Processor is the processor time the process has used so far, in all its
// threads; 0 if the system does not report it.
func Processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
