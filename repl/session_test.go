package repl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/test/sessiontest"
	"symmom/repl/internal/gofront"
)

type testSession struct {
	*Session
	out, err sessiontest.Buffer
}

func newSession(t testing.TB) *testSession {
	t.Helper()
	s := &testSession{}
	var err error
	s.Session, err = New(Config{Stdin: strings.NewReader("first 2\n"), Stdout: &s.out, Stderr: &s.err})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// must evaluates a cell that has no error.
func (s *testSession) must(t testing.TB, source string) string {
	t.Helper()
	r, err := s.Eval(t.Context(), source)
	if err != nil {
		t.Fatalf("%s\n%v", source, err)
	}
	return r.String()
}

// fails evaluates a cell that has an *Error.
func (s *testSession) fails(t testing.TB, source string) *gofront.Error {
	t.Helper()
	r, err := s.Eval(t.Context(), source)
	var e *gofront.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s\nerror %v, result %q, want an *Error", source, err, r)
	}
	return e
}

// dialogue is a list of cells of one session and what they show.
type dialogue [][2]string

func (d dialogue) run(t *testing.T) {
	t.Helper()
	s := newSession(t)
	for _, c := range d {
		if got := s.must(t, c[0]); got != c[1] {
			t.Errorf("%s\nshows %q, want %q", c[0], got, c[1])
		}
	}
}

func TestValues(t *testing.T) {
	dialogue{
		{"1 + 2", "3"},
		{"x := 4", ""},
		{"x", "4"},
		{"x = 5", ""},
		{"x++", ""},
		{"x;", ""},
		{"x // with a comment", "6"},
		{"", ""},
		{"// only a comment", ""},
		{`"a" + "b"`, "ab"},
		{"nil", "<nil>"},
		{"[]int{1, 2}", "[1 2]"},
		{"a, b := 1, 2; a + b", "3"},
		{"1\n2", "2"},
		{"func two() (int, string) { return 7, \"seven\" }\ntwo()", "7\nseven"},
		{"func none() {}\nnone()", ""},
		{"func(x int) int { return 2 * x }(4)", "8"},
		{"two", "func() (int, string)"},
		{"import \"strconv\"\nstrconv.Atoi(\"12\")", "12"},
		{`strconv.Atoi("twelve")`, "0\n" + `error: strconv.Atoi: parsing "twelve": invalid syntax`},
		{"import \"fmt\"\nfmt.Sprint(1)", "1"},
		{"fmt.Println(1)", ""}, // its results are not what one wants to see
		{"mat.NewDense(2, 2, []float64{1, 2.5, -3, 1e-9})", "2 x 2 matrix\n⎡ 1    2.5⎤\n⎣-3  1e-09⎦"},
		{"var d mat.Dense\nd", "0 x 0 matrix"},
		{"var nothing *mat.Dense\nnothing", "<nil>"},
		{"if x > 5 { x = 1 } else { x = 2 }", ""},
		{"x", "1"},
		{"outer:\nfor i := 0; ; i++ {\n\tfor {\n\t\tif i > 3 { break outer }\n\t\tcontinue outer\n\t}\n}", ""},
		{"type P struct{ X, Y int }\nP{1, 2}", "{1 2}"},
		{"func (p P) String() string { return fmt.Sprint(\"P \", p.X, p.Y) }\nP{1, 2}", "P 1 2"},
		{"&P{3, 4}", "P 3 4"},
		{"type E struct{}\nfunc (e *E) Error() string { return \"my error\" }\n&E{}", "error: my error"},
		{"const k = 3\nk * 2", "6"},
		{"var m = map[string]int{\"a\": 1}\nm[\"a\"]++\nm", "map[a:2]"},
	}.run(t)
}

// A nil error is not shown where it is all that a call returns which is made for what it
// does; it is where a person asks for it.
func TestNilErrors(t *testing.T) {
	dialogue{
		{"import (\"os\"; \"context\")\n7", "7"},
		{"os.WriteFile(\"" + filepath.ToSlash(t.TempDir()) + "/file\", nil, 0o600)", ""},
		{"_", "7"}, // still
		{"func save() error { return nil }\n(save())", ""},
		{"func() error { return nil }()", ""},
		{"err := save(); err", "<nil>"},
		{"context.Background().Err()", "<nil>"},
		{"import \"errors\"\nerrors.Unwrap(errors.New(\"a\"))", "<nil>"},
		{"error(nil)", "<nil>"},
		{"func any1() any { return nil }\nany1()", "<nil>"},
		{"func none() *mat.Dense { return nil }\nnone()", "<nil>"},
		{"func bad() error { return errors.New(\"bad\") }\nbad()", "error: bad"},
		{"func two() (error, error) { return nil, nil }\ntwo()", "<nil>"},
	}.run(t)
}

