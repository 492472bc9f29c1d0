package repl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
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
		o        RunOptions
		stdin    string
		out, err string
		code     int // of an ExitError, 0 for none
	}{
		{"an expression", RunOptions{Eval: "x := 3; x * 2"}, "", "6\n", "", 0},
		{"no value", RunOptions{Eval: "x := 3"}, "", "", "", 0},
		{"an error", RunOptions{Eval: "1\nx := 3 + y"}, "", "", "symmom: 2:10: undefined: y\n    x := 3 + y\n             ^\n", 1},
		{"exit", RunOptions{Eval: "import \"os\"\nos.Exit(4)"}, "", "", "", 4},
		{"exit 0", RunOptions{Eval: "import \"os\"\nos.Exit(0)"}, "", "", "", 0},
		{"a script", RunOptions{Args: []string{script, "a"}}, "", "hello\n[a]\n", "", 0},
		{"its panic", RunOptions{Args: []string{script, "a", "b"}}, "", "hello\n[a b]\n", "symmom: " + script +
			":6:1: panic: runtime error: index out of range\n    func main() {\n    ^\n    in main.main, which begins at " + script + ":7\n        greet()\n", 1},
		{"a script without main", RunOptions{Args: []string{plain}}, "", "", "4\n", 3},
		{"input", RunOptions{}, "x := 1\nx\nprintln(\"between\")\nx + 1;\nx + 2\n", "1\n3\n", "between\n", 0},
		{"an error in the input", RunOptions{Args: []string{"-", "arg"}}, "import \"os\"\nos.Args[1]\ny\n3\n", "", "symmom: 3:1: undefined: y\n    y\n    ^\n", 1},
		{"empty input", RunOptions{}, "", "", "", 0},
	} {
		var out, errs buffer
		c.o.Stdin, c.o.Stdout, c.o.Stderr = strings.NewReader(c.stdin), &out, &errs
		err := Run(t.Context(), c.o)
		code := 0
		var exit *ExitError
		if errors.As(err, &exit) {
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
	if err := Run(t.Context(), RunOptions{Args: []string{"no/such.go"}}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out buffer
	if err := Run(ctx, RunOptions{Eval: "for {}", Stdout: &out, Stderr: &out}); !errors.Is(err, ErrInterrupted) || out.String() != "" {
		t.Error(err, out.String())
	}
	if err := Run(t.Context(), RunOptions{Stdin: failing{}, Stdout: &out, Stderr: &out}); err == nil || !strings.Contains(err.Error(), "reading the input") {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestDescribe(t *testing.T) {
	var noFit *symmom.Fit
	for _, c := range []struct {
		values []any
		want   string
	}{
		{nil, ""},
		{[]any{nil}, "<nil>"},
		{[]any{3, nil}, "3"},
		{[]any{3, errors.New("bad")}, "3\nerror: bad"},
		{[]any{noFit}, "<nil>"},
		{[]any{panicky{}}, "repl.panicky that cannot be shown: no"},
		{[]any{fmt.Sprint}, "func(...interface {}) string"},
		{[]any{*mat.NewDense(1, 1, []float64{3})}, "1 x 1 matrix\n[3]"},
		{[]any{mat.NewVecDense(2, []float64{1, 2})}, "2 x 1 matrix\n⎡1⎤\n⎣2⎦"},
		{[]any{symmom.Norm{Value: 2}}, "2"},
	} {
		if got := (Result{Values: c.values}).String(); got != c.want {
			t.Errorf("%v shows %q, want %q", c.values, got, c.want)
		}
	}
}

type panicky struct{}

func (panicky) String() string { panic("no") }

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "symmom", "history")
	h := openHistory(path)
	for _, text := range []string{"first", "func f() {\n\treturn\n}\n", "first", "first", "", "  "} {
		if _, err := h.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	// A line that a crash has cut, and the text of some other program.
	if _, err := f.WriteString("\"cut\n{not ours}\n\"" + strings.Repeat("x", 100_000) + "\"\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	h = openHistory(path)
	want := []string{"first", "func f() {\n\treturn\n}", "first", strings.Repeat("x", 100_000)}
	if fmt.Sprint(h.Dump()) != fmt.Sprint(want) || h.Len() != 4 {
		t.Errorf("%d lines: %.200q", h.Len(), h.Dump())
	}
	if line, err := h.GetLine(1); line != want[1] || err != nil {
		t.Error(line, err)
	}
	for _, i := range []int{-1, 4} {
		if _, err := h.GetLine(i); err == nil {
			t.Error("no error for line", i)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: others can read what was typed", info.Mode(), err)
	}
	if n, err := openHistory("").Write("x"); n != 1 || err != nil {
		t.Error(n, err)
	}
	// No place for the file: the session goes on with what it remembers.
	h = openHistory(filepath.Join(path, "below", "a", "file"))
	if _, err := h.Write("x"); err == nil || h.Len() != 1 {
		t.Error(h.Len(), err)
	}
}

func TestHistoryFile(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	if got := historyFile(); got != filepath.FromSlash("/state/symmom/history") {
		t.Error(got)
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	t.Setenv("HOME", "/home/somebody")
	if got := historyFile(); !strings.HasPrefix(got, "/home/somebody/") {
		t.Error(got)
	}
	t.Setenv("HOME", "")
	if got := historyFile(); got != "" {
		t.Error(got)
	}
}

// Whatever the numbers are, every size of a matrix can be shown.
func TestMatrix(t *testing.T) {
	for rows := 1; rows < 20; rows++ {
		for cols := 1; cols < 20; cols++ {
			m := mat.NewDense(rows, cols, nil)
			for i := range rows {
				for j := range cols {
					m.Set(i, j, math.Pow(-10, float64((i*7+j*3)%13-9))/3)
				}
			}
			text := matrix(m)
			lines := strings.Split(text, "\n")
			want := 1 + rows
			if rows > 8 {
				want = 1 + 8 + 3
			}
			if strings.Contains(text, "PANIC") || len(lines) != want || !strings.Contains(text, fmt.Sprintf("%.5g", m.At(rows-1, cols-1))) {
				t.Fatalf("%d x %d:\n%s", rows, cols, text)
			}
		}
	}
}
