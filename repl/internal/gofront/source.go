package gofront

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// Generic is the source of a generic function, or of a method of a generic type.
type Generic struct {
	Text    string
	File    string // position of Text
	Line    int
	Column  int
	Objects map[string]types.Object // what its names refer to
	Imports map[string]string
	Package string // that was compiled in and has it, or ""
}

// Parse parses the source into a new tree.
func (d *Generic) Parse(fset *token.FileSet) (*ast.FuncDecl, error) {
	text := fmt.Sprintf("package main;/*line :%d:%d*/%s\n", d.Line, d.Column, d.Text)
	f, err := parser.ParseFile(fset, d.File, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if len(f.Decls) != 1 {
		return nil, fmt.Errorf("%d declarations", len(f.Decls))
	}
	return f.Decls[0].(*ast.FuncDecl), nil
}
