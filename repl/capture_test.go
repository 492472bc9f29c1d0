package repl

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// %%capture takes what a cell prints in any way, and shows.
func TestCapture(t *testing.T) {
	s := newSession(t)
	s.must(t, `import ("os"; "log")`)
	got := s.must(t, "%%capture out\nfmt.Println(`a`)\nprintln(`b`)\nfmt.Fprintln(os.Stdout, `c`); fmt.Fprintln(os.Stderr, `d`)\nlog.New(os.Stderr, ``, 0).Print(`e`)\n"+
		"done := make(chan bool); go func() { fmt.Print(`f`); close(done) }(); _ = <-done\ndisplay.Show(1)\n2")
	if got != "" || s.out.String()+s.err.String() != "" {
		t.Errorf("a captured cell shows %q and prints %q, %q", got, &s.out, &s.err)
	}
	for source, want := range map[string]string{
		"out.Stdout": "a\nfc\n", "out.Stderr": "b\nd\ne\n", "fmt.Sprint(out.Shown)": "[1 2]", "len(fmt.Sprint(out))": "11",
	} {
		if got := s.must(t, source); len(got) != len(want) || got != want && source != "out.Stdout" && source != "out.Stderr" {
			t.Errorf("%s is %q, want %q in some order", source, got, want)
		}
	}
	s.must(t, "out.Show()")
	if s.out.String() == "" || s.err.String() == "" || !strings.HasSuffix(s.out.String(), "1\n2\n") {
		t.Errorf("shown again it prints %q, %q", &s.out, &s.err)
	}
	e := s.fails(t, "%%capture out\nfmt.Print(`before`)\npanic(`so`)")
	if got := s.must(t, "out.Stdout"); e.Line != 3 || got != "before" {
		t.Errorf("after a panic in line %d, want 3, the output is %q", e.Line, got)
	}
	before := s.out.String()
	s.must(t, "%%capture\nfmt.Print(`dropped`)\n1")
	if s.must(t, "fmt.Print(`seen`);"); s.out.String() != before+"seen" {
		t.Errorf("after a capture cells print %q", &s.out)
	}
	for source, want := range map[string]string{
		"%%capture 1x\n1": "%%capture: expected the name of a variable for the output, got 1x", "%%capture x": "%%capture: expected Go in the lines below",
		"%capture x": "%capture: write %%capture, with the Go in the lines below", "%%captur x\n1": "%%captur: no such command; did you mean %capture?",
	} {
		if e := s.fails(t, source); !strings.HasPrefix(e.Message, want) {
			t.Errorf("%s: %v, want %s", source, e, want)
		}
	}
}

func TestEdit(t *testing.T) {
	s := newSession(t)
	if e := s.fails(t, "%edit"); !strings.Contains(e.Message, "only a session in a terminal") {
		t.Errorf("without an editor: %v", e)
	}
	var given, leaves string
	var failed error
	s.config.Edit = func(_ context.Context, text string) (string, error) { given = text; return leaves, failed }
	s.must(t, "func twice(n int) int {\n\treturn n + n // so\n}")
	s.must(t, "x := 3")
	leaves = "func twice(n int) int { return 20 * n }\ntwice(x)"
	for _, c := range [][2]string{{"%edit twice", "func twice(n int) int {\n\treturn n + n // so\n}\n"}, {"%edit 3", "x := 3\n"}, {"%edit", ""}} {
		if got := s.must(t, c[0]); got != "60" || given != c[1] {
			t.Errorf("%s has %q to edit and gives %s, want %q and 60", c[0], given, got, c[1])
		}
	}
	leaves = " \n"
	if got := s.must(t, "%edit twice"); got != "nothing to run" {
		t.Errorf("an empty text gives %q", got)
	}
	for source, want := range map[string]string{"%edit none": "the session has no source of none", "%edit 77": "there is no cell 77", "%edit mat.NewDense": "no source of mat.NewDense"} {
		if e := s.fails(t, source); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v, want %s", source, e, want)
		}
	}
	failed = errors.New("no editor")
	if e := s.fails(t, "%edit"); e.Message != "%edit: no editor" {
		t.Error(e)
	}
}
