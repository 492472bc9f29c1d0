package main

import (
	"os"
	"syscall"
)

// maxRSS is the most memory that a process had, in bytes.
func maxRSS(p *os.ProcessState) int64 {
	u, is := p.SysUsage().(*syscall.Rusage)
	if !is {
		return 0
	}
	return u.Maxrss * 1024
}
