//go:build unix

package kernelbuild

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the programs that cmd starts into a group with it, so that all of them
// end when it is stopped.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
