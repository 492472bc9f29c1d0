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
	dir := t.TempDir()
	if err := generate(dir); err != nil {
		t.Fatal(err)
	}
	if err := generateNewer(dir); err != nil {
		t.Fatal(err)
	}
	for _, p := range append(packages[:len(packages):len(packages)], struct{ path, name string }{"the standard library", "newer"}) {
		name := "zz_" + p.name + ".go"
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("repl/symbols/%s is not what %s exports now: run go generate ./repl/symbols", name, p.path)
		}
	}
	files, err := filepath.Glob("../zz_*.go")
	if err != nil || len(files) != len(packages)+1 {
		t.Errorf("zz_ files: %v, %v, want one for each of %d packages, and one more", files, err, len(packages))
	}
}
