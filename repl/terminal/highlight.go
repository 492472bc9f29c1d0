package terminal

import (
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"strings"

	"symmom/repl"
)

// Colors that are readable on light and dark backgrounds.
const (
	promptColor  = "\x1b[1;36m"
	keywordColor = "\x1b[35m"
	stringColor  = "\x1b[32m"
	numberColor  = "\x1b[36m"
	commentColor = "\x1b[2m"
	builtinColor = "\x1b[34m"
	commandColor = "\x1b[1;35m"
	plainColor   = "\x1b[0m"
)

// colored reports whether to use colors (no-color.org).
func colored() bool { return os.Getenv("NO_COLOR") == "" }

// paint colors a text.
func paint(color, text string) string {
	if !colored() {
		return text
	}
	return color + text + plainColor
}

// highlight colors Go and the session's commands. It changes no characters.
func highlight(s *repl.Session, text string) string {
	var b strings.Builder
	for _, p := range s.Segments(text) {
		if p.Command == "" {
			highlightGo(&b, p.Body)
			continue
		}
		line := text[p.Start:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		head := strings.IndexByte(strings.TrimLeft(line, " \t"), ' ')
		if head < 0 || !strings.HasPrefix(p.Command, "%") {
			b.WriteString(paint(commandColor, line))
		} else {
			head += len(line) - len(strings.TrimLeft(line, " \t"))
			b.WriteString(paint(commandColor, line[:head]))
			b.WriteString(line[head:])
		}
		highlightGo(&b, p.Body)
	}
	if plain := strings.NewReplacer(promptColor, "", keywordColor, "", stringColor, "", numberColor, "", commentColor, "",
		builtinColor, "", commandColor, "", plainColor, "").Replace(b.String()); plain != text {
		return text // blank lines at the end belong to no segment
	}
	return b.String()
}

func highlightGo(b *strings.Builder, text string) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	done := 0
	for {
		pos, tok, lit := s.Scan()
		start := file.Offset(pos)
		if tok == token.EOF {
			b.WriteString(text[done:])
			return
		}
		color := ""
		switch {
		case tok.IsKeyword():
			color = keywordColor
		case tok == token.STRING || tok == token.CHAR:
			color = stringColor
		case tok.IsLiteral() && tok != token.IDENT:
			color = numberColor
		case tok == token.COMMENT:
			color = commentColor
		case tok == token.IDENT && types.Universe.Lookup(lit) != nil && (start == 0 || text[start-1] != '.'):
			color = builtinColor
		}
		if end := start + len(lit); color != "" && start >= done && end <= len(text) {
			b.WriteString(text[done:start] + color + text[start:end] + plainColor)
			done = end
		}
	}
}
