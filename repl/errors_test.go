package repl

import (
	"errors"
	"fmt"
	"go/parser"
	"io"
	"log"
	"os"
	"strings"
	"testing"

	"symmom/internal/test/sessiontest"
	"symmom/repl/internal/syntax"
	"symmom/repl/internal/yaegi"
)

// Each cell has an error at line:column with this in its message.
func TestErrors(t *testing.T) {
	s := newSession(t)
	s.must(t, "import (\"fmt\"; \"slices\"; \"errors\")\nvar i int\nfunc none() {}\nfunc two() (int, error) { return 1, nil }\ntype T struct{ a int }")
	s.must(t, "func (t T) Get() int { return t.a }")
	for _, c := range []struct {
		source, kind string
		line, column int
		message      string
	}{
		{"undefinedName", "compile", 1, 1, "undefined: undefinedName"},
		{"\n\n  i + other", "compile", 3, 7, "undefined: other"},
		{"q := 3 +\n\tmissing", "compile", 2, 2, "undefined: missing"},
		{"var v = 1 + missing2", "compile", 1, 13, "undefined: missing2"},
		{"missing", "compile", 1, 1, "undefined: missing"},
		{`i + "text"`, "compile", 1, 1, "mismatched types int and untyped string"},
		{"fmt.Foo", "compile", 1, 5, "undefined: fmt.Foo"},
		{"strconv.Itoa(3)", "compile", 1, 1, `write: import "strconv"`},
		{"rand.Int()", "compile", 1, 1, `"crypto/rand", "math/rand" or "math/rand/v2"`},
		{"fmt", "compile", 1, 1, "fmt is a package"},
		{"T", "compile", 1, 1, "T is a type"},
		{"T{1}.b", "compile", 1, 6, "type T has no field or method b"},
		{"func (t T) Get() string { return \"\" }", "compile", 1, 12, "run the declaration of type T again"},
		{"x := none()", "compile", 1, 6, "none() (no value) used as value"},
		{"x := two()", "compile", 1, 6, "write x, err :="},
		{"var x = two()", "compile", 1, 9, "write x, err :="},
		{"a, b, c := two()", "compile", 1, 12, "3 variables but two returns 2 values"},
		{"count := fmt.Sscan(\"truth.npy\")", "compile", 1, 10, "write x, err :="},
		{"mat := 3", "compile", 1, 1, "mat is the package"},
		{"func widgets() {}", "compile", 1, 6, "widgets is the package"},
		{"var math int", "compile", 1, 5, "math is the package"},
		{"type fmt int", "compile", 1, 6, "fmt is the package"},
		{"defer none()", "compile", 1, 1, "defer outside of a function; func() { ... }() is one"},
		{"i, i", "syntax", 1, 1, "expected 1 expression; fmt.Println(a, b) shows several"},
		{"if true {\n\treturn\n}", "compile", 2, 2, "return outside of a function"},
		{"for i := range 1.5 { _ = i }", "compile", 1, 16, "cannot range over 1.5"},
		{"min(1, `a`)", "compile", 1, 8, "mismatched types"},
		{"__repl.Foo()", "compile", 1, 1, "undefined: __repl (this name belongs"},
		{"missing;", "compile", 1, 1, "undefined: missing"},
		{"missing\n1", "compile", 1, 1, "undefined: missing"},
		{"for i := 0; i < 3; i++ { missing3() }", "compile", 1, 26, "undefined: missing3"},
		{"for i := 0; i < 3; i+ { }", "syntax", 1, 23, "expected operand"},
		{"1 = 2", "compile", 1, 1, "cannot assign to 1"},
		{"if x > {", "syntax", 1, 8, "expected operand"},
		{"i := )", "syntax", 1, 6, "nothing is open"},
		{"f(1\n", "syntax", 1, 4, "before newline in argument list"},
		{`"open`, "syntax", 1, 1, "string literal not terminated"},
		{"1 + 2 /* open", "syntax", 1, 7, "comment not terminated"},
		{"1 + 2\n/* open", "syntax", 2, 8, "missing at the end"},
		{"f(", "syntax", 1, 3, "missing at the end"},
		{"i + 1\ni +\n\n", "syntax", 2, 4, "missing at the end"},
		{"if i > 3", "syntax", 1, 9, "missing at the end"},
		{"func f( {", "syntax", 1, 9, "expected"},
		{"func (t T) f( { }", "syntax", 1, 15, "expected"},
		{"package other", "syntax", 1, 1, "a session is package main"},
		{"1\npackage main", "syntax", 2, 1, "must come first"},
		{"import 3", "syntax", 1, 8, "import path must be a string"},
		{"[]int{1}[i+3]", "panic", 1, 1, "panic: runtime error: index out of range"},
		{"i = 2\npanic(fmt.Sprint(\"boo \", i))", "panic", 2, 1, "panic: boo 2"},
		{"i = 0\n1 / i", "panic", 2, 1, "integer divide by zero"},
		{"mat.NewDense(2, 2, nil).At(5, 5)", "panic", 1, 1, "row index out of range"},
	} {
		e := s.fails(t, c.source)
		if e.Kind != c.kind || e.Line != c.line || e.Column != c.column || !strings.Contains(e.Message, c.message) {
			t.Errorf("%s\n%s %s\nwant %s %d:%d %s", c.source, e.Kind, e.Report(), c.kind, c.line, c.column, c.message)
		}
	}
	if got := s.must(t, "T{3}.Get() + i"); got != "3" {
		t.Errorf("after all that: %s", got)
	}
}

