package gofront

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// genericDecl is the source of a generic function, or of a method of a
// generic type.
type genericDecl struct {
	text    string
	file    string // and where it stood
	line    int
	column  int
	objects map[string]types.Object // what its names stand for
	imports map[string]string
}

// parse parses the source again, into a fresh tree.
func (d *genericDecl) parse(fset *token.FileSet) (*ast.FuncDecl, error) {
	text := fmt.Sprintf("package main;/*line :%d:%d*/%s\n", d.line, d.column, d.text)
	f, err := parser.ParseFile(fset, d.file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if len(f.Decls) != 1 {
		return nil, fmt.Errorf("%d declarations", len(f.Decls))
	}
	return f.Decls[0].(*ast.FuncDecl), nil
}
