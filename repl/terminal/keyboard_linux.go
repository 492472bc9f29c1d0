package terminal

import (
	"fmt"
	"os"
	"syscall"
)

// reopen opens a terminal again, which alone does not block then, and returns nil if it
// cannot be.
func reopen(terminal *os.File) *os.File {
	f, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", terminal.Fd()), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil
	}
	return f
}
