package repl

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/slow"
)

func TestCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newSession(t)
	for _, c := range [][2]string{
		{"%data", "no data is loaded"},
		{"%who", "nothing has been declared"},
		{"%history", "nothing was evaluated"},
		{"x := 21\nfunc twice(n int) int { return 2 * n }\ntype point struct{ X int }", ""},
		{"%time twice(x)", "^42$"},
		{"%%time\ny := twice(x)\ny + 1", "^43$"},
		{"m := mat.NewDense(2, 2, nil);", ""},
		{"%data", `m +matrix +2 x 2`},
		{"%who", `(?s)m +variable +\*mat.Dense.*x +variable +int +21`},
		{"%who tw", `(?s)twice +function +func\(n int\) int`},
		{"%who zz", "begins with zz"},
		{"%help", `(?s)%time STATEMENT +runs Go.*%save.*\?NAME`},
		{"%help time", "processor time"},
		{"?", "%time STATEMENT"},
		{"%time?", "processor time"},
		{"?twice", `^func twice\(n int\) int`},
		{"twice??", `(?s)return 2 \* n`},
		{"display?", `(?s)^import "display".*Functions: Clear, Compiled, HTML, JSON, LaTeX, Markdown, Out, Output, PNG,\s+SVG, Show\s+Types: Captured, Handle, Rich`},
		{"display.Show?", `^func Show\(values \.\.\.any\) \*Handle (?s).*handle replaces`},
		{"m.Kronecker?", `^func \(m \*Dense\) Kronecker`},
		{"?strings", `(?s)import "strings".*Package strings`},
		{"?gonum.org/v1/gonum/stat", `Package stat`},
		{"1 +\n%who", ""}, // goes on
		{"z := 17\n%who z\nz % 5", "^2$"},
		{"z := `a\n%who\nb`\nlen(z)", "^8$"},
		{"%time z = `q`", ""},
		{"%history 1", "z = `q`"},
		{"%history twice", `(?s)twice\(x\).*twice\(x\)`},
		{"%env SYMMOM_TEST_VARIABLE=some value", ""},
		{"%env SYMMOM_TEST_VARIABLE", "^some value$"},
		{"import \"os\"; os.Getenv(\"SYMMOM_TEST_VARIABLE\")", "^some value$"},
		{"%env MY_TOKEN=abc", ""},
		{"%env MY_STORE=DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==;EndpointSuffix=core.windows.net", ""},
		{"%env MY_TABLE=postgres://u:abc@db/x", ""},
		{"%env MY_TABLE_2=u:abc@tcp(db:3306)/x", ""},
		{"%env MY_SITE=https://example.org/a@b", ""},
		{"%env", `(?s)MY_SITE +https://example.org/a@b.*MY_STORE +\(not shown\).*MY_TABLE +\(not shown\).*MY_TABLE_2 +\(not shown\).*MY_TOKEN +\(not shown\).*PATH +/`},
		{"%save all.go", "cells written to all.go"},
		{"%save -f all.go", "written"},
		{"%reset", "forgotten"},
		{"%who", "nothing has been declared"},
		{"%load all.go", ""},
		{"twice(x)", "^42$"},
	} {
		r, err := s.Eval(t.Context(), c[0])
		if c[0] == "1 +\n%who" {
			if err == nil {
				t.Errorf("%s: no error", c[0])
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := r.String(); c[1] == "" && got != "" || !regexp.MustCompile("(?m)"+c[1]).MatchString(got) {
			t.Errorf("%s: %s\nwant %s", c[0], got, c[1])
		}
	}
	if out := s.out.String(); !regexp.MustCompile(`(?m)^time: [\d.]+.?s`).MatchString(out) {
		t.Errorf("output %s", out)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	if got := s.must(t, "%cd ~"); got != home {
		t.Errorf("%%cd ~: %s", got)
	}
	if dir, err := os.Getwd(); err != nil || dir != home {
		t.Errorf("%s, %v", dir, err)
	}
}

func TestCommandErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newSession(t)
	for _, c := range [][2]string{
		{"%tim x", "%tim: no such command; did you mean %time?"},
		{"%histroy", "%histroy: no such command; did you mean %history?"},
		{"%nonsense", "%nonsense: no such command; %help lists them"},
		{"%", "a command follows the percent sign; %help lists them"},
		{"%time", "%time: expected Go to run"},
		{"%%who", "%%who: it takes no whole cell; write %who"},
		{"%compile", "%compile: write %%compile, with functions in the lines below"},
		{"%%compile", "%%compile: expected nothing behind it, and functions in the lines below"},
		{"%%compile fast\nfunc F() {}", "%%compile: expected nothing behind it"},
		{"%bash", "%bash: write %%bash, with the commands in the lines below, or !COMMAND"},
		{"%%bash\necho x",
			"%%bash: the shell can do anything to this machine, so sessions have it only with --unrestricted"},
		{"!echo x",
			"!echo x: the shell can do anything to this machine, so sessions have it only with --unrestricted"},
		{"%timeit", "%timeit: expected Go to run"},
		{"%timeit x :=", "%timeit: expected statements"},
		{"%run none.go", "%run: none.go: file does not exist; check the path"},
		{"%help nothing", "%help: there is no command nothing"},
		{"%load", "%load: expected a file of Go: %load FILE.go"},
		{"%load none.go", "%load: none.go: file does not exist; check the path"},
		{"%save", "%save: expected a file to write: %save FILE.go"},
		{"%save all.go", "%save: no cell has run without an error yet"},
		{"%history 0", "%history: expected a number of cells above 0"},
		{"%cd none", "%cd: none: file does not exist; check the path"},
		{"%env SYMMOM_NOT_SET", "%env: SYMMOM_NOT_SET is not set; %env SYMMOM_NOT_SET=VALUE sets it"},
		{"%reset all", "%reset: takes no arguments"},
		{"%data x", "%data: takes no arguments"},
		{"?nothing", "nothing is unknown"},
		{"%nothing?", "%nothing: no such command"},
		{"x := 1\n\n%tim x\ny := 2", "3: %tim: no such command; did you mean %time?"},
	} {
		source, want := c[0], c[1]
		if e := newSession(t).fails(t, source); !strings.HasPrefix(e.Error(), want) || e.Kind != "command" {
			t.Errorf("%s: %q (%s), want %q", source, e.Error(), e.Kind, want)
		}
	}
	// Errors in Go have their own position.
	if e := s.fails(t, "%who\nx := nothing"); e.Line != 2 || e.Source != "x := nothing" {
		t.Errorf("%+v", e)
	}
	s.must(t, "x := 1")
	s.must(t, "x = 3")
	if err := os.WriteFile("bad.go", []byte("a := 1\nb := nothing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if e := s.fails(t, "%load bad.go"); !strings.HasPrefix(e.Error(), "bad.go:2:6: undefined: nothing") {
		t.Errorf("%v", e)
	}
	s.must(t, "%save x.go")
	if e := s.fails(t, "%save x.go"); !strings.Contains(e.Error(), "x.go exists; %save -f x.go replaces it") {
		t.Errorf("%v", e)
	}
	data, err := os.ReadFile("x.go")
	if err != nil || string(data) != "x := 1\n\nx = 3\n" {
		t.Errorf("saved %q, %v", data, err)
	}
}

func TestShell(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &testSession{}
	var err error
	if s.Session, err = New(Config{Unrestricted: true, Stdin: strings.NewReader(""), Stdout: &s.out, Stderr: &s.err}); err != nil {
		t.Fatal(err)
	}
	s.must(t, "!echo one; echo two >&2")
	s.must(t, "x := 1\n!echo $((x + 3)) > file")
	s.must(t, "%%bash\nfor i in 1 2; do\n  echo -n $i\ndone\ncat file")
	if out, errs := s.out.String(), s.err.String(); out != "one\n123\n" || errs != "two\n" {
		t.Errorf("stdout %q, stderr %q", out, errs)
	}
	if e := s.fails(t, "!exit 3"); e.Error() != "!exit 3: exit status 3" {
		t.Error(e)
	}
	s.must(t, "ok, x := true, 1; func f(bool) bool { return false }; type T struct { ok [1]bool }; func (T) is(int) bool { return false }; var s T; s.ok[0] = true; p := &ok")
	for source, want := range map[string]string{
		"ok := true\n!ok": "false", "!ok || x == 1 // so": "true", "!(ok && ok)": "false", "!f(ok)": "true", "!!ok": "true",
		"!len(fmt.Sprint()) ": "", "!fmt.Appendf": "", "import \"strings\"\n!strings.Contains(`a`, `b`)": "true",
		"!s.ok[0]": "false", "!true": "false", "!*p": "false", "!(*p && x == 1)": "false", "!func() bool { return ok }()": "false",
		"!func(y int) bool {\n\treturn y == x\n}(2)": "true", "!(ok &&\n!ok)": "true", "!s.is(x)": "true", "!bool(ok) == !true": "true", "![]bool{ok}[0]": "false",
	} {
		if r, err := s.Eval(t.Context(), source); want != "" && r.String() != want || want == "" && (err == nil || err.(*Error).Kind != "compile") {
			t.Errorf("%s: %v, %v, want %q", source, r, err, want)
		}
	}
	// A word of the shell remains one, if its arguments are no operands.
	before := len(s.out.String())
	s.must(t, "echo, u := 3, 2\n!echo -n $((1 + 1)); ok=5\n!echo $((ok))\n!true && echo a | cat\n!echo -u\n!(echo b)")
	if got := s.out.String()[before:]; got != "20\na\n-u\nb\n" {
		t.Errorf("%q", got)
	}
}

// An interrupt ends what the shell has started, too; what ignores it is waited for no longer than
// shellWait.
func TestShellInterrupted(t *testing.T) {
	slow.Test(t)
	s := &testSession{}
	var err error
	if s.Session, err = New(Config{Unrestricted: true, Stdin: strings.NewReader(""), Stdout: &s.out, Stderr: &s.err}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := s.Eval(ctx, "%%bash\nsleep 1000 &\nsleep 1000"); !errors.Is(err, ErrInterrupted) {
		t.Errorf("%v, want an interrupt", err)
	}
}

func TestOutputsAreThereAgain(t *testing.T) {
	s := newSession(t)
	for _, c := range [][2]string{
		{"[]float64{1, 2, 3}", "[1 2 3]"},
		{"_[1] + 1", "3"},
		{"Out[1][2] * 10", "30"},
		{"_ + Out[2]", "33"},
		{"type planet struct{ Name string }\nplanet{\"Mars\"}", "{Mars}"},
		{"_.Name", "Mars"},
		{"func (p planet) String() string { return \"P\" + p.Name }\n[]planet{{\"Earth\"}}[0]", "PEarth"},
		{"func() string { return _.String() }()", "PEarth"},
		{"f := func(_ int, _ string) int { return 7 }\nf(1, \"\")", "7"},
		{"for _, v := range []int{1} { _ = v }\nvar _ = 3\n_, n := 1, 2\nn", "2"},
		{"import \"strings\"\nstrings.NewReader(\"abc\")", ""},
		{"_.Len()", "3"},
		{"func(Out []int) int { return Out[1] }([]int{4, 8})", "8"},
		{"Out := []int{5}\nOut[0]", "5"},
	} {
		r, err := s.EvalCell(t.Context(), len(s.journal.all())+1, c[0])
		if got := r.String(); err != nil || got != c[1] && c[1] != "" {
			t.Errorf("%s\n%q, %v, want %q", c[0], got, err, c[1])
		}
	}
	if e := newSession(t).fails(t, "_ + 1"); !strings.Contains(e.Error(), "cannot use _ as value") {
		t.Error(e)
	}
	u := newSession(t)
	u.must(t, "1")
	if e := u.fails(t, "2 + Out[99]"); e.Column != 5 || !strings.Contains(e.Error(), "cell 99 has left no value") {
		t.Error(e)
	}
}

func TestTimeitAndRun(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newSession(t)
	s.turnTime = 2 * time.Millisecond
	s.must(t, "n := 0")
	for _, source := range []string{"%timeit math.Sqrt(2)", "%timeit y := 3; y++", "%timeit time.Sleep(0)", "%%timeit\nfor i := range 3 {\n\tn += i\n}"} {
		s.must(t, "import \"time\"")
		if got := s.must(t, source); !regexp.MustCompile(`^[\d.e+]+ (ns|µs|ms|s) a run at best, .* turns of [\d,]+ runs?$`).MatchString(got) {
			t.Errorf("%s: %q", source, got)
		}
	}
	if got := s.must(t, "n > 0"); got != "true" {
		t.Error("timeit ran nothing")
	}
	if e := s.fails(t, "%timeit nothing()"); !strings.Contains(e.Error(), "undefined: nothing") {
		t.Error(e)
	}
	if err := os.WriteFile("args.go", []byte("import \"os\"\nfmt.Println(os.Args[1:])\nn := \"its own\"\nos.Exit(len(n))\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if e := s.fails(t, "%run args.go a b"); e.Error() != "%run: args.go ended with os.Exit(7)" || s.out.String() != "[a b]\n" {
		t.Errorf("%v, %q", e, s.out.String())
	}
	if got := s.must(t, "n + 1 > 1"); got != "true" {
		t.Errorf("the file's n is here: %s", got)
	}
}

// TestSeveralCommands: each command of a cell answers, and so does the Go between.
func TestSeveralCommands(t *testing.T) {
	s := newSession(t)
	s.turnTime = 2 * time.Millisecond
	var shown []string
	s.config.Display = func(d Display) { shown = append(shown, d.Result.String()) }
	got := s.must(t, "seen := 3\n%who\n1 + 1\n%time seen + 1\n%timeit math.Sqrt(2)\n?math.Cbrt\n%cd")
	here, err := os.Getwd()
	if err != nil || got != here {
		t.Errorf("%q at the end, want %q", got, here)
	}
	if len(shown) != 5 || !strings.Contains(shown[0], "seen") || shown[1] != "2" || shown[2] != "4" || !strings.Contains(shown[3], "a run at best") || !strings.Contains(shown[4], "cube root") {
		t.Errorf("%q", shown)
	}
	shown = nil
	if e := s.fails(t, "%cd\n%who none\nundefined"); e.Line != 3 || len(shown) != 2 || shown[0] != here {
		t.Errorf("%v, %q", e, shown)
	}
}

// TestInputNumbers: inputs are counted, whatever the session evaluates besides.
func TestInputNumbers(t *testing.T) {
	s := newSession(t)
	s.turnTime = 2 * time.Millisecond
	for i, input := range []string{"1 + 1", "_ * 3", "x := 7;", "x", "%timeit 1+1", "undefined", "var e error\ne", "func f() { panic(1) }", "8"} {
		r, err := s.Eval(t.Context(), input)
		if (err != nil) != (input == "undefined") || err == nil && r.Cell != i+1 && !strings.HasPrefix(input, "%") {
			t.Errorf("input %d, %s, is %d: %v", i+1, input, r.Cell, err)
		}
	}
	for source, want := range map[string]string{"Out[1]": "2", "Out[2]": "6", "Out[4]": "7", "Out[9]": "8", "Out[7] == nil": "true", "fmt.Sprintf(\"%v\", Out[7])": "<nil>"} {
		if got := s.must(t, source); got != want {
			t.Errorf("%s is %s, want %s", source, got, want)
		}
	}
	s.must(t, "var empty any\nempty")
	if got := s.must(t, "_ == nil"); got != "true" {
		t.Errorf("_ of a nil interface: %s", got)
	}
	if got := s.must(t, "%history"); !strings.Contains(got, "   4   x\n") || !strings.Contains(got, "   6 ! undefined\n") {
		t.Errorf("history:\n%s", got)
	}
	var e *Error
	if _, err := s.Eval(t.Context(), "f()"); !errors.As(err, &e) || !strings.Contains(e.Report(), "cell 8, line 1") {
		t.Errorf("a panic in cell 8: %v", e.Report())
	}
}

// %save writes a program, which has no _ and no Out[n].
func TestWriteFile(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newSession(t)
	for range 2 { // the same text again is no loss
		if got := s.must(t, "%%writefile x.csv\na,b\n1,2"); got != "2 lines written to x.csv" {
			t.Error(got)
		}
	}
	for source, want := range map[string]string{
		"%%writefile x.csv\na":      "%%writefile: x.csv exists; %%writefile -f x.csv replaces it",
		"%%writefile none/x.csv\na": "%%writefile: none/x.csv: ",
		"%%writefile\na":            "%%writefile: expected a file to write: %%writefile FILE",
		"%writefile x.csv":          "%writefile: write %%writefile, with the text in the lines below",
		"%%writefiel x.csv\na":      "%%writefiel: no such command; did you mean %writefile?",
	} {
		if e := s.fails(t, source); !strings.HasPrefix(e.Error(), want) {
			t.Errorf("%s: %v", source, e)
		}
	}
	if text, err := os.ReadFile("x.csv"); string(text) != "a,b\n1,2\n" {
		t.Errorf("%q, %v", text, err)
	}
	s.must(t, "%%writefile -f \"x.csv\"\nnew")
	if text, err := os.ReadFile("x.csv"); string(text) != "new\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestSavedOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newSession(t)
	for i, cell := range []string{
		"a := 20 // a number\n\n a + 1 // the next",
		"_ * 2", "nothing()", "b := []int{_, Out[ 1 ],\n\tOut[2] + _}\nb[0] + _",
		"func twice(x int) int { return 2 * x }", "c := 0\nif _ > 3 { c = Out[4] }\ntwice(c)", "%time d := Out[6] + 1", "fmt.Println(a, b, c, d, _)",
	} {
		if _, err := s.EvalCell(t.Context(), i+1, cell); (err != nil) != (cell == "nothing()") {
			t.Error(cell, err)
		}
	}
	want := "20 [42 21 84] 84 169 168\n"
	if !strings.HasSuffix(s.out.String(), want) {
		t.Fatalf("the cells printed %q", s.out.String())
	}
	s.must(t, "%save saved.go")
	text, _ := os.ReadFile("saved.go")
	if _, err := s.Eval(t.Context(), "%run saved.go"); err != nil || !strings.HasSuffix(s.out.String(), want+want) {
		t.Errorf("%v, printed %q:\n%s", err, s.out.String(), text)
	}
	for _, line := range []string{"Out_1 := a + 1 // the next\nOut_1\n", "\nOut_2 := Out_1 * 2\nOut_2\n", "\tOut_2 + Out_2}\nOut_4 := b[0] + Out_2\nOut_4\n"} {
		if !strings.Contains(string(text), line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}

func TestWhoHasShapes(t *testing.T) {
	s := newSession(t)
	s.must(t, "a := make([]int, 30)\nb := [][]float64{{1, 2}, {3, 4}, {5, 6}}\nc := mat.NewDense(2, 5, nil)\ne := map[string]int{\"x\": 1}\nf := [][]int{{1}, {1, 2}}\ng := 3\na")
	s.must(t, "len(_)")
	got := s.must(t, "%who")
	for name, want := range map[string]string{"a": "30", "b": "3 x 2", "c": "2 x 5", "e": "1", "f": "2"} {
		if !regexp.MustCompile(`(?m)^ +` + name + ` +variable +\S+ +` + want + `  `).MatchString(got) {
			t.Errorf("%s: no shape %s in\n%s", name, want, got)
		}
	}
	if strings.Contains(got, "Out_") {
		t.Errorf("what stands for outputs is listed:\n%s", got)
	}
}
