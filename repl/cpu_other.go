//go:build !unix

package repl

import "time"

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
