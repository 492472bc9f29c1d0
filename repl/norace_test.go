//go:build !race

package repl

const manyCells = 5000
