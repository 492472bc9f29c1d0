package terminal

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	_ "unsafe" // for go:linkname

	"github.com/reeflective/readline"

	"symmom/repl"
)

// The line editor (v1.3.0) mishandles letters beyond ASCII: it takes those below
// U+0100 for a key with Meta, inserts only the first of several runes that form a
// character on the screen, moves the cursor by columns, removes a letter for each byte
// of the start of a name that it completes, and loses a letter whose bytes arrive in
// two reads.

// editorKeys is where the line editor reads keys.
//
//go:linkname editorKeys github.com/reeflective/readline/internal/core.Stdin
var editorKeys io.ReadCloser

// takeLetters makes the editor insert all letters that are typed and pasted.
func takeLetters(shell *readline.Shell) {
	shell.Config.Vars["convert-meta"] = false
	if in, ok := editorKeys.(*os.File); ok {
		editorKeys = &wholeRunes{file: in}
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
// back are less than a rune, the rest of which is about to arrive; or what came with a
// Ctrl-C and after it, of which an open menu would lose the first. It does not show its
// descriptor, by which the editor would wait for keys that are here.
type wholeRunes struct {
	file *os.File
	kept []byte
}

func (w *wholeRunes) Close() error { return w.file.Close() }

func (w *wholeRunes) Read(p []byte) (int, error) {
	end := copy(p, w.kept)
	rest := w.kept[end:]
	if unfinished(p[:end]) == end { // or nothing
		n, err := w.file.Read(p[end:])
		if end += n; err != nil {
			w.kept = nil
			return end, err
		}
	}
	whole := end - unfinished(p[:end])
	if i := bytes.IndexByte(p[:whole], interrupt); i >= 0 {
		whole = i + 1
	}
	w.kept = slices.Concat(p[whole:end], rest)
	return whole, nil
}

const interrupt = 'C' - '@' // Ctrl-C

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

// takeCommon inserts what all proposals begin with, where letters beyond ASCII are in
// it, and returns the part of it that ends in the last of these: the editor is given
// what comes after it alone. It is not ok if nothing does.
func (e *editor) takeCommon(list repl.Completions, prefix string) (head string, ok bool) {
	common := commonStart(list.Items)
	if beyondASCII(prefix) == 0 && beyondASCII(common) == 0 || len(list.Items) == 0 {
		return "", true
	}
	if old := utf8.RuneCountInString(prefix); utf8.RuneCountInString(common) >= old {
		cursor := e.shell.Cursor()
		cursor.Move(-old)
		e.shell.Line().Cut(cursor.Pos(), cursor.Pos()+old)
		cursor.InsertAt([]rune(common)...)
	}
	head = common[:beyondASCII(common)]
	return head, len(list.Items) > 1 && len(head) < len(common)
}

// commonStart returns the common prefix of all proposals.
func commonStart(items []repl.Completion) string {
	if len(items) == 0 {
		return ""
	}
	common := []rune(items[0].Text)
	for _, c := range items {
		for !strings.HasPrefix(c.Text, string(common)) {
			common = common[:len(common)-1]
		}
	}
	return string(common)
}

// beyondASCII returns where the last letter beyond ASCII ends, 0 if there is none.
func beyondASCII(text string) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] >= utf8.RuneSelf {
			return i
		}
	}
	return 0
}

// names lists proposals for a person to type on, if there are several.
func names(list repl.Completions) readline.Completions {
	if len(list.Items) < 2 {
		return readline.Completions{}
	}
	var texts []string
	for _, c := range list.Items {
		texts = append(texts, c.Text)
	}
	return readline.CompleteMessage("%s", strings.Join(texts, "  "))
}
