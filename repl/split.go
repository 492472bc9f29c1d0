package repl

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// itemKind says what an item is for the interpreter.
type itemKind int

const (
	statementItem itemKind = iota
	declItem               // func, type, var, const
	importItem
	packageItem
)

// item is one statement, declaration or import at the top of a cell: the
// source text from start to end, byte offsets.
type item struct {
	kind       itemKind
	start, end int
	silenced   bool // a semicolon was written behind it
	header     bool // has an if, for or switch, whose semicolons may have split it
}

// cell is a piece of source on its way through the session.
type cell struct {
	number int    // counted from 1 within the session
	name   string // of the script it came from, or ""
	source string
	items  []item
	texts  map[*token.File]string // that were parsed
	whole  bool                   // every item is complete: nothing is missing at the end
}

// newCell splits source into items. The error is that of an illegal token; a
// text that merely stops too early gives a cell that is not whole.
//
// The split needs no grammar: an item ends at a semicolon outside all
// brackets, written or put in by Go's rule at the end of a line.
func newCell(number int, name, source string) (*cell, error) {
	c := &cell{number: number, name: name, source: source, texts: map[*token.File]string{}}
	text := source
	if strings.HasPrefix(text, "#!") { // a script that is executable
		line, _, _ := strings.Cut(text, "\n")
		text = strings.Repeat(" ", len(line)) + text[len(line):]
	}
	var (
		fset   = token.NewFileSet()
		file   = fset.AddFile("", -1, len(text))
		s      scanner.Scanner
		first  *Error
		depth  int
		tokens []token.Token // of the item so far, three at most
		it     = item{start: -1}
	)
	c.whole = true
	s.Init(file, []byte(text), func(at token.Position, msg string) {
		if strings.HasSuffix(msg, "not terminated") && !strings.HasPrefix(msg, "string") && !strings.HasPrefix(msg, "rune") {
			c.whole = false // a raw string or a comment that goes on
			return
		}
		if first == nil {
			first = c.errorAt(at.Offset, "syntax", msg)
		}
	}, 0)
	for {
		pos, tok, lit := s.Scan()
		offset := file.Offset(pos)
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && depth == 0 {
			if it.start >= 0 {
				it.end, it.silenced = offset, lit == ";"
				it.kind = kindOf(tokens)
				c.items = append(c.items, it)
			}
			it, tokens = item{start: -1}, nil
			continue
		}
		if it.start < 0 {
			it.start = offset
		}
		if len(tokens) < 3 {
			tokens = append(tokens, tok)
		}
		switch tok {
		case token.FOR, token.IF, token.SWITCH:
			it.header = it.header || depth == 0
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if depth--; depth < 0 && first == nil {
				first = c.errorAt(offset, "syntax", "unexpected "+tok.String()+", nothing is open that it could close")
			}
		}
		it.end = min(offset+max(len(lit), len(tok.String())), len(text))
	}
	if first != nil {
		return c, first
	}
	if it.start >= 0 { // no semicolon came: an operator or an open bracket is last
		c.whole = false
		it.end, it.kind = len(text), kindOf(tokens)
		c.items = append(c.items, it)
	}
	return c, nil
}

// kindOf tells an item by its first tokens. A method looks as a call of a
// function literal does until its parameter list has ended, so "func (" is
// left to the parser (see parseItem).
func kindOf(tokens []token.Token) itemKind {
	switch tokens[0] {
	case token.PACKAGE:
		return packageItem
	case token.IMPORT:
		return importItem
	case token.TYPE, token.VAR, token.CONST:
		return declItem
	case token.FUNC:
		if len(tokens) > 1 && tokens[1] == token.IDENT {
			return declItem
		}
	}
	return statementItem
}

// text is the source of an item.
func (c *cell) text(it item) string { return c.source[it.start:it.end] }

// place gives line and column of an offset, both counted from 1, the column
// in bytes as Go's tools count.
func (c *cell) place(offset int) (line, column int) {
	before := c.source[:min(offset, len(c.source))]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndex(before, "\n")
}

// names of a declaration, for the tables of the session.
func declaredNames(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// documented is the text of an item with the comments above it.
func (c *cell) documented(it item) string {
	from := 0
	for _, other := range c.items {
		if other.end <= it.start {
			from = other.end
		}
	}
	above := c.source[from:it.start]
	if from > 0 { // what stands behind the item before belongs to that
		_, above, _ = strings.Cut(above, "\n")
	}
	return above + c.text(it)
}

// around are the spans of the cell that may be the statement at an offset: its
// item, and, when that follows the header of a for, an if or a switch whose
// semicolons have split it, with what comes before and behind.
func (c *cell) around(offset int) []item {
	i := 0
	for i < len(c.items) && c.items[i].end <= offset {
		i++
	}
	if i == len(c.items) {
		return nil
	}
	out := []item{c.items[i]}
	for h := i; h >= max(0, i-2); h-- {
		if !c.items[h].header || !c.items[h].silenced {
			continue
		}
		for last := i; last <= min(h+2, len(c.items)-1); last++ {
			it := c.items[h]
			it.end = c.items[last].end
			out = append(out, it)
		}
	}
	return out
}
