//go:build unix

package conformance

import "syscall"

// setLimits bounds the processor time and the memory of this process.
func setLimits(seconds uint64) error {
	cpu := syscall.Rlimit{Cur: seconds, Max: seconds}
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &cpu); err != nil {
		return err
	}
	memory := syscall.Rlimit{Cur: addresses, Max: addresses}
	return syscall.Setrlimit(syscall.RLIMIT_AS, &memory)
}
