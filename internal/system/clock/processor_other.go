//go:build !unix

package clock

import "time"

// Processor would be the processor time the process has used so far: 0, as it
// is not known here.
func Processor() time.Duration { return 0 }
