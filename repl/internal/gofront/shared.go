package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The variables of packages are those that the session itself and the packages below it
// use: after io.EOF = nil nothing that is read ends, and context.Canceled = nil ends the
// process. So cells set only those that are made to be set.

// settings are the variables of the standard library that cells may set.
var settings = map[string]bool{
	"flag.CommandLine": true, "flag.Usage": true, "os.Args": true, "os.Stdin": true, "os.Stdout": true, "os.Stderr": true,
	"net/http.DefaultClient": true, "net/http.DefaultTransport": true, "net/http.DefaultServeMux": true,
	"net.DefaultResolver": true, "time.Local": true, "go/build.Default": true, "encoding/xml.HTMLEntity": true,
}

// shared rejects what sets another variable of the standard library, or takes its address.
func (sc *Scope) shared(decls []ast.Decl, info *types.Info) error {
	var err error
	set := func(x ast.Expr) {
		id, _ := ast.Unparen(x).(*ast.Ident)
		if sel, is := ast.Unparen(x).(*ast.SelectorExpr); is {
			id = sel.Sel
		}
		if id == nil || err != nil {
			return
		}
		v, is := info.Uses[id].(*types.Var)
		if !is || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || v.Pkg().Path() == "main" {
			return
		}
		path := v.Pkg().Path()
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || settings[path+"."+v.Name()] {
			return
		}
		err = sc.ErrorAtPos(id.Pos(), fmt.Sprintf("%s.%s cannot be set in a cell: the session uses it, too; copy it: own := %[1]s.%[2]s", v.Pkg().Name(), v.Name()))
	}
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, x := range n.Lhs {
						set(x)
					}
				}
			case *ast.IncDecStmt:
				set(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					set(n.Key)
					set(n.Value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					set(n.X)
				}
			}
			return err == nil
		})
	}
	return err
}
