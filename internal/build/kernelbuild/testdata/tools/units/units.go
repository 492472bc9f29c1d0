// Package units has untyped constants, and nothing else.
package units

// The units of length.
const (
	Inch = 0.0254
	Foot = 12 * Inch
	Huge = 1 << 70
)
