// Package notebooks holds the tutorials, in Go, and the test that runs each of
// them in both kernels: symmom's own, and gophernotes with symmom inside (a
// separate module, in gophernotes). They are written in the subset of Go that
// both interpreters support.
//
// `make notebooks` runs them and stores their output.
package notebooks
