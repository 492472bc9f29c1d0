package conformance

import (
	"fmt"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// TestYaegi runs the tests of the interpreter itself, the folder _test of its
// module: the last comment of a program says what it prints, or that it is refused
// or fails. As in the interpreter's own test, programs without such a comment are
// left out.
func TestYaegi(t *testing.T) {
	slow.Test(t)
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/traefik/yaegi").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "_test", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	l := readLists(t, "yaegi")
	t.Run("run", func(t *testing.T) {
		for _, file := range files {
			program := filepath.Base(file)
			want, fails := comment(t, file)
			if want == "" {
				continue
			}
			l.seen[program] = true
			if l.leaves(program) {
				continue
			}
			t.Run(program, func(t *testing.T) {
				t.Parallel()
				o := run(t, file)
				wrong := ""
				switch got := strings.TrimSpace(o.output); {
				case fails && o.exit == 0:
					wrong = "runs to its end, where Go gives the error " + want
				case fails:
					o.refused = nil
				case o.exit != 0:
					wrong = fmt.Sprintf("exit code %d\n%s", o.exit, shortened(got))
				case strings.ReplaceAll(got, file+":", "") != want:
					wrong = fmt.Sprintf("prints\n%s\nwant\n%s", shortened(got), want)
				}
				l.judge(t, program, o, wrong)
			})
		}
	})
	if len(l.seen) < 500 {
		t.Errorf("only %d programs", len(l.seen))
	}
	l.finish(t)
}

// comment returns what the last comment of a program says.
func comment(t *testing.T, file string) (want string, fails bool) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if len(f.Comments) == 0 {
		return "", false
	}
	text := f.Comments[len(f.Comments)-1].Text()
	if strings.HasPrefix(text, "GOPATH:") {
		_, text, _ = strings.Cut(text, "\n")
	}
	if after, is := strings.CutPrefix(text, "Error:\n"); is {
		return strings.TrimSpace(after), true
	}
	if err != nil {
		t.Errorf("%s: %v", file, err)
	}
	after, _ := strings.CutPrefix(text, "Output:\n")
	if after == text {
		return "", false
	}
	return strings.TrimSpace(after), false
}
