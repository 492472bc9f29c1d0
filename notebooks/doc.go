// Package notebooks holds the tutorials, in Go, and the test that runs each of
// them through both kernels: symmom's own, and gophernotes with symmom inside
// (a module of its own, in gophernotes). They are written in the subset of Go
// that both interpreters take.
//
// `make notebooks` runs them and stores what they show.
package notebooks
