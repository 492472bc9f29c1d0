//go:build !race

package repl

const manyCells = 5000

const manyGoroutines = 50000
