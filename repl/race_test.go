//go:build race

package repl

// manyCells are fewer under the race detector, which takes ten times as long.
const manyCells = 1500