func TestLongMatrixIsCut(t *testing.T) {
	s := newSession(t)
	if got := s.must(t, "mat.NewDense(100, 30, nil)"); !strings.HasPrefix(got, "100 x 30 matrix\n⎡") || strings.Count(got, "\n") > 15 {
		t.Errorf("shown as\n%s", got)
	}
}

func TestFunctionsOfACellKnowEachOther(t *testing.T) {
	dialogue{
		{"func even(n int) bool { if n == 0 { return true }; return odd(n - 1) }\n" +
			"func odd(n int) bool { if n == 0 { return false }; return even(n - 1) }\neven(10)", "true"},
		{"type Tree struct { L, R *Tree; V int }\nfunc (t *Tree) Sum() int { if t == nil { return 0 }; return t.V + t.L.Sum() + t.R.Sum() }\n" +
			"(&Tree{V: 3, L: &Tree{V: 4}}).Sum()", "7"},
	}.run(t)
}

func TestRedeclaring(t *testing.T) {
	dialogue{
		{"x := 1; x", "1"},
		{`x := "text"; x`, "text"},
		{"var x []int; x", "[]"},
		{"x := func() int { return 3 }; x()", "3"},
		{"const c = 1; c", "1"},
		{"const c = 2.5; c", "2.5"},
		{"func f() int { return 1 }; f()", "1"},
		{`func f(s string) string { return s }; f("new")`, "new"},
		{"var f = 3; f", "3"},
		{"func f() string { return \"again\" }; f()", "again"},
		{"type T struct{ A int }\nfunc (t T) Get() int { return t.A }\nold := T{1}\nold.Get()", "1"},
		{"type T struct{ B string }\nT{B: \"b\"}", "{b}"},
		{"func (t T) Get() string { return t.B + \"!\" }\nT{B: \"b\"}.Get()", "b!"},
		{"old.Get()", "1"}, // keeps its type, as an object of an old class does
		{"type T []int\nfunc (t T) Len() int { return len(t) }\nT{1, 2}.Len()", "2"},
		{"type List[E any] struct{ items []E }\nfunc (l *List[E]) Add(e E) { l.items = append(l.items, e) }\nvar l List[int]\nl.Add(3)\nl.items",
			"[3]"},
	}.run(t)
}

func TestImports(t *testing.T) {
	dialogue{
		{`import "strings"`, ""},
		{`import "strings"`, ""},
		{"import (\n\t\"strings\"\n\tstr \"strings\"\n\t_ \"image/png\"\n)\nstr.ToUpper(strings.Repeat(\"ab\", 2))",
			"ABAB"},
		{`import . "math"` + "\nFloor(2.5)", "2"},
		{`import "symmom/widgets"`, ""},
		{`import "gonum.org/v1/gonum/mat"` + "\nmat.Norm(mat.NewDense(1, 1, []float64{-2}), 1)", "2"},
		{`import "time"` + "\ntime.Duration(1500) * time.Millisecond", "1.5s"},
	}.run(t)
	s := newSession(t)
	s.must(t, `import "math/rand"`)
	for source, want := range map[string]string{
		`import "crypto/rand"`:        `import cryptorand "crypto/rand"`,
		`import "os/exec"`:            "--unrestricted",
		`import "syscall"`:            "--unrestricted",
		`import "unsafe"`:             "--unrestricted",
		`import "github.com/no/such"`: "standard library",
		`import "unique"`:             "has most of the standard library",
		`import "widgets"`:            "available without an import",
	} {
		if e := s.fails(t, source); e.Kind != "import" || !strings.Contains(e.Message, want) || e.Column < 8 {
			t.Errorf("%s\n%s, want %q", source, e.Report(), want)
		}
	}
	s.must(t, "sort := 1")
	if e := s.fails(t, `import "sort"`); !strings.Contains(e.Message, "sort is a variable here") {
		t.Error(e.Report())
	}
}

func TestOutputIsCaptured(t *testing.T) {
	s := newSession(t)
	s.must(t, `import ("fmt"; "log")
fmt.Print("one ")
println("two")
func say() { fmt.Printf("%d\n", 3) }
say()
log.SetFlags(0)
log.Print("logged")`)
	if got := s.out.String(); got != "one 3\n" {
		t.Errorf("stdout %q", got)
	}
	if got := s.err.String(); got != "two\nlogged\n" {
		t.Errorf("stderr %q", got)
	}
	if got := s.must(t, "var word string\nvar n int\nfmt.Scan(&word, &n)\nfmt.Sprint(word, n)"); got != "first2" {
		t.Errorf("read %q from stdin", got)
	}
}

