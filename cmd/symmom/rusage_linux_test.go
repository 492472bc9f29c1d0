package main

import (
	"os"
	"syscall"
)

// maxRSS returns the maximum memory of a process, in bytes.
func maxRSS(p *os.ProcessState) int64 {
	u, is := p.SysUsage().(*syscall.Rusage)
	if !is {
		return 0
	}
	return int64(u.Maxrss) * 1024
}