func TestReportPointsAtThePlace(t *testing.T) {
	s := newSession(t)
	e := s.fails(t, "x := 1\n\tx + yé\n")
	if want := "2:6: undefined: yé\n    \tx + yé\n    \t    ^"; e.Report() != want {
		t.Errorf("%q, want %q", e.Report(), want)
	}
	if e.Error() != "2:6: undefined: yé" || e.Cell != 1 || e.Source != "\tx + yé" {
		t.Errorf("%+v", e)
	}
}

func TestPanicTellsWhere(t *testing.T) {
	s := newSession(t)
	s.must(t, "func f(i int) int {\n\treturn []int{1}[i]\n}")
	s.must(t, "func g() int { return f(7) }")
	e := s.fails(t, "g()")
	if got := strings.Join(e.Trace, "; "); got != "main.f, which begins at cell 1, line 2\n        return []int{1}[i]; main.g, which begins at cell 2, line 1\n        func g() int { return f(7) }" {
		t.Errorf("trace %q", got)
	}
	s.must(t, "import \"io\"")
	if e := s.fails(t, "panic(io.EOF)"); !errors.Is(e, io.EOF) {
		t.Errorf("%v does not wrap the value of the panic", e)
	}
	if got := s.must(t, "func safe() (v any) { defer func() { v = recover() }(); panic(\"caught\") }\nsafe()"); got != "caught" {
		t.Errorf("recovered %q", got)
	}
	if e := s.fails(t, "func deep(n int) { if n == 0 { panic(\"bottom\") }; deep(n-1) }\ndeep(100)"); len(e.Trace) != yaegi.MaxTrace+1 || !strings.HasSuffix(e.Trace[yaegi.MaxTrace], " frames more") {
		t.Errorf("%d frames", len(e.Trace))
	}
	if s.err.String() != "" {
		t.Errorf("stderr %q", s.err.String())
	}
}

// The interpreter knows a function that did not compile; it must not be called.
func TestBrokenDeclarations(t *testing.T) {
	s := newSession(t)
	s.fails(t, "func bad() int { return nothing }")
	if e := s.fails(t, "bad()"); !strings.Contains(e.Message, "undefined: bad") {
		t.Error(e)
	}
	if e := s.fails(t, "func uses() int { return bad() }"); !strings.Contains(e.Message, "undefined: bad") || e.Column != 26 {
		t.Error(e.Report())
	}
	if got := s.must(t, "func bad() int { return 4 }\nbad()"); got != "4" {
		t.Error(got)
	}
	s.fails(t, "type S struct{ a int }\nfunc (s S) Len() int { return nothing }")
	if e := s.fails(t, "S{}"); !strings.Contains(e.Message, "undefined: S") {
		t.Error(e)
	}
	if got := s.must(t, "type S struct{ a int }\nfunc (s S) Len() int { return s.a }\nS{3}.Len()"); got != "3" {
		t.Error(got)
	}
	// A valid type remains when its next declaration is invalid.
	s.fails(t, "type S struct{ b wrong }")
	if got := s.must(t, "S{4}.Len()"); got != "4" {
		t.Error(got)
	}
	s.fails(t, "later := nothing2 + 1")
	if got := s.must(t, "nothing2 := 1\nlater := nothing2 + 1\nlater"); got != "2" {
		t.Error(got)
	}
}

func TestGoroutinePanicsAreReported(t *testing.T) {
	s := newSession(t)
	s.must(t, `import ("sync"; "time"; "os")
var wg sync.WaitGroup
func named(a float64, rest ...string) { defer wg.Done(); panic(rest[0]) }
type T struct{ s string }
func (t T) method() { defer wg.Done(); panic(t.s) }
wg.Add(5)`)
	// A function waits for all goroutines it starts: yaegi itself has a race when
	// the next statement begins while a goroutine calls back from compiled code.
	s.must(t, `func start() {
	go func(n int) {
		defer wg.Done()
		panic(n)
	}(7)
	go named(1, "a named function")
	go T{"a method"}.method()
	go named(2, []string{"spread"}...)
	go close(make(chan int))
	var closed chan int
	go func() { defer wg.Done(); close(closed) }()
	wg.Wait()
	time.Sleep(50 * time.Millisecond)
}
start()`)
	s.must(t, "go func() { time.Sleep(50 * time.Millisecond); os.Exit(1) }()")
	for _, want := range []string{
		"at cell 2, line 2: 7\n", "line 6: a named function\n", "line 7: a method\n", "line 8: spread\n", "line 11: close of nil channel", "cell 3, line 1: os.Exit(1): no cell runs that it could end",
	} {
		sessiontest.Awaits(t, "not reported: "+want, func() bool { return strings.Contains(s.err.String(), want) })
	}
	for source, want := range map[string]string{
		`go named("no number")`: `cannot use "no number" (untyped string constant) as float64`,
		"go named()":            "not enough arguments in call to named",
		"wg := 3\ngo wg()":      "cannot call wg",
	} {
		if e := s.fails(t, source); !strings.Contains(e.Message, want) {
			t.Errorf("%s\n%s", source, e.Report())
		}
	}
}

