package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
	// A line truncated by a crash, and the text of some other program.
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
	// No place for the file: the session works with what it remembers.
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
