package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"symmom/internal/test/slow"
)

// TestTablesAreCurrent makes the tables again and compares: a name that was added
// to symmom or charts is missing in the session until go generate has run.
func TestTablesAreCurrent(t *testing.T) {
	slow.Test(t)
	for at, packages := range map[string][]string{"..": common, "../../../lab/symbols": {"symmom/symmom", "symmom/charts", "symmom/datasets", "symmom/paper"}} {
		name, err := filepath.Abs(at)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), filepath.Base(name)) // the name of the package
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := generate(dir, packages); err != nil {
			t.Fatal(err)
		}
		if at == ".." {
			if err := generateNewer(dir); err != nil {
				t.Fatal(err)
			}
		}
		made, err := filepath.Glob(dir + "/zz_*.go")
		if err != nil || len(made) < len(packages) {
			t.Errorf("%d files of %d packages, %v", len(made), len(packages), err)
		}
		for _, file := range made {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(at, filepath.Base(file)))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not what the package exports now: run go generate ./repl/symbols ./lab/symbols", at, filepath.Base(file))
			}
		}
		files, err := filepath.Glob(at + "/zz_*.go")
		if err != nil || len(files) != len(made) {
			t.Errorf("zz_ files: %v, %v, want %d", files, err, len(made))
		}
	}
}
