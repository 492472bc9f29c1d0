package repl

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// baseName is the base name of every cell's file: yaegi's own default.
const baseName = interp.DefaultSourceName

const endsEarly = "something is missing at the end"

// unit is what the interpreter compiles and runs in one go: declarations that
// follow each other (they may use each other in any order), or one statement.
type unit struct {
	item             // of a statement; start and end of all declarations
	decls []ast.Decl // of declItem, importItem
	file  *ast.File  // that holds decls
	body  *ast.BlockStmt
}

// parse turns the items of a cell into units. Every syntax error is found
// here, before anything runs.
func (c *cell) parse(fset *token.FileSet) ([]*unit, error) {
	var units []*unit
	for i := 0; i < len(c.items); i++ {
		u, used, err := c.parseFrom(fset, i)
		if err != nil {
			return nil, err
		}
		i += used - 1
		if u.kind == packageItem {
			if u.file.Name.Name != "main" {
				return nil, c.errorAt(u.start, "syntax", "package "+u.file.Name.Name+": a session is package main; leave the line out")
			}
			if len(units) > 0 {
				return nil, c.errorAt(u.start, "syntax", "the package clause must come first")
			}
			continue
		}
		if last := len(units) - 1; u.kind == declItem && last >= 0 && units[last].kind == declItem {
			units[last].decls = append(units[last].decls, u.decls...)
			units[last].file.Decls = units[last].decls
			units[last].end = u.end
			continue
		}
		units = append(units, u)
	}
	if !c.whole {
		return nil, c.errorAt(len(c.source), "syntax", endsEarly)
	}
	return units, nil
}

// parseFrom parses the item at i. The semicolons of "for i := 0; i < n; i++"
// and of "if x := f(); x > 0" have split it; then the items that follow are
// put back, and used says how many make it up.
func (c *cell) parseFrom(fset *token.FileSet, i int) (u *unit, used int, err error) {
	it := c.items[i]
	u, first := c.parseItem(fset, it)
	if first == nil {
		return u, 1, nil
	}
	best := first
	for j := i + 1; j < len(c.items) && c.items[j-1].silenced && it.header; j++ {
		it.end, it.silenced = c.items[j].end, c.items[j].silenced
		if u, err = c.parseItem(fset, it); err == nil {
			return u, j - i + 1, nil
		}
		if farther(err, best) {
			best = err
		}
	}
	return nil, 0, best
}

func (c *cell) parseItem(fset *token.FileSet, it item) (*unit, error) {
	u := &unit{item: it}
	var err error
	switch it.kind {
	case packageItem, importItem, declItem:
		err = u.parseDecl(c, fset)
	default:
		err = u.parseStatement(c, fset)
		if err == nil || !startsWithFunc(c.text(it)) {
			break
		}
		// "func (" begins a method as well as a call of a function literal.
		d := &unit{item: it}
		d.kind = declItem
		declErr := d.parseDecl(c, fset)
		if declErr == nil {
			return d, nil
		}
		if farther(declErr, err) {
			err = declErr
		}
	}
	if err != nil {
		return nil, err
	}
	return u, nil
}

func startsWithFunc(text string) bool {
	return len(text) > 4 && text[:4] == "func"
}

// node is the syntax of a unit.
func (u *unit) node() ast.Node {
	if u.body != nil {
		return u.body
	}
	return u.file
}

// farther says which of two syntax errors got farther: that parser knew
// better what it was reading.
func farther(a, b error) bool {
	var x, y *Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return false
	}
	return x.Line > y.Line || x.Line == y.Line && x.Column > y.Column
}

func (u *unit) parseDecl(c *cell, fset *token.FileSet) error {
	head := "package main;"
	if u.kind == packageItem {
		head = ""
	}
	f, err := c.parseText(fset, head, u.item, "\n")
	if err != nil {
		return err
	}
	u.file, u.decls = f, f.Decls
	return nil
}

func (u *unit) parseStatement(c *cell, fset *token.FileSet) error {
	f, err := c.parseText(fset, "package main;func main(){", u.item, "\n}")
	if err != nil {
		return err
	}
	u.body = f.Decls[0].(*ast.FuncDecl).Body
	return nil
}

// parseText parses an item between a head and a tail that make it a file. A
// line directive keeps the user's lines and columns in every message. The
// file name tells the cell; its base name is the same in all cells, because
// the interpreter keeps imports by the base name of the file.
func (c *cell) parseText(fset *token.FileSet, head string, it item, tail string) (*ast.File, error) {
	line, column := c.place(it.start)
	text := fmt.Sprintf("%s/*line :%d:%d*/%s%s", head, line, column, c.text(it), tail)
	f, err := parser.ParseFile(fset, fmt.Sprintf("%d/%s", c.number, baseName), text, parser.SkipObjectResolution)
	if err == nil {
		c.texts[fset.File(f.FileStart)] = text
		return f, nil
	}
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return nil, c.errorAt(it.start, "syntax", err.Error())
	}
	e := list[0]
	endLine, endColumn := c.place(it.start + len(strings.TrimRight(c.text(it), " \t\r\n")))
	if e.Pos.Line > endLine || e.Pos.Line == endLine && e.Pos.Column > endColumn {
		e.Pos.Line, e.Pos.Column, e.Msg = endLine, endColumn, endsEarly
	}
	return nil, c.errorIn("syntax", e.Pos.Line, e.Pos.Column, e.Msg)
}
