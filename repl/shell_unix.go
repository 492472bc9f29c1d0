//go:build unix

package repl

import (
	"os/exec"
	"syscall"
)

// inGroup makes an interrupt end all processes that the command has started.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}
