package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"golang.org/x/tools/go/gcexportdata"
)

// typesFile contains the types of the packages, for go/types: one entry per package, in
// the format of gcexportdata.
const typesFile = "zz_types.zip"

// without are the packages whose types the session does not need: unsafe is known
// to go/types.
var without = []string{"unsafe", "."}

// standard returns the packages of the standard library.
func standard() []string {
	paths := append([]string{"iter"}, newerPackages...)
	for _, table := range []map[string]bool{keys(stdlib.Symbols), keys(unrestricted.Symbols), keys(syscall.Symbols)} {
		for key := range table {
			if p := path.Dir(key); !slices.Contains(without, p) && !strings.HasPrefix(p, "github.com/traefik/yaegi") {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// generateTypes writes typesFile into dir. The types come from the compiler's
// own export data.
func generateTypes(dir string, paths []string) error {
	slices.Sort(paths)
	paths = slices.Compact(paths)
	files, err := exportFiles(paths)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	// Positions depend on where this machine keeps Go; the session does not need
	// them.
	nowhere := token.NewFileSet()
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(p string) (io.ReadCloser, error) { return os.Open(files[p]) })
	for _, p := range paths {
		pkg, err := from.Import(p)
		if err != nil {
			return fmt.Errorf("types of %s: %w", p, err)
		}
		w, err := z.Create(p)
		if err != nil {
			return err
		}
		if err := gcexportdata.Write(w, nowhere, pkg); err != nil {
			return fmt.Errorf("types of %s: %w", p, err)
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, typesFile), b.Bytes(), 0o644)
}

func keys[V any](m map[string]V) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// exportFiles asks the go command for the export data of packages.
func exportFiles(paths []string) (map[string]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Export}}"}, paths...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	files := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		p, file, _ := strings.Cut(line, "\t")
		files[p] = file
	}
	return files, nil
}
