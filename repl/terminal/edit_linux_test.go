package terminal

import (
	"os"
	"path/filepath"
	"testing"
)

// %edit opens the editor in the terminal, and runs what it leaves.
func TestEditInATerminal(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nprintf 'editing '; cat \"$1\"; read line; echo \"read: $line\"; echo \"$line\" >>\"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p, cmd := startSession(t, "XDG_STATE_HOME="+t.TempDir(), "VISUAL=", "EDITOR="+editor)
	p.sees("symmom> ")
	p.types("func six() int { return 6 }\r")
	p.sees("symmom> ")
	p.types("%edit six\r")
	p.sees("editing func six() int { return 6 }")
	p.types("six() * 7\r")
	p.sees("read: six() * 7")
	p.sees("\n42")
	p.sees("symmom> ")
	p.types("%edit\r")
	p.sees("editing ")
	p.types("\x03") // the editor ends, and the session stays
	p.sees("%edit: ")
	p.sees("symmom> ")
	p.types("\x04")
	if code := ended(t, cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
