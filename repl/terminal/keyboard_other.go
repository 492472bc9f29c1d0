//go:build !linux

package terminal

import "os"

// reopen returns nil: elsewhere a terminal cannot be opened again such that it alone does
// not block.
func reopen(*os.File) *os.File { return nil }
