package lower

import (
	"archive/zip"
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"symmom/internal/test/slow"
	"symmom/repl/internal/gofront"
	"symmom/repl/symbols"
)

// replaced are packages that start goroutines and whose functions that call others there
// the session replaces, or that have none.
var replaced = map[string]bool{"context": true, "sync": true, "time": true, "runtime": true, "runtime/pprof": true, "runtime/trace": true, "os/signal": true, "net/http/fcgi": true, "syscall": true, "go/types": true}

// TestSpawning reads the source of the packages that start goroutines: those that call
// functions there are in spawning.
func TestSpawning(t *testing.T) {
	slow.Test(t)
	n := 0
	archive, err := zip.NewReader(bytes.NewReader(symbols.Types), int64(len(symbols.Types)))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range archive.File {
		path := entry.Name
		pkg, err := build.Default.Import(path, "", 0)
		if err != nil || !pkg.Goroot {
			continue
		}
		n++
		starts := false
		for _, name := range pkg.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				_, is := n.(*ast.GoStmt)
				starts = starts || is
				return !starts
			})
		}
		if starts && !spawning[path] && !replaced[path] && gofront.Guarded[path] == "" {
			t.Errorf("package %s starts goroutines: does it call functions there?", path)
		}
	}
	if n < 100 {
		t.Errorf("%d packages read", n)
	}
}
