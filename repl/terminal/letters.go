package terminal

import (
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
	_ "unsafe" // for go:linkname

	"github.com/reeflective/readline"
)

// The line editor (v1.3.0) mishandles letters beyond ASCII: it takes those below
// U+0100 for a key with Meta, inserts only the first of several runes that form a
// character on the screen, moves the cursor by columns, and loses a letter whose
// bytes arrive in two reads.

// editorKeys is where the line editor reads keys.
//
//go:linkname editorKeys github.com/reeflective/readline/internal/core.Stdin
var editorKeys io.ReadCloser

// takeLetters makes the editor insert all letters that are typed and pasted.
func takeLetters(shell *readline.Shell) {
	shell.Config.Vars["convert-meta"] = false
	if in, ok := editorKeys.(*os.File); ok {
		editorKeys = &wholeRunes{File: in}
	}
	selfInsert, acceptLine := shell.Keymap.Commands()["self-insert"], shell.Keymap.Commands()["accept-line"]
	shell.Keymap.Register(map[string]func(){"self-insert": func() {
		switch keys := shell.Keys.Caller(); {
		case string(keys) == "\r\n": // one character too
			acceptLine()
		case len(keys) == 1 && keys[0] < utf8.RuneSelf:
			selfInsert()
		default:
			shell.Cursor().InsertAt([]rune(printable(string(keys)))...)
		}
	}})
	shell.PasteTransformer = printable
}

// printable removes what a terminal would interpret instead of showing it.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

// wholeRunes is a terminal that never returns part of a rune. The bytes that it holds
// back are less than a rune, the rest of which is about to arrive.
type wholeRunes struct {
	*os.File
	kept []byte
}

func (w *wholeRunes) Read(p []byte) (int, error) {
	n := copy(p, w.kept)
	read, err := w.File.Read(p[n:])
	end := n + read
	if err != nil {
		w.kept = nil
		return end, err
	}
	whole := end - unfinished(p[:end])
	w.kept = append([]byte(nil), p[whole:end]...)
	return whole, nil
}

// unfinished returns the number of bytes at the end that begin a rune.
func unfinished(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if tail := p[len(p)-i:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return i
		}
	}
	return 0
}
