package main

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// lastCore returns the last core that this process may run on, -1 if unknown.
func lastCore() int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return -1
	}
	last := -1
	for c := range 8 * len(set) * 8 {
		if set.IsSet(c) {
			last = c
		}
	}
	return last
}

// onOneCore runs f with the whole process, collector and all, on one core.
func onOneCore(core int, f func()) {
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	var all, one unix.CPUSet
	if core >= 0 && unix.SchedGetaffinity(0, &all) == nil {
		one.Set(core)
		setThreads(&one)
		defer setThreads(&all)
	}
	f()
}

// setThreads moves every thread of the process; new threads inherit from the one
// that creates them. It does so twice, for threads created meanwhile. Errors, such
// as for a thread that has ended or if the system does not allow it, are ignored.
func setThreads(set *unix.CPUSet) {
	for range 2 {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		for _, t := range tasks {
			if id, err := strconv.Atoi(t.Name()); err == nil {
				_ = unix.SchedSetaffinity(id, set)
			}
		}
	}
}

// ownGroup keeps an interrupt in the terminal from reaching the command: it is for
// this program, which then ends the command itself.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// processorSeconds returns the processor time of all threads of this process.
func processorSeconds() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// mostMemory returns the largest resident set of a process that has ended.
func mostMemory(s *os.ProcessState) float64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return float64(u.Maxrss) * 1024
	}
	return math.NaN()
}
