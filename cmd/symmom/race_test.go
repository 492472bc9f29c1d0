//go:build race

package main

// slowdown is how much longer things may take under the race detector, whose
// documentation gives a factor of 2 to 20.
const slowdown = 5
