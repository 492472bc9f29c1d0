package main

import (
	"os"
	"path/filepath"
	"testing"

	"symmom/internal/test/slow"
)

// A file for one system alone, and a test, that do not compile there.
func TestCheck(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct {
		name, text string
		windows    bool // compiles there
	}{
		{"some_windows.go", "package some\n\nvar X int = 1\n", true},
		{"some_windows.go", "package some\n\nvar X int = \"\"\n", false},
		{"some_windows.go", "package some\n\nimport _ \"embed\"\n\n//go:embed nothing.txt\nvar X string\n", false},
		{"some_windows_test.go", "package some\n\nimport \"testing\"\n\nfunc TestX(*testing.T) { x() }\n", false},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module some\n\ngo 1.26\n", "some.go": "package some\n", c.name: c.text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := check(dir, "linux/amd64"); err != nil {
			t.Errorf("%s: %v on Linux", c.name, err)
		}
		if err := check(dir, "windows/amd64"); (err == nil) != c.windows {
			t.Errorf("%s of %q: %v on Windows", c.name, c.text, err)
		}
	}
	for _, system := range []string{"windows", "windows/", "/amd64", "windows/none"} {
		if check(t.TempDir(), system) == nil {
			t.Errorf("%q is accepted", system)
		}
	}
}
