//go:build race

package repl

// manyCells is smaller under the race detector, which takes ten times as long.
const manyCells = 1500

// manyGoroutines is smaller, too: their stacks are larger there.
const manyGoroutines = 5000
