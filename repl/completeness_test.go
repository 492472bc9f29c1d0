package repl

import (
	"testing"

	"symmom/repl/internal/assist"
)

func TestCompleteness(t *testing.T) {
	s := newSession(t)
	for source, want := range map[string]assist.Status{
		"x": assist.Complete, "": assist.Complete, "x +": assist.Incomplete, "f(1,": assist.Incomplete, "f(1,\n2)": assist.Complete,
		"func f() {": assist.Incomplete, "func f() {\n}": assist.Complete, "`raw": assist.Incomplete, "/* comment": assist.Incomplete,
		"// comment": assist.Complete, `"open`: assist.Invalid, "a.": assist.Incomplete, "strings.NewReader(`x`).\n\tLen()": assist.Complete,
		"if x {\n} else {": assist.Incomplete, "x :=": assist.Incomplete, "[]int{1, 2": assist.Incomplete, ")": assist.Invalid, "for": assist.Incomplete,
		"x // note": assist.Complete, "type T struct {\n\tA int": assist.Incomplete, "import (": assist.Incomplete, "func f(\n)": assist.Complete,
		"'": assist.Invalid, "x := := 2": assist.Invalid, "for i := 0; i < 3; i++ { i }": assist.Complete,
		"%time f(": assist.Complete, "%who": assist.Complete, "?Load": assist.Complete, "fit.Score?": assist.Complete, "%%time": assist.Incomplete,
		"%%time\nx := 1": assist.Complete, "%%time\nf(": assist.Incomplete, "x %": assist.Incomplete,
	} {
		if got, _ := s.Completeness(source); got != want {
			t.Errorf("%q is %s, want %s", source, got, want)
		}
	}
	for source, want := range map[string]string{
		"func f() {": "    ", "f([]int{1,": "        ", "for {\nif x {": "        ", "x +": "", "f(\")\",": "    ",
	} {
		if _, got := s.Completeness(source); got != want {
			t.Errorf("after %q the indent is %q", source, got)
		}
	}
}
