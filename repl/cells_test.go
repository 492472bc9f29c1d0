package repl

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"symmom/internal/test/sessiontest"
	"symmom/repl/internal/gofront"
)

var update = flag.String("update", "", "write what the real Go prints into the files of testdata/cells whose names have this in them")

// The corpus of cells, testdata/cells/*.txtar. The first lines of a file say where
// its cases are taken from. A case is a section; the section with its name and " =
// out" is its output, which is that of the Go toolchain: go test -run TestCells
// -update NAME records it.
//
// Files whose names begin with session- hold cases without a counterpart in a
// program. Their cells are separated by lines of dashes, and what each cell shows
// is in the same position in the section " = shows": its output, its value, and the
// report of its error.
func TestCells(t *testing.T) {
	files, err := filepath.Glob("testdata/cells/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cases, spec := 0, 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		session := strings.HasPrefix(filepath.Base(file), "session-")
		if *update != "" && !session && strings.Contains(filepath.Base(file), *update) {
			updateCells(t, file, a)
		}
		fromSpec := strings.Contains(string(a.Comment), "specification") || strings.Contains(string(a.Comment), "Tour of Go")
		wants := map[string]string{}
		for _, f := range a.Files {
			if name, kind, ok := strings.Cut(f.Name, " = "); ok {
				wants[name+kind] = string(f.Data)
			}
		}
		for _, f := range a.Files {
			if strings.Contains(f.Name, " = ") {
				continue
			}
			cases++
			if fromSpec {
				spec++
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				t.Parallel()
				s := newSession(t)
				if session {
					runDialogue(t, s, string(f.Data), wants[f.Name+"shows"])
					return
				}
				ctx, cancel := context.WithTimeout(t.Context(), sessiontest.Enough)
				defer cancel()
				if _, err := s.Eval(ctx, "import \"fmt\"\n"+string(f.Data)); err != nil {
					t.Errorf("%s\n%v\nstderr %s", f.Data, err, s.err.String())
				}
				if want, got := wants[f.Name+"out"], s.out.String(); got != want {
					t.Errorf("%s\nprints %q, want %q", f.Data, got, want)
				}
			})
		}
	}
	if cases < 150 || spec < 60 {
		t.Errorf("%d cases, %d of them of the specification or the tour", cases, spec)
	}
}

// TestGaps finds a case in session-gaps.txtar for each row of the table in
// docs/reference/cells.md, except for what ends the process, which kernel/lastwords_test.go has.
func TestGaps(t *testing.T) {
	readme, err := os.ReadFile("../docs/reference/cells.md")
	if err != nil {
		t.Fatal(err)
	}
	a, err := txtar.ParseFile("testdata/cells/session-gaps.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "| what does not work as in Go | write instead |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(strings.ReplaceAll(table, "`", ""), "\n")
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, " = shows") {
			continue
		}
		i := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, "| "+f.Name) })
		if i < 0 {
			t.Errorf("docs/reference/cells.md has no row that begins with %q", f.Name)
			continue
		}
		rows = slices.Delete(rows, i, i+1)
	}
	if len(rows) != 1 || !strings.HasPrefix(rows[0], "| what Go cannot recover from ends the process") {
		t.Errorf("rows of docs/reference/cells.md without a case: %q", rows)
	}
}

func runDialogue(t *testing.T, s *testSession, cells, shows string) {
	t.Helper()
	split := func(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n----\n") }
	want := split(shows)
	for i, cell := range split(cells) {
		before, beforeErr := len(s.out.String()), len(s.err.String())
		ctx, cancel := context.WithTimeout(t.Context(), sessiontest.Enough)
		r, err := s.Eval(ctx, cell)
		cancel()
		var parts []string
		for _, text := range []string{s.out.String()[before:], r.String(), s.err.String()[beforeErr:]} {
			if text = strings.TrimSuffix(text, "\n"); text != "" {
				parts = append(parts, text)
			}
		}
		if e, ok := errors.AsType[*gofront.Error](err); ok {
			parts = append(parts, e.Report())
		} else if err != nil {
			parts = append(parts, err.Error())
		}
		got := strings.Join(parts, "\n")
		if i >= len(want) || got != strings.TrimPrefix(want[i], "\n") {
			t.Errorf("cell %d\n%s\nshows\n%s\nwant\n%s", i+1, cell, got, append(want, "")[min(i, len(want))])
		}
	}
}

// updateCells records what the Go toolchain prints for each case.
func updateCells(t *testing.T, file string, a *txtar.Archive) {
	t.Helper()
	dir := t.TempDir()
	outs := make([]string, len(a.Files))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, f := range a.Files {
		if strings.Contains(f.Name, " = ") {
			continue
		}
		program := asProgram(t, "import \"fmt\"\n"+string(f.Data))
		name := filepath.Join(dir, fmt.Sprintf("case%d.go", i))
		if err := os.WriteFile(name, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			out, err := exec.Command("go", "run", name).Output()
			if err != nil {
				if exit, ok := errors.AsType[*exec.ExitError](err); ok {
					t.Errorf("%s, %s: %s\n%s", file, f.Name, exit.Stderr, program)
				}
			}
			outs[i] = string(out)
		})
	}
	wg.Wait()
	var list []txtar.File
	for i, f := range a.Files {
		if !strings.Contains(f.Name, " = ") {
			list = append(list, f, txtar.File{Name: f.Name + " = out", Data: []byte(outs[i])})
		}
	}
	a.Files = list
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// asProgram turns a cell into a program: its statements are those of main.
func asProgram(t *testing.T, source string) string {
	t.Helper()
	c, err := gofront.NewCell(1, "", source)
	if err != nil {
		t.Fatal(err)
	}
	units, err := c.Parse(t.Context(), newSession(t).interp.FileSet())
	if err != nil {
		t.Fatalf("%s\n%v", source, err)
	}
	head, decls, body := "package main\n", "", ""
	for _, u := range units {
		text := c.Source[u.Start:u.End] + "\n"
		switch {
		case u.Kind == gofront.ImportItem:
			head += text
		case u.Kind == gofront.DeclItem:
			decls += text
		default:
			body += text
			for _, id := range gofront.Defined(u.Body) {
				body += "_ = " + id.Name + "\n"
			}
		}
	}
	return head + "var _ = fmt.Sprint\n" + decls + "func main() {\n" + body + "}\n"
}
