package lower

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/stdlib"
	"golang.org/x/tools/txtar"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
)

var update = flag.Bool("update", false, "write what TestLower finds into testdata")

// TestLower lowers the cells of each file in testdata, one session a file, and compares the
// code that the interpreter is given. Sections are a cell and what becomes of it by turns.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := newSession()
			for i := 0; i+1 < len(archive.Files); i += 2 {
				got := s.lower(t, string(archive.Files[i].Data))
				if want := &archive.Files[i+1].Data; *update {
					*want = []byte(got)
				} else if got != string(*want) {
					t.Errorf("%s\nbecomes\n%s\nwant\n%s", archive.Files[i].Data, got, *want)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// session lowers cells without running them.
type session struct {
	front   *gofront.Front
	lowerer *Lowerer
	cells   int
}

func newSession() *session {
	library := &gofront.Library{Names: map[string]string{}, Symbols: map[string]map[string]reflect.Value{}}
	for _, path := range []string{"fmt", "os", "strings", "sync"} {
		library.Add(path, stdlib.Symbols[path+"/"+path])
	}
	state := repr.NewState(&boxed.Types{})
	front := gofront.New(token.NewFileSet(), library, state)
	return &session{front: front, lowerer: New(front, state)}
}

// lower returns the code for a cell, or its error.
func (s *session) lower(t *testing.T, source string) string {
	s.cells++
	c, err := gofront.NewCell(s.cells, "", source)
	var units []*gofront.Unit
	if err == nil {
		units, err = c.Parse(t.Context(), s.front.Fset)
	}
	if err != nil {
		return err.Error() + "\n"
	}
	checked, sc, err := s.front.Check(t.Context(), c, units)
	if err != nil {
		return err.Error() + "\n"
	}
	l, err := s.lowerer.Lower(t.Context(), c, checked, sc, func(i int) bool { return i == len(checked)-1 && !checked[i].Silenced })
	if err != nil {
		return err.Error() + "\n"
	}
	for _, u := range checked {
		for _, o := range u.Objects {
			s.front.Types.Objects[o.Name()] = o
			s.front.Names.Kinds[o.Name()] = gofront.NameKindOf(o)
		}
	}
	for name, path := range sc.Imports {
		s.front.Names.Imports[name], s.front.Names.Kinds[name] = path, gofront.PackageName
	}
	l.Commit()
	var b bytes.Buffer
	write := func(n any) {
		if err := format.Node(&b, token.NewFileSet(), n); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
	}
	for _, d := range l.Decls {
		write(d)
	}
	for _, list := range [][]ast.Stmt{l.Prologue, l.Body} {
		for _, st := range list {
			write(st)
		}
	}
	return b.String()
}
