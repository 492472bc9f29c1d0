// Package secret is internal.
package secret

// Times multiplies.
func Times[N ~int | ~float64](n int, x N) N { return N(n) * x }