// A goroutine may panic at any time, also while the next cell is compiled; for the
// race detector.
func TestGoroutinesPanicWhileCompiling(t *testing.T) {
	const cells = 40
	s := newSession(t)
	for range cells {
		s.must(t, "for range 5 { go func() { func() { panic(\"so\") }() }() }")
	}
	sessiontest.Awaits(t, "not all panics are reported", func() bool { return strings.Count(s.err.String(), ": so\n") == 5*cells })
}

// Log messages during the compilation of a cell are not lost, except what the interpreter
// logs about code that it cannot handle.
func TestLogWhileCompiling(t *testing.T) {
	var out sessiontest.Buffer
	log.SetOutput(&out)
	defer log.SetOutput(os.Stderr)
	const cells, lines = 40, 20_000
	s := newSession(t)
	s.must(t, fmt.Sprintf("import \"log\"\ngo func() { for range %d { log.Default().Print(\"line\") } }()", lines))
	for i := range cells {
		s.must(t, fmt.Sprintf("func f%d(x []int) int { return len(x) + %d }", i, i))
	}
	sessiontest.Awaits(t, "lines are lost", func() bool { return strings.Count(out.String(), " line\n") == lines })
	if err := s.importInner("clock", "time"); err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(s.interp.FileSet(), "0/"+syntax.BaseName, "package main\n\nfunc x() { _ = clock.Duration{} }", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.compileNode(f); err == nil || !strings.Contains(err.Error(), "composite") {
		t.Errorf("clock.Duration{}: %v", err)
	}
	if rest := strings.ReplaceAll(out.String(), " line\n", ""); strings.Contains(rest, "nil") || strings.Contains(rest, "composite") {
		t.Errorf("logged %q", rest)
	}
}

func TestGoroutinesShareTheSession(t *testing.T) {
	dialogue{
		{"var ch = make(chan int)\nfunc squares() int { for i := 0; i < 3; i++ { go func(n int) { ch <- n * n }(i) }; return <-ch + <-ch + <-ch }\nsquares()",
			"5"},
		{"func send(n int, c chan<- int) { c <- n }\nfunc sum() int { for i := 0; i < 3; i++ { go send(i, ch) }; return <-ch + <-ch + <-ch }\nsum()",
			"3"},
		{"var done bool\nfunc set() bool { go func() { done = true; ch <- 0 }(); <-ch; return done }\nset()", "true"},
		{"func choose(n int) string { switch n { case 1: go send(n, ch); return \"case\" }; select { default: go send(n, ch) }; return \"select\" }\n" +
			"func both() string { return choose(1) + choose(2) + map[bool]string{true: \" 3\"}[<-ch+<-ch == 3] }\nboth()", "caseselect 3"},
	}.run(t)
}

// A method comes too late for a generic type that was used above it.
func TestLateGenericMethod(t *testing.T) {
	const declared = "type S[T any] struct{ v []T }\n"
	const method = "func (s S[T]) Len() int { return len(s.v) }\n"
	for name, cells := range map[string][]string{
		"cell":     {declared + "s := S[int]{}\n" + method + "s.Len()"},
		"function": {declared + "func use() int { return len(S[int]{}.v) }\nuse()\n" + method + "S[int]{}.Len()"},
		"cells":    {declared + "s := S[int]{}", method},
	} {
		s := newSession(t)
		for _, source := range cells[:len(cells)-1] {
			s.must(t, source)
		}
		if e := s.fails(t, cells[len(cells)-1]); !strings.Contains(e.Error(), "S is a generic type that was used without this method") {
			t.Errorf("%s: %v", name, e)
		}
		if got := s.must(t, declared+method+"S[int]{[]int{1, 2}}.Len()"); got != "2" {
			t.Errorf("%s, then as the message says: %s", name, got)
		}
	}
	s := newSession(t)
	dialogue{
		{declared + "func New[T any](v ...T) S[T] { return S[T]{v} }\n" + method + "New(1, 2, 3).Len()", "3"},
	}.run(t)
	s.must(t, declared+"func New[T any](v ...T) S[T] { return S[T]{v} }")
	if r, err := s.Eval(t.Context(), method+"New(1, 2).Len()"); err != nil || r.String() != "2" {
		t.Errorf("%v, %v", r, err)
	}
}
