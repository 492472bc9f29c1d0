package repl

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

const compiledCell = `%%compile
import "fmt"

type vec = []float64

var calls int

// Sum adds numbers.
func Sum(x vec) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func (c counter) next() counter { return c + 1 }

type counter int

func helper(c counter) int { return int(c.next()) }

func generic[T any](x T) T { return x }

func Calls() int { calls++; return helper(counter(calls - 1)) }
func Say(words ...string) { fmt.Println(words) }
func At(x []int, i int) (int, error) { return generic(x[i]), nil }`

func TestCompile(t *testing.T) {
	slow.Test(t)
	t.Setenv("TMPDIR", t.TempDir())
	s := newSession(t)
	defer s.Close()
	for _, c := range [][2]string{
		{compiledCell, "compiled: Sum, Calls, Say, At"},
		{"Sum([]float64{1, 2, 3.5})", "6.5"},
		{"func twice(x []float64) float64 { return 2 * Sum(x) }", ""},
		{"twice([]float64{1})", "2"},
		{"Calls() + Calls()", "3"},
		{"Sum?", "func Sum(x vec) (s float64)\n\nSum adds numbers."},
		{"%%capture\nSay(`captured`)", ""},
		{"Say(`a`, `b`)", ""},
		{"v, err := At([]int{4, 5}, 1)\nv", "5"},
		{"func() (err any) { defer func() { err = recover() }(); At(nil, 0); return }()", "error: runtime error: index out of range [0] with length 0, in cell 1, line 26"},
		{"%%compile\nfunc Sum(x []float64) float64 { return -1 }", "compiled: Sum"},
		{"twice([]float64{1})", "-2"},
		{"Calls()", "3"},
		{"%%compile\nfunc Calls() int { return 0 }\nfunc Say() {}\nfunc At() {}", "compiled: Calls, Say, At"},
		{"func Sum(x int) int { return x }", ""},
		{"Sum(4)", "4"},
	} {
		if got := s.must(t, c[0]); got != c[1] {
			t.Errorf("%s\nshows %q, want %q", c[0], got, c[1])
		}
	}
	if e := s.fails(t, "At(1)"); !strings.HasPrefix(e.Error(), "1:4: too many arguments in call to At") {
		t.Error(e)
	}
	if out := s.out.String(); out != "[a b]\n" {
		t.Errorf("printed %q", out)
	}
	t.Chdir(t.TempDir())
	s.must(t, "%save all.go")
	s.must(t, "%reset")
	s.must(t, "%load all.go")
	if got := s.must(t, "Calls()"); got != "0" {
		t.Errorf("saved and loaded: %s", got)
	}
}

func TestCompileRefuses(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	defer s.Close()
	s.must(t, "secret := 3")
	for source, want := range map[string]string{
		"func F() int {\n\treturn secret\n}": "compile 3:9: undefined: secret",
		"func F() {":                         "syntax 2:11: something is missing at the end",
		"func F() {}\nx := 3":                "compile 3:1: a compiled cell has imports and declarations only; statements go into a function or another cell",
		"func main() {}":                     "compile 2:1: function main is never called; give it another name",
		"import \"os/exec\"\nfunc F() { exec.Command(``) }":               "import 2:8: package os/exec runs programs: it is left out by default",
		"import \"C\"\nfunc F() {}":                                       "import 2:8: a compiled cell cannot use C",
		"import \"github.com/x/y\"\nfunc F() { y.Z() }":                   "compile 2:8: a compiled cell can import the standard library only, and package github.com/x/y is not in it",
		"func F(m map[int]int) {}\nfunc g(f func(), e []error, x any) {}": "command %%compile: no function of the cell can be called from others: want parameters",
		"var x = 3":                             "command %%compile: no function of the cell can be called from others",
		"func F(m floot) {}":                    "compile 2:10: undefined: floot",
		"func F() {}\nfunc init() { panic(4) }": "command %%compile: the compiled program has ended (exit status 2) before",
	} {
		if e := s.fails(t, "%%compile\n"+source); !strings.HasPrefix(e.Kind+" "+e.Error(), want) {
			t.Errorf("%s\n%s %v, want %s", source, e.Kind, e, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if e := s.fails(t, "%%compile\nfunc F() {}"); !strings.HasPrefix(e.Error(), "%%compile: there is no go command in the PATH; compiling needs Go 1.26 or later: https://go.dev/dl") {
		t.Error(e)
	}
}

func TestCompileEnds(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := newSession(t)
	s.must(t, "%%compile\nimport \"os\"\nvar n int\nfunc Next() int { n++; return n }\nfunc Forever() { for { n++ } }\nfunc Exit() { os.Exit(3) }")
	interrupted := func(source string) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		if _, err := s.Eval(ctx, source); !errors.Is(err, ErrInterrupted) {
			t.Errorf("%s: %v", source, err)
		}
		if got := s.must(t, "Next()"); got != "1" {
			t.Errorf("%s: then %s", source, got)
		}
	}
	interrupted("Forever()")
	interrupted("for { Next() }")
	interrupted("go Forever()\ngo Next()\nselect {}")
	if e := s.fails(t, "Exit()"); e.Kind != "panic" || !strings.Contains(e.Error(), "the compiled program has ended (exit status 3) in a call of Exit; the next call starts it again") {
		t.Error(e)
	}
	if got := s.must(t, "done := make(chan int)\nfor range 20 { go func() { done <- Next() }() }\nsum := 0\nfor range 20 { sum += <-done }\nsum"); got != "210" {
		t.Errorf("side by side: %s", got)
	}
	s.must(t, "%%compile\nfunc Other() int { return 5 }")
	s.mu.Lock()
	next, other := s.programs["Next"], s.programs["Other"]
	s.mu.Unlock()
	s.must(t, "%%compile\nfunc Other() int { return 6 }")
	if other.Running() || !next.Running() {
		t.Error("a program that was replaced runs, or one that was not does not")
	}
	s.Close()
	if left, _ := filepath.Glob(dir + "/*"); next.Running() || len(left) > 0 {
		t.Errorf("%v are left after the end", left)
	}
}
