package terminal

import (
	"slices"
	"testing"
	"time"

	"symmom/internal/test/sessiontest"
	"symmom/repl"
)

func TestHighlight(t *testing.T) {
	s, err := repl.New(repl.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"for i := range 3 {": keywordColor + "for" + plainColor + " i := " + keywordColor + "range" + plainColor + " " + numberColor + "3" + plainColor + " {",
		"len(`a\nb`) // c":   builtinColor + "len" + plainColor + "(" + stringColor + "`a\nb`" + plainColor + ") " + commentColor + "// c" + plainColor,
		"%time x":            commandColor + "%time" + plainColor + " x",
		"!ls":                commandColor + "!ls" + plainColor,
		"ls := x\n!ls":       "ls := x\n!ls",
		"x.len":              "x.len",
		`"open`:              stringColor + `"open` + plainColor,
		"x\n\n":              "x\n\n",
		"":                   "",
		"ä := 'é' + \x00":    "",
	} {
		got := highlight(s, source)
		if want != "" && got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
		if plain := sessiontest.Escapes.ReplaceAllString(got, ""); plain != source {
			t.Errorf("%q became %q", source, plain)
		}
	}
}

func TestSparkline(t *testing.T) {
	var c curve
	for i := range 1000 {
		c.add(repl.Progress{Curve: 3, Elapsed: time.Duration(i+1) * 10 * time.Millisecond, Value: 1 / float64(i+1)})
	}
	got := []rune(c.sparkline(sparks))
	if len(got) != sparks || got[0] != '█' || got[len(got)-1] != '▁' || !slices.IsSortedFunc(got, func(a, b rune) int { return int(b - a) }) {
		t.Errorf("%s", string(got))
	}
	c.add(repl.Progress{Curve: 4, Value: 1})
	if got := c.sparkline(sparks); got != "▁" {
		t.Errorf("a new run: %s", got)
	}
}
