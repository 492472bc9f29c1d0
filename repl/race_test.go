//go:build race

package repl

// manyCells is smaller under the race detector, which takes ten times as long.
const manyCells = 1500
