package assist

import (
	"context"
	"go/scanner"
	"go/token"
	"strings"

	"symmom/repl/internal/gofront"
)

// Status reports whether source is complete, in the terms of the Jupyter protocol.
type Status string

// Values returned by Completeness.
const (
	Complete   Status = "complete"   // it can be evaluated
	Incomplete Status = "incomplete" // something is missing at the end
	Invalid    Status = "invalid"    // no text after it can repair it
)

// IndentStep is the indentation for each open bracket.
const IndentStep = "    "

// Completeness reports whether source is Complete, Incomplete (with the indentation
// of the next line) or Invalid. Source is Incomplete if a bracket, a string or a
// comment is open, or an operator lacks its operand.
func (a *Assistant) Completeness(source string) (status Status, indent string) {
	parts := a.Segments(source)
	last := parts[len(parts)-1]
	if last.Command != "" {
		if !strings.HasPrefix(last.Command, "%%") {
			return Complete, ""
		}
		if strings.TrimSpace(last.Body) == "" {
			return Incomplete, ""
		}
		return a.Completeness(last.Body)
	}
	source = last.Body
	c, err := gofront.NewCell(0, "", source)
	switch {
	case err != nil:
		return Invalid, ""
	case !c.Whole:
		return Incomplete, strings.Repeat(IndentStep, openBrackets(source))
	}
	if _, err := c.Parse(context.Background(), token.NewFileSet()); err != nil {
		return Invalid, ""
	}
	return Complete, ""
}

// openBrackets counts the brackets that are open at the end of source.
func openBrackets(source string) int {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(source)), []byte(source), func(token.Position, string) {}, 0)
	depth := 0
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.EOF:
			return max(depth, 0)
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
	}
}
