package linalg

import (
	"fmt"
	"os"
)

// kernel is a set of implementations of the products, each one including the
// processors of those before it.
type kernel int

const (
	generic kernel = iota // Go
	avx2                  // and FMA
	avx512                // its foundation, AVX-512F
)

var kernelNames = [...]string{generic: "generic", avx2: "avx2", avx512: "avx512"}

func (k kernel) String() string { return kernelNames[k] }

// active is chosen once, at start-up; only tests change it.
var active, note = choose(os.Getenv("SYMMOM_CPU"), supported())

// choose returns the kernel that a person asked for, or the best one with a
// note that says why it is not the one asked for.
func choose(want string, best kernel) (kernel, string) {
	if want == "" {
		return best, ""
	}
	for k, name := range kernelNames {
		switch {
		case name != want:
		case kernel(k) <= best:
			return kernel(k), ""
		default:
			return best, fmt.Sprintf("SYMMOM_CPU=%s: this processor or this build cannot run it; using %s", want, best)
		}
	}
	return best, fmt.Sprintf("SYMMOM_CPU=%q: want generic, avx2 or avx512; using %s", want, best)
}

// Kernel returns the name of the kernels in use: "generic", "avx2" or
// "avx512". The best one that the processor runs is chosen at start-up; the
// environment variable SYMMOM_CPU forces another, the build tag purego leaves
// all but generic out.
func Kernel() string { return active.String() }

// KernelNote says why Kernel is not what SYMMOM_CPU asks for; it is empty when
// it is, or when nothing was asked for.
func KernelNote() string { return note }
