//go:build race

package main

// slowdown is how much longer things may take under the race detector, whose
// documentation speaks of 2 to 20 times.
const slowdown = 5
