//go:build !unix

package repl

import "testing"

// quotedFIFO returns the name of a file that is not there: the system has no FIFOs.
func quotedFIFO(t *testing.T) string { t.Skip("no FIFOs"); return "" }
