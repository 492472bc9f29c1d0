//go:build !linux

package main

import (
	"math"
	"os"
	"os/exec"
	"runtime"
)

// lastCore returns -1: this system has no way to choose a core.
func lastCore() int { return -1 }

// onOneCore runs f on one thread of Go code.
func onOneCore(_ int, f func()) {
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	f()
}

// ownGroup does nothing: the command receives the terminal's interrupt too, and
// ends.
func ownGroup(*exec.Cmd) {}

// processorSeconds is unknown on this system.
func processorSeconds() float64 { return math.NaN() }

// mostMemory is unknown on this system.
func mostMemory(*os.ProcessState) float64 { return math.NaN() }
