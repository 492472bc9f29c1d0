package repl

import (
	"os"
	"regexp"
	"strings"
	"testing"
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
		{"data := symmom.Uniform(3, 100, 1)\nfit := data.Moment(3).Decompose(2)\nm := mat.NewDense(2, 2, nil);", ""},
		{"%data", `(?s)data +data +.*fit +fit +Fit of rank 2.*m +matrix +2 x 2`},
		{"%who", `(?s)fit +variable +\*symmom.Fit.*x +variable +int +21`},
		{"%who tw", `(?s)twice +function +func\(n int\) int`},
		{"%who zz", "begins with zz"},
		{"%help", `(?s)%time STATEMENT +runs Go.*%save.*\?NAME`},
		{"%help time", "processor time"},
		{"?", "%time STATEMENT"},
		{"%time?", "processor time"},
		{"?twice", `^func twice\(n int\) int`},
		{"twice??", `(?s)return 2 \* n`},
		{"fit.Score?", `^func \(f \*Fit\) Score`},
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
		{"%env", `(?s)MY_TOKEN +\(not shown\).*PATH`},
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
		{"%%who", "%%who: only %%time takes a whole cell; write %who"},
		{"%help nothing", "%help: there is no command nothing"},
		{"%load", "%load: expected a file of Go: %load FILE.go"},
		{"%load none.go", "%load: open none.go: no such file"},
		{"%save", "%save: expected a file to write: %save FILE.go"},
		{"%save all.go", "%save: no cell went well yet"},
		{"%history 0", "%history: expected a number of cells above 0"},
		{"%cd none", "%cd: chdir none: no such file"},
		{"%env SYMMOM_NOT_SET", "%env: SYMMOM_NOT_SET is not set; %env SYMMOM_NOT_SET=VALUE sets it"},
		{"%reset all", "%reset: takes no arguments"},
		{"%data x", "%data: takes no arguments"},
		{"?nothing", "nothing is known of nothing"},
		{"%nothing?", "%nothing: no such command"},
		{"x := 1\n\n%tim x\ny := 2", "3: %tim: no such command; did you mean %time?"},
	} {
		source, want := c[0], c[1]
		if e := newSession(t).fails(t, source); !strings.HasPrefix(e.Error(), want) || e.Kind != "command" {
			t.Errorf("%s: %q (%s), want %q", source, e.Error(), e.Kind, want)
		}
	}
	// What is wrong in Go has its own place.
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
