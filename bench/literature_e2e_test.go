//go:build e2e

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The smallest cases, without MEITD, whose program is not here; the test does not judge the
// measurements, but that all methods find what they are to find.
func TestRunWritesTheLiterature(t *testing.T) {
	t.Setenv(meitd, "")
	out := filepath.Join(t.TempDir(), "literature.md")
	if err := run(t.Context(), []string{"literature", "-quick", "-out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# The literature beside symmom", "## Who wins where", "a -quick run", "SYMMOM_MEITD does not name", "| weighted moments ", "| generating polynomials ", "| SPM ", "## What could not be had"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
