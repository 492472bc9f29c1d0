// Package conformance runs programs that others wrote to test Go, and random programs,
// in sessions, each in a process of its own with bounded time and memory: the programs
// of GOROOT/test that begin with "// run", and the interpreter's own tests. Lists in
// testdata say which pass, which are refused and with what message, and which are left
// out, with the reason; -update writes them. A program that runs and is wrong fails the
// test. Of GOROOT/test 855 of 974 pass, 45 are refused, 74 left out; without those that
// import unsafe, reflect, runtime, syscall or os/exec 707 of 727 pass. Of the
// interpreter's own 871 of 904 pass, 5 are refused, 28 left out. Random programs are
// compared with the toolchain, hundreds in one compiled program.
package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// folders of GOROOT/test.
var folders = []string{".", "ken", "chan", "interface", "typeparam", "fixedbugs"}

// TestGo runs the tests of Go itself, which come with every installation: the
// programs of GOROOT/test that begin with "// run". Their output is compared with
// the file .out, as Go does; those without one print nothing.
func TestGo(t *testing.T) {
	slow.Test(t)
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "test")
	l := readLists(t, "go")
	t.Run("run", func(t *testing.T) {
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join(dir, folder, "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if first, _, _ := bytes.Cut(data, []byte("\n")); string(first) != "// run" {
					continue
				}
				program, err := filepath.Rel(dir, file)
				if err != nil {
					t.Fatal(err)
				}
				program = filepath.ToSlash(program)
				l.seen[program] = true
				if l.leaves(program) {
					continue
				}
				t.Run(program, func(t *testing.T) {
					t.Parallel()
					o := run(t, file)
					l.judge(t, program, o, differs(t, file, o))
				})
			}
		}
	})
	l.finish(t)
}

// differs compares the outcome with that of the Go toolchain.
func differs(t *testing.T, file string, o outcome) string {
	t.Helper()
	if o.exit != 0 {
		return fmt.Sprintf("exit code %d\n%s", o.exit, shortened(o.output))
	}
	want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if o.output != string(want) {
		return fmt.Sprintf("prints\n%s\nwant\n%s", shortened(o.output), shortened(string(want)))
	}
	return ""
}

// shortened returns the beginning of a text.
func shortened(text string) string {
	const most = 2000
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
