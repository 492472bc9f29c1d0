package linalg

//go:generate go run -C _asm . -isa avx512 -out ../kernels_avx512_amd64.s -stubs ../kernels_avx512_amd64.go -pkg linalg
//go:generate go run -C _asm . -isa avx2 -out ../kernels_avx2_amd64.s -stubs ../kernels_avx2_amd64.go -pkg linalg
//go:generate go run -C _neon . -out ../kernels_neon_arm64.s -stubs ../kernels_neon_arm64.go

import (
	"cmp"
	"fmt"
	"os"
	"slices"
)

// kernel is a set of implementations of the products.
type kernel int

const (
	generic kernel = iota // Go
	avx2                  // and FMA
	avx512                // its foundation, AVX-512F
	neon                  // of arm64
)

var kernelNames = [...]string{generic: "generic", avx2: "avx2", avx512: "avx512", neon: "neon"}

func (k kernel) String() string { return kernelNames[k] }

// active is chosen once, at start-up; only tests change it.
var active, refused = fromEnvironment()

// fromEnvironment returns the kernel that SYMMOM_CPU asks for, as choose does.
func fromEnvironment() (kernel, error) { return choose(os.Getenv("SYMMOM_CPU"), supported()) }

// choose returns the kernel that a person asked for, or the last and best of
// those that can run with an error that says why it is not the one asked for.
func choose(want string, can []kernel) (kernel, error) {
	best := can[len(can)-1]
	if want == "" {
		return best, nil
	}
	k := kernel(slices.Index(kernelNames[:], want))
	switch {
	case slices.Contains(can, k):
		return k, nil
	case k >= 0:
		return best, fmt.Errorf("SYMMOM_CPU=%s: this processor or this build cannot run it; the best that it can is %s", want, best)
	}
	return best, fmt.Errorf("SYMMOM_CPU=%q: want generic, avx2, avx512 or neon, or nothing for the best, %s", want, best)
}

// Kernel returns the name of the kernels in use: "generic", "avx2", "avx512" or
// "neon". The best one that the processor runs is chosen at start-up; the
// environment variable SYMMOM_CPU forces another, the build tag purego leaves
// all but generic out.
func Kernel() string { return active.String() }

// Kernels returns the result of Kernel, followed by that of KernelError in parentheses if it
// is not nil.
func Kernels() string {
	if err := KernelError(); err != nil {
		return Kernel() + " (" + err.Error() + ")"
	}
	return Kernel()
}

// KernelError says why Kernel is not what SYMMOM_CPU asks for, or that SYMMOM_FETCH names
// no way to fetch; it is nil when they are as they should, or nothing was asked for.
func KernelError() error { return cmp.Or(refused, checkFetch(os.Getenv("SYMMOM_FETCH"))) }
