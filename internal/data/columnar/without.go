//go:build js || slim

package columnar

import "io"

// Arrow's module is a large part of a program that a browser has to load, and of the time
// that compiling takes, so it is left out there and in slim builds.

func openArrow(io.ReaderAt, int64) (File, error)   { return nil, ErrLeftOut }
func openParquet(io.ReaderAt, int64) (File, error) { return nil, ErrLeftOut }

// NewWriter refuses the formats.
func NewWriter(io.Writer, string, []string, bool) (Writer, error) { return nil, ErrLeftOut }
