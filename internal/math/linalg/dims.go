package linalg

import "reflect"

// Matrix is anything with dimensions, such as gonum's matrices.
type Matrix interface{ Dims() (rows, columns int) }

// IsNil reports whether there is no matrix: m is nil, or a pointer that is nil.
func IsNil(m Matrix) bool {
	v := reflect.ValueOf(m)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// Dims returns the dimensions of a matrix; where there is none, 0.
func Dims(m Matrix) (rows, columns int) {
	if IsNil(m) {
		return 0, 0
	}
	return m.Dims()
}
