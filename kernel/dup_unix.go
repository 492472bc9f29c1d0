//go:build unix && !linux

package kernel

import "golang.org/x/sys/unix"

func dup2(a, b int) error { return unix.Dup2(a, b) }
