package gofront

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"sort"
	"strings"
)

// itemKind is the kind of an item.
type itemKind int

const (
	StatementItem itemKind = iota
	DeclItem               // func, type, var, const
	ImportItem
	PackageItem
)

// Item is a statement, a declaration or an import at the top level of a cell: the
// source between the byte offsets Start and End.
type Item struct {
	Kind       itemKind
	Start, End int
	Silenced   bool // followed by a semicolon in the source
	header     bool // contains an if, for or switch, whose semicolons may have split it
}

// Cell is a cell that the session processes.
type Cell struct {
	Number int    // from 1, within the session
	name   string // of its script, or ""
	Source string
	Items  []Item
	texts  map[*token.File]string // source of its files, as parsed
	Whole  bool                   // nothing is missing at the end
	lines  []int                  // offsets at which lines begin, once they are needed
}

// NewCell splits source into items. It returns an error for an illegal token; source
// that merely ends too early results in a cell that is not Whole.
//
// Splitting needs no grammar: an item ends at a semicolon outside all brackets,
// written or inserted at the end of a line by Go's rule.
func NewCell(number int, name, source string) (*Cell, error) {
	c := &Cell{Number: number, name: name, Source: source, texts: map[*token.File]string{}}
	text := source
	if strings.HasPrefix(text, "#!") { // an executable script
		line, _, _ := strings.Cut(text, "\n")
		text = strings.Repeat(" ", len(line)) + text[len(line):]
	}
	var (
		fset   = token.NewFileSet()
		file   = fset.AddFile("", -1, len(text))
		s      scanner.Scanner
		first  *Error
		depth  int
		tokens []token.Token // the first three of the item
		it     = Item{Start: -1}
	)
	c.Whole = true
	s.Init(file, []byte(text), func(at token.Position, msg string) {
		if strings.HasSuffix(msg, "not terminated") && !strings.HasPrefix(msg, "string") && !strings.HasPrefix(msg, "rune") {
			c.Whole = false // an unterminated raw string or comment
			return
		}
		if first == nil {
			first = c.ErrorAt(at.Offset, "syntax", advised(msg))
		}
	}, 0)
	for {
		pos, tok, lit := s.Scan()
		offset := file.Offset(pos)
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && depth == 0 {
			if it.Start >= 0 {
				it.End, it.Silenced = offset, lit == ";"
				it.Kind = kindOf(tokens)
				c.Items = append(c.Items, it)
			}
			it, tokens = Item{Start: -1}, nil
			continue
		}
		if it.Start < 0 {
			it.Start = offset
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
				first = c.ErrorAt(offset, "syntax", "unexpected "+tok.String()+", nothing is open that it could close")
			}
		}
		it.End = min(offset+max(len(lit), len(tok.String())), len(text))
	}
	if first != nil {
		return c, first
	}
	if it.Start >= 0 { // no semicolon: an operator or an open bracket comes last
		c.Whole = false
		it.End, it.Kind = len(text), kindOf(tokens)
		c.Items = append(c.Items, it)
	}
	return c, nil
}

// kindOf returns the kind of an item by its first tokens. A method looks like a
// call of a function literal until its parameter list has ended, so "func (" is
// left to the parser (see parseItem).
func kindOf(tokens []token.Token) itemKind {
	switch tokens[0] {
	case token.PACKAGE:
		return PackageItem
	case token.IMPORT:
		return ImportItem
	case token.TYPE, token.VAR, token.CONST:
		return DeclItem
	case token.FUNC:
		if len(tokens) > 1 && tokens[1] == token.IDENT {
			return DeclItem
		}
	}
	return StatementItem
}

// Text returns the source of an item.
func (c *Cell) Text(it Item) string { return c.Source[it.Start:it.End] }

// Place returns the line and the column of an offset, both from 1, the column in
// bytes as Go's tools count.
func (c *Cell) Place(offset int) (line, column int) {
	starts := c.starts()
	offset = min(offset, len(c.Source))
	line = sort.SearchInts(starts, offset+1)
	return line, offset - starts[line-1] + 1
}

// starts returns the offsets at which lines begin.
func (c *Cell) starts() []int {
	if c.lines == nil { // counting lines each time would take long in a long cell
		c.lines = []int{0}
		for i := 0; ; {
			n := strings.IndexByte(c.Source[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			c.lines = append(c.lines, i)
		}
	}
	return c.lines
}

// line returns a line, counted from 1, or "" if there is none.
func (c *Cell) line(n int) string {
	starts := c.starts()
	if n < 1 || n > len(starts) {
		return ""
	}
	line, _, _ := strings.Cut(c.Source[starts[n-1]:], "\n")
	return line
}

// DeclaredNames returns the names that a declaration introduces, except methods.
func DeclaredNames(d ast.Decl) []string {
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

// Documented returns the source of an item with the comments above it.
func (c *Cell) Documented(it Item) string {
	from := 0
	if i := sort.Search(len(c.Items), func(i int) bool { return c.Items[i].End > it.Start }); i > 0 {
		from = c.Items[i-1].End
	}
	above := c.Source[from:it.Start]
	if from > 0 { // what follows the previous item on its line belongs to that
		_, above, _ = strings.Cut(above, "\n")
	}
	return above + c.Text(it)
}

// Around returns the spans of the cell that may be the statement at an offset: its
// item and, if that was split off the header of a for, an if or a switch, the item
// together with its neighbours.
func (c *Cell) Around(offset int) []Item {
	i := 0
	for i < len(c.Items) && c.Items[i].End <= offset {
		i++
	}
	if i == len(c.Items) {
		return nil
	}
	out := []Item{c.Items[i]}
	for h := i; h >= max(0, i-2); h-- {
		if !c.Items[h].header || !c.Items[h].Silenced {
			continue
		}
		for last := i; last <= min(h+2, len(c.Items)-1); last++ {
			it := c.Items[h]
			it.End = c.Items[last].End
			out = append(out, it)
		}
	}
	return out
}

// SourceOf returns the text between two positions of the cell, as it was parsed.
func (c *Cell) SourceOf(fset *token.FileSet, from, to token.Pos) string {
	file := fset.File(from)
	return c.texts[file][file.Offset(from):file.Offset(to)]
}
