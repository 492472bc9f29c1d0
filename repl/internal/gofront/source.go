package gofront

import (
	"fmt"
	"go/ast"
	"go/parser"
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

// parseGeneric parses the source of a generic declaration again.
func (w *Writer) parseGeneric(p At, d *genericDecl) *ast.FuncDecl {
	text := fmt.Sprintf("package main;/*line :%d:%d*/%s\n", d.line, d.column, d.text)
	f, err := parser.ParseFile(w.front.fset, d.file, text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		w.fail(p, "internal error: source of generic code: %v", err)
		return nil
	}
	return f.Decls[0].(*ast.FuncDecl)
}
