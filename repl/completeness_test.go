package repl

import "testing"

func TestCompleteness(t *testing.T) {
	s := newSession(t)
	for source, want := range map[string]Status{
		"x": Complete, "": Complete, "x +": Incomplete, "f(1,": Incomplete, "f(1,\n2)": Complete,
		"func f() {": Incomplete, "func f() {\n}": Complete, "`raw": Incomplete, "/* comment": Incomplete,
		"// comment": Complete, `"open`: Invalid, "a.": Incomplete, "symmom.Load(`x`).\n\tMoment(3)": Complete,
		"if x {\n} else {": Incomplete, "x :=": Incomplete, "[]int{1, 2": Incomplete, ")": Invalid, "for": Incomplete,
		"x // note": Complete, "type T struct {\n\tA int": Incomplete, "import (": Incomplete, "func f(\n)": Complete,
		"'": Invalid, "x := := 2": Invalid, "for i := 0; i < 3; i++ { i }": Complete,
		"%time f(": Complete, "%who": Complete, "?Load": Complete, "fit.Score?": Complete, "%%time": Incomplete,
		"%%time\nx := 1": Complete, "%%time\nf(": Incomplete, "x %": Incomplete,
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