// A session without --unrestricted lacks four packages, and changes a copy of the
// environment.
func TestGuardedSession(t *testing.T) {
	t.Setenv("SYMMOM_TEST", "outside")
	s := newSession(t)
	if s.Unrestricted() {
		t.Error("unrestricted by default")
	}
	s.must(t, "import (\"os\"; \"runtime/debug\"; \"testing\")")
	if got := s.must(t, `os.Getenv("SYMMOM_TEST")`); got != "outside" {
		t.Error(got)
	}
	for source, want := range map[string]string{
		`import "os/exec"`:                 "runs programs",
		`import "net/http/cgi"`:            "runs programs",
		`import "syscall"`:                 "--unrestricted",
		`import "unsafe"`:                  "--unrestricted",
		"debug.SetMaxThreads(1)":           "ends the process",
		"debug.SetMaxStack(1)":             "ends the process",
		"testing.Main(nil, nil, nil, nil)": "ends the process",
		"var leave func(func(string, string) (bool, error), []testing.InternalTest, []testing.InternalBenchmark, []testing.InternalExample) = testing.Main": "ends the process",
	} {
		if e := s.fails(t, source); !strings.Contains(e.Message, want) {
			t.Errorf("%s\n%s, want %q", source, e.Report(), want)
		}
	}
	s.must(t, `os.Setenv("SYMMOM_TEST", "inside")`)
	if os.Getenv("SYMMOM_TEST") != "outside" || s.must(t, `os.Getenv("SYMMOM_TEST")`) != "inside" {
		t.Error("the environment of the session is that of the process")
	}
	open, err := New(Config{Stdout: &s.out, Stderr: &s.err, Unrestricted: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := open.Eval(t.Context(), "import (\"os\"; \"os/exec\"; \"syscall\"; \"unsafe\"; _ \"net/http/cgi\")\nvar x int32\nkill := (*os.Process).Kill\n[]any{exec.Command(\"true\").Args[0], syscall.Getpid() > 0, unsafe.Sizeof(x)}")
	if err != nil || r.String() != "[true true 4]" {
		t.Errorf("unrestricted: %v, %v", r, err)
	}
}

func TestExit(t *testing.T) {
	s := newSession(t)
	_, err := s.Eval(context.Background(), "import \"os\"\nos.Exit(3)\nx := 1")
	var e *ExitError
	if !errors.As(err, &e) || e.Code != 3 || e.Error() != "os.Exit(3)" {
		t.Errorf("%v, want exit 3", err)
	}
	inner := errors.New("inner")
	if e := (&ExitError{1, inner}); e.Error() != "inner" || !errors.Is(e, inner) {
		t.Errorf("%v does not wrap its error", e)
	}
	if e := s.fails(t, "x"); !strings.Contains(e.Message, "undefined: x") {
		t.Errorf("went on after os.Exit: %v", e)
	}
	s.must(t, "import \"runtime\"")
	if e := s.fails(t, "runtime.Goexit()"); !strings.Contains(e.Message, "Goexit") {
		t.Error(e)
	}
}

func TestMainIsCalledOnlyInAFile(t *testing.T) {
	s := newSession(t)
	s.must(t, "import \"fmt\"\nfunc main() { fmt.Println(\"main\") }")
	s.must(t, "1")
	if s.out.String() != "" {
		t.Errorf("main ran: %q", s.out.String())
	}
	s.must(t, "main()")
	s.must(t, "package main\nfunc main() { helper() }\nfunc helper() { fmt.Println(\"file\") }")
	if s.out.String() != "main\nfile\n" {
		t.Errorf("%q", s.out.String())
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(Config{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The overhead of a cell.
func BenchmarkEval(b *testing.B) {
	s := newSession(b)
	for b.Loop() {
		s.must(b, "1 + 2")
	}
}

// fmt and math are in every session, and importing them again is fine; a
// name that another of these packages has is proposed.
func TestPreloaded(t *testing.T) {
	s := newSession(t)
	dialogue{
		{"fmt.Sprintf(\"%.3f\", math.Sqrt(2))", "1.414"},
		{"func hyp(a, b float64) string { return fmt.Sprint(math.Hypot(a, b)) }\nhyp(3, 4)", "5"},
		{"import \"fmt\"\nimport \"math\"\nfmt.Sprint(math.MaxInt8)", "127"},
		{"import m \"math\"\nm.Abs(-2) + math.Abs(-1)", "3"},
		{"%reset", "everything that was declared is forgotten"},
		{"fmt.Sprint(math.Floor(2.5))", "2"},
	}.run(t)
	if _, err := s.Eval(t.Context(), "fmt.Sqrt(2)"); err == nil || err.Error() != "1:5: undefined: fmt.Sqrt (there is math.Sqrt)" {
		t.Errorf("fmt.Sqrt: %v", err)
	}
	for _, before := range []string{"fmt.Sprin", "math.Sqr"} {
		if len(s.Complete(before, len(before)).Items) == 0 {
			t.Errorf("%s is not completed", before)
		}
	}
}

// A goroutine outlives its cell, also when the host then cancels the context
// that it gave to the cell, as hosts do.
func TestGoroutineOutlivesItsCell(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Eval(ctx, `import "time"
go func() { time.Sleep(100 * time.Millisecond); print("late") }()
time.Sleep(20 * time.Millisecond)`)
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	sessiontest.Awaits(t, "late is not printed", func() bool { return s.out.String()+s.err.String() == "late" })
}
