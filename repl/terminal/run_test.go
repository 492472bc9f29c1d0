package terminal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/test/sessiontest"
	"symmom/repl"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	script := write(t, "script.go", `#!/usr/bin/env -S symmom repl
package main

import ("fmt"; "os")

func main() {
	greet()
	fmt.Println(os.Args[1:])
	var list []int
	if len(os.Args) > 2 {
		fmt.Println(list[len(os.Args)])
	}
}

func greet() { fmt.Println("hello") }
`)
	plain := write(t, "plain.go", "x := 3\nx\nprintln(x + 1)\nimport \"os\"\nos.Exit(x)\n")
	for _, c := range []struct {
		name     string
		o        Options
		stdin    string
		out, err string
		code     int // of an ExitError, 0 for none
	}{
		{"an expression", Options{Eval: "x := 3; x * 2"}, "", "6\n", "", 0},
		{"no value", Options{Eval: "x := 3"}, "", "", "", 0},
		{"an error", Options{Eval: "1\nx := 3 + y"}, "", "",
			"go: 2:10: undefined: y\n    x := 3 + y\n             ^\n", 1},
		{"exit", Options{Eval: "import \"os\"\nos.Exit(4)"}, "", "", "", 4},
		{"exit 0", Options{Eval: "import \"os\"\nos.Exit(0)"}, "", "", "", 0},
		{"a script", Options{Args: []string{script, "a"}}, "", "hello\n[a]\n", "", 0},
		{"its panic", Options{Args: []string{script, "a", "b"}}, "", "hello\n[a b]\n", "go: " + script +
			":6:1: panic: runtime error: index out of range\n    func main() {\n    ^\n    in main.main, which begins at " + script + ":7\n        greet()\n", 1},
		{"a script without main", Options{Args: []string{plain}}, "", "", "4\n", 3},
		{"input", Options{}, "x := 1\nx\nprintln(\"between\")\nx + 1;\nx + 2\n", "1\n3\n", "between\n", 0},
		{"an error in the input", Options{Args: []string{"-", "arg"}}, "import \"os\"\nos.Args[1]\ny\n3\n",
			"", "go: 3:1: undefined: y\n    y\n    ^\n", 1},
		{"empty input", Options{}, "", "", "", 0},
	} {
		var out, errs sessiontest.Buffer
		c.o.Stdin, c.o.Stdout, c.o.Stderr = strings.NewReader(c.stdin), &out, &errs
		err := Run(t.Context(), c.o)
		code := 0
		if exit, ok := errors.AsType[*repl.ExitError](err); ok {
			code = exit.Code
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if out.String() != c.out || errs.String() != c.err || code != c.code {
			t.Errorf("%s: code %d\nout %q, want %q\nerr %q, want %q", c.name, code, out.String(), c.out, errs.String(), c.err)
		}
	}
}

func TestRunCannot(t *testing.T) {
	if err := Run(t.Context(), Options{Args: []string{"no/such.go"}}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out sessiontest.Buffer
	if err := Run(ctx, Options{Eval: "for {}", Stdout: &out, Stderr: &out}); !errors.Is(err, repl.ErrInterrupted) || out.String() != "" {
		t.Error(err, out.String())
	}
	if err := Run(t.Context(), Options{Stdin: failing{}, Stdout: &out, Stderr: &out}); err == nil || !strings.Contains(err.Error(), "reading the input") {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }
