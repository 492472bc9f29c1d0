// Package slow marks the tests that go test -short leaves out.
package slow

import "testing"

// Test ends a test that takes long, in make test and under the race detector.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long")
	}
}
