package gofront

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"symmom/repl/internal/syntax"
)

const endsEarly = "something is missing at the end"

// Unit is compiled and run as a whole: consecutive declarations, which may refer to
// each other in any order, or a single statement.
type Unit struct {
	Item             // for declarations, Start of the first and End of the last
	Decls []ast.Decl // of DeclItem and ImportItem
	file  *ast.File  // that contains Decls
	Body  *ast.BlockStmt
}

// Parse parses the items of a cell into units. Every syntax error is found here,
// before anything runs.
func (c *Cell) Parse(ctx context.Context, fset *token.FileSet) ([]*Unit, error) {
	var units []*Unit
	for i := 0; i < len(c.Items); i++ {
		if ctx.Err() != nil {
			return nil, c.Interrupted()
		}
		u, used, err := c.parseFrom(fset, i)
		if err != nil {
			return nil, err
		}
		i += used - 1
		if u.Kind == PackageItem {
			if u.file.Name.Name != "main" {
				return nil, c.ErrorAt(u.Start, "syntax", "package "+u.file.Name.Name+": a session is package main; leave the line out")
			}
			if len(units) > 0 {
				return nil, c.ErrorAt(u.Start, "syntax", "the package clause must come first")
			}
			continue
		}
		if last := len(units) - 1; u.Kind == DeclItem && last >= 0 && units[last].Kind == DeclItem {
			units[last].Decls = append(units[last].Decls, u.Decls...)
			units[last].file.Decls = units[last].Decls
			units[last].End = u.End
			continue
		}
		units = append(units, u)
	}
	if !c.Whole {
		return nil, c.ErrorAt(len(c.Source), "syntax", endsEarly)
	}
	return units, nil
}

// parseFrom parses item i. If it was split at the semicolons of "for i := 0; i < n;
// i++" or "if x := f(); x > 0", the following items are added again; used is the
// number of items.
func (c *Cell) parseFrom(fset *token.FileSet, i int) (u *Unit, used int, err error) {
	it := c.Items[i]
	u, first := c.parseItem(fset, it)
	if first == nil {
		return u, 1, nil
	}
	best := first
	for j := i + 1; j < len(c.Items) && c.Items[j-1].Silenced && it.header; j++ {
		it.End, it.Silenced = c.Items[j].End, c.Items[j].Silenced
		if u, err = c.parseItem(fset, it); err == nil {
			return u, j - i + 1, nil
		}
		if farther(err, best) {
			best = err
		}
	}
	return nil, 0, best
}

func (c *Cell) parseItem(fset *token.FileSet, it Item) (*Unit, error) {
	u := &Unit{Item: it}
	var err error
	switch it.Kind {
	case PackageItem, ImportItem, DeclItem:
		err = u.parseDecl(c, fset)
	default:
		err = u.parseStatement(c, fset)
		if err == nil || !startsWithFunc(c.Text(it)) {
			break
		}
		// "func (" begins a method, or a call of a function literal.
		d := &Unit{Item: it}
		d.Kind = DeclItem
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

// Node returns the syntax of a unit.
func (u *Unit) Node() ast.Node {
	if u.Body != nil {
		return u.Body
	}
	return u.file
}

// farther reports whether syntax error a is at a later position than b: the parser
// that got farther knew better what it was reading.
func farther(a, b error) bool {
	var x, y *Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return false
	}
	return x.Line > y.Line || x.Line == y.Line && x.Column > y.Column
}

func (u *Unit) parseDecl(c *Cell, fset *token.FileSet) error {
	head := "package main;"
	if u.Kind == PackageItem {
		head = ""
	}
	f, err := c.parseText(fset, head, u.Item, "\n")
	if err != nil {
		return err
	}
	u.file, u.Decls = f, f.Decls
	return nil
}

func (u *Unit) parseStatement(c *Cell, fset *token.FileSet) error {
	f, err := c.parseText(fset, "package main;func main(){", u.Item, "\n}")
	if err != nil {
		return err
	}
	u.Body = f.Decls[0].(*ast.FuncDecl).Body
	return nil
}

// parseText parses an item between a head and a tail that make it a file. A line
// directive preserves the user's lines and columns. The directory of the file name
// is the number of the cell; its base name is the same in all cells, because the
// interpreter keeps imports by base name.
func (c *Cell) parseText(fset *token.FileSet, head string, it Item, tail string) (*ast.File, error) {
	line, column := c.Place(it.Start)
	text := fmt.Sprintf("%s/*line :%d:%d*/%s%s", head, line, column, c.Text(it), tail)
	f, err := parser.ParseFile(fset, fmt.Sprintf("%d/%s", c.Number, syntax.BaseName), text, parser.SkipObjectResolution)
	if err == nil {
		c.texts[fset.File(f.FileStart)] = text
		return f, nil
	}
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return nil, c.ErrorAt(it.Start, "syntax", err.Error())
	}
	e := list[0]
	endLine, endColumn := c.Place(it.Start + len(strings.TrimRight(c.Text(it), " \t\r\n")))
	if e.Pos.Line > endLine || e.Pos.Line == endLine && e.Pos.Column > endColumn {
		e.Pos.Line, e.Pos.Column, e.Msg = endLine, endColumn, endsEarly
	}
	return nil, c.ErrorIn("syntax", e.Pos.Line, e.Pos.Column, advised(e.Msg))
}
