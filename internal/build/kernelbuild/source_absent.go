//go:build !source

package kernelbuild

// embedded is a zip of the source, or nil if the binary was built without it.
var embedded []byte
