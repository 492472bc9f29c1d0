//go:build !source

package sourcecode

var archive []byte
