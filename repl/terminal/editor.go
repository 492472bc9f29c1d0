package terminal

import (
	"maps"
	"strings"

	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"

	"symmom/repl/internal/assist"
)

// editor reads input using the line editor.
type editor struct {
	s      *session
	shell  *readline.Shell
	status *statusLine
	indent string // of the line after Enter
	prompt string
	row    int // of the input that contains the cursor

	startRow *int // of the editor, see startRow
}

func newEditor(s *session) *editor {
	e := &editor{s: s, shell: readline.NewShell(), status: s.line}
	maps.Copy(e.shell.Config.Vars, map[string]any{
		// A pasted program arrives in one piece, including its tabs.
		"enable-bracketed-paste": true,
		// Asking the terminal for the position of the cursor after each key is slow
		// over a network and loses keys that arrive with the answer (fixed in the
		// editor after v1.3.0). The prompt always begins in the first column, see
		// read, and never in the last row, see reserveRows.
		"cursor-position-probe": false,
		// Tab inserts the common prefix and shows the proposals; a second Tab cycles
		// through them.
		"menu-complete-display-prefix": true,
		"completion-ignore-case":       true, // Complete has already chosen
		"colored-completion-prefix":    false,
	})
	e.startRow = startRow(e.shell)
	takeLetters(e.shell)
	first, more := s.prompts()
	e.prompt = first
	e.shell.Prompt.Primary(func() string { return paint(promptColor, first) })
	e.shell.Prompt.Secondary(func() string { return paint(promptColor, more) })
	e.shell.AcceptMultiline = e.accept
	e.shell.Completer = e.complete
	inColor := colored()
	e.shell.SyntaxHighlighter = func(line []rune) string {
		e.reserveRows(line)
		if !inColor {
			return string(line)
		}
		return highlight(s.Session, string(line))
	}
	e.shell.History.Delete()
	e.shell.History.Add("history", openHistory(historyFile()))
	acceptLine, menuComplete := e.shell.Keymap.Commands()["accept-line"], e.shell.Keymap.Commands()["menu-complete"]
	e.shell.Keymap.Register(map[string]func(){
		"accept-line": func() {
			e.indent = ""
			acceptLine()
			if e.indent != "" {
				e.shell.Cursor().InsertAt([]rune(e.indent)...)
			}
		},
		"complete-or-indent": func() {
			if e.atIndent() {
				e.shell.Cursor().InsertAt([]rune(assist.IndentStep)...)
				return
			}
			menuComplete()
		},
		"close-block": e.closeBlock,
	})
	for _, keys := range []string{`\e[A`, `\eOA`, `\M-[A`, `\M-OA`} {
		e.bind(keys, "up-line-or-history")
	}
	for _, keys := range []string{`\e[B`, `\eOB`, `\M-[B`, `\M-OB`} {
		e.bind(keys, "down-line-or-history")
	}
	e.bind("}", "close-block")
	e.bind(`\t`, "complete-or-indent")
	e.bind(`\e[Z`, "menu-complete-backward")
	return e
}

// bind binds a key, unless the user's inputrc has bound it to a command that differs
// from the editor's default.
func (e *editor) bind(keys, command string) {
	keys = inputrc.Unescape(keys)
	for _, keymap := range []string{"emacs", "emacs-standard", "vi-insert"} {
		own := e.shell.Config.Binds[keymap][keys]
		if common := inputrc.DefaultBinds()[keymap][keys]; own == common {
			if err := e.shell.Config.Bind(keymap, keys, command, false); err != nil {
				continue // the key keeps its command
			}
		}
	}
}

func (e *editor) read() (string, error) {
	e.status.endLine()
	e.row = 0
	return e.shell.Readline()
}

// accept reports whether Enter ends the input. If not, the next line is indented
// for the open brackets.
func (e *editor) accept(line []rune) bool {
	text := string(line)
	if e.s.accept(text) {
		return true
	}
	before := string(line[:min(e.shell.Cursor().Pos(), len(line))])
	_, e.indent = e.s.Completeness(before)
	return false
}

// atIndent reports whether the cursor is before the first word of a line other than
// the first.
func (e *editor) atIndent() bool {
	line := []rune(string(*e.shell.Line()))[:e.shell.Cursor().Pos()]
	for i := len(line) - 1; i >= 0; i-- {
		if line[i] == '\n' {
			return true
		}
		if line[i] != ' ' && line[i] != '\t' {
			break
		}
	}
	return false
}

// closeBlock inserts a closing brace, unindented if it begins its line.
func (e *editor) closeBlock() {
	line, cursor := e.shell.Line(), e.shell.Cursor()
	from := cursor.Pos()
	for from > 0 && (*line)[from-1] == ' ' {
		from--
	}
	if from == 0 || (*line)[from-1] == '\n' {
		for range min(len(assist.IndentStep), cursor.Pos()-from) {
			cursor.Dec()
			line.CutRune(cursor.Pos())
		}
	}
	cursor.InsertAt('}')
}

// complete handles Tab.
func (e *editor) complete(line []rune, cursor int) readline.Completions {
	before := string(line[:cursor])
	source := before + string(line[cursor:])
	list := e.s.Complete(source, len(before))
	head, ok := e.takeCommon(list, source[list.Start:len(before)])
	if !ok {
		return names(list)
	}
	if head != "" { // the line has changed
		line, cursor = *e.shell.Line(), e.shell.Cursor().Pos()
		before = string(line[:cursor])
		source = before + string(line[cursor:])
		list.Start += len(head)
	}
	// If the editor is not given a prefix, it looks for one and replaces it; for an
	// empty prefix it takes the preceding character, which must stay.
	prefix := source[list.Start:len(before)]
	keep := ""
	if prefix == "" {
		if cursor == 0 {
			if len(line) > 0 {
				return readline.Completions{}
			}
		} else {
			keep = string(line[cursor-1 : cursor])
		}
	}
	var values []readline.Completion
	seen := map[string]int{}
	for _, c := range list.Items {
		about := strings.TrimSpace(strings.TrimPrefix(c.Signature, "func"))
		if c.Doc != "" {
			about = strings.TrimSpace(about + "  " + c.Doc)
		}
		if about == "" {
			about = c.Kind
		}
		// The editor would put those with the same description on one line.
		again := strings.Repeat("\x1b[m", seen[about])
		seen[about]++
		values = append(values, readline.Completion{Value: keep + c.Text[len(head):], Display: c.Text, Description: about + again, Tag: plurals[c.Kind]})
	}
	out := readline.CompleteRaw(values).DisplayList().NoSort().ListSeparator(" ")
	out.PREFIX = keep + prefix
	return out
}

// plurals are the headings of a menu.
var plurals = map[string]string{
	"package":  "packages",
	"function": "functions",
	"method":   "methods",
	"field":    "fields",
	"variable": "variables",
	"constant": "constants",
	"type":     "types",
	"keyword":  "keywords",
	"command":  "commands",
	"file":     "files",
}
