//go:build unix

package kernelbuild

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoGo: a machine without Go, and ones with an old one.
func TestNoGo(t *testing.T) {
	for _, c := range []struct{ version, toolchain, want string }{
		{"", "", "there is no go command in the PATH; building needs Go 1.26.0 or later"},
		{"go1.25.3", "local", "the go command is go1.25.3, want 1.26.0 or later"},
		{"go1.20.1", "", "the go command is go1.20.1, want 1.26.0 or later"},
		{"go1.25.3", "auto", ""}, // which fetches a newer one
		{"go1.27", "local", ""},
	} {
		dir := t.TempDir()
		t.Setenv("PATH", dir)
		if c.version != "" {
			program := "#!/bin/sh\nprintf '{\"GOVERSION\": \"" + c.version + "\", \"GOTOOLCHAIN\": \"" + c.toolchain + "\"}'\n"
			if err := os.WriteFile(filepath.Join(dir, "go"), []byte(program), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		_, err := findGo(context.Background(), dir, "1.26.0")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("Go %s, %s: %v, want %q", c.version, c.toolchain, err, c.want)
		}
	}
}
