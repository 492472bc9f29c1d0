//go:build !unix

package paper

// cpuSeconds would be the processor time; the clock stands in for it.
func cpuSeconds() float64 { return wallSeconds() }
