//go:build e2e

package house

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The module and its tests compile on other systems.
func TestCompilesElsewhere(t *testing.T) {
	for _, system := range []string{"darwin/arm64", "windows/amd64", "linux/386"} {
		if err := compiles(root, system); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
}

// compiles type-checks all packages in a directory and those below, with their tests and imports,
// from source, in a quarter of a minute. Go vet compiles the imports, which takes four minutes
// per system; it also finds errors in assembly, and missing bodies.
func compiles(dir, system string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok || goos == "" || goarch == "" {
		return fmt.Errorf("want a system and a processor, as in windows/amd64")
	}
	all, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedEmbedFiles,
		Tests: true,
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("no packages in %s", dir)
	}
	seen := make(map[string]bool) // a package is also checked with its tests
	packages.Visit(all, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			seen[e.Error()] = true
		}
	})
	if len(seen) > 0 {
		return fmt.Errorf("%s", strings.Join(slices.Sorted(maps.Keys(seen)), "\n"))
	}
	return nil
}

// A file for one system alone, and a test, that do not compile there.
func TestCompilesFinds(t *testing.T) {
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
		if err := compiles(dir, "linux/amd64"); err != nil {
			t.Errorf("%s: %v on Linux", c.name, err)
		}
		if err := compiles(dir, "windows/amd64"); (err == nil) != c.windows {
			t.Errorf("%s of %q: %v on Windows", c.name, c.text, err)
		}
	}
	for _, system := range []string{"windows", "windows/", "/amd64", "windows/none"} {
		if compiles(t.TempDir(), system) == nil {
			t.Errorf("%q is accepted", system)
		}
	}
}
