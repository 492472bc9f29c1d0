//go:build !unix

package repl

import "os/exec"

// inGroup leaves ending what a command has started to the system.
func inGroup(*exec.Cmd) {}
