package assist

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// here is the identifier that is inserted at the cursor, so that the parser and the
// type checker determine what can stand there.
const here = "here" + syntax.AliasMark

// lexeme is a token before the cursor.
type lexeme struct {
	tok        token.Token
	start, end int
	text       string
}

// before is the code before a cursor.
type before struct {
	tokens   []lexeme
	brackets []token.Token // open brackets, the innermost last
	comment  bool          // the cursor is in a comment
	quote    int           // offset of the string that contains the cursor, -1 if none
}

// lex reads the source up to the cursor.
func lex(text string) before {
	b := before{quote: -1}
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	open := false // the last token is not terminated
	s.Init(file, []byte(text), func(_ token.Position, msg string) {
		open = open || strings.HasSuffix(msg, "not terminated")
	}, scanner.ScanComments)
	for {
		open = false
		pos, tok, lit := s.Scan()
		start := file.Offset(pos)
		switch tok {
		case token.EOF:
			return b
		case token.SEMICOLON:
			if lit != ";" {
				continue
			}
			lit = ";"
		case token.LPAREN, token.LBRACE, token.LBRACK:
			b.brackets = append(b.brackets, tok)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if n := len(b.brackets); n > 0 {
				b.brackets = b.brackets[:n-1]
			}
		}
		if lit == "" {
			lit = tok.String()
		}
		end := start + len(lit)
		if end >= len(text) {
			b.comment = tok == token.COMMENT && (open || strings.HasPrefix(lit, "//"))
			if open && tok != token.COMMENT {
				b.quote = start
			}
		}
		if tok != token.COMMENT {
			b.tokens = append(b.tokens, lexeme{tok, start, end, lit})
		}
	}
}

// closers returns the closing brackets.
func (b before) closers() string {
	var out strings.Builder
	for i := len(b.brackets) - 1; i >= 0; i-- {
		switch b.brackets[i] {
		case token.LPAREN:
			out.WriteString(")")
		case token.LBRACK:
			out.WriteString("]")
		default:
			out.WriteString("}")
		}
	}
	return out.String()
}

// site is a name in a source, with the types around it.
type site struct {
	scope *scope
	info  *types.Info
	file  *ast.File
	id    *ast.Ident
	path  []ast.Node // from the file down to id
	above []given    // variables of items before it, in order
}

// given is a variable that a cell declares or assigns to, and what it gives it; nil if
// that is not an expression of its own.
type given struct {
	name  string
	value ast.Expr
}

// givenBy returns the variables of an item.
func givenBy(text string) (out []given) {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main;func _(){"+text+"\n}", parser.SkipObjectResolution)
	if err != nil { // a function, or an import
		return nil
	}
	add := func(name, value []ast.Expr) {
		for i, x := range name {
			if id, ok := x.(*ast.Ident); ok {
				g := given{name: id.Name}
				if len(value) == len(name) {
					g.value = value[i]
				}
				out = append(out, g)
			}
		}
	}
	for _, st := range f.Decls[0].(*ast.FuncDecl).Body.List {
		switch st := st.(type) {
		case *ast.AssignStmt:
			add(st.Lhs, st.Rhs)
		case *ast.DeclStmt:
			for _, spec := range st.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for i, id := range v.Names {
						var value []ast.Expr
						if len(v.Values) == len(v.Names) {
							value = v.Values[i : i+1]
						}
						add([]ast.Expr{id}, value)
					}
				}
			}
		}
	}
	return out
}

// endings complete what may precede the cursor: a header without its block, a case
// without its colon, a call without its closing brackets.
var endings = []string{"", "{}", ":", "()", ";{}", ";;{}", "{};"}

// siteAt analyses source with name inserted at start: the items before it are
// learnt, and its own item is parsed, with one of the endings if necessary, and
// type-checked.
func (a *Assistant) siteAt(source string, start int, name, rest string) *site {
	known := a.Declarations.Snapshot()
	for _, ending := range endings {
		text := source[:start] + name + ending + rest
		c, _ := gofront.NewCell(0, "", text) // errors far from the cursor do not matter
		for _, span := range c.Around(start) {
			f, fset, path := parseSpan(c, span, start, ending == endings[len(endings)-1])
			if path == nil {
				continue
			}
			var above []given
			for _, it := range c.Items {
				if it.End <= span.Start {
					known.learn(c.Documented(it))
					above = append(above, givenBy(c.Text(it))...)
				}
			}
			return &site{scope: known, info: known.check(fset, f, true), file: f, id: path[len(path)-1].(*ast.Ident), path: path, above: above}
		}
	}
	return nil
}

// parseSpan parses a span as a statement or a declaration, and finds the identifier
// at an offset of the cell. If forgiving, it accepts syntax errors.
func parseSpan(c *gofront.Cell, span gofront.Item, offset int, forgiving bool) (*ast.File, *token.FileSet, []ast.Node) {
	for _, wrap := range [][2]string{{"package main;func _(){", "\n}"}, {"package main;", ""}} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", wrap[0]+c.Text(span)+wrap[1], parser.SkipObjectResolution)
		if f == nil || err != nil && !(forgiving && wrap[1] == "") {
			continue
		}
		if path := pathTo(f, f.FileStart+token.Pos(len(wrap[0])+offset-span.Start)); path != nil {
			return f, fset, path
		}
	}
	return nil, nil, nil
}

// pathTo returns the nodes down to the identifier that begins at pos.
func pathTo(f *ast.File, pos token.Pos) []ast.Node {
	var path, found []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if id, ok := n.(*ast.Ident); ok && id.Pos() == pos && found == nil {
			found = append(found, path...)
		}
		return true
	})
	return found
}

// parent returns the node n levels above the identifier.
func (s *site) parent(n int) ast.Node {
	if i := len(s.path) - 1 - n; i >= 0 {
		return s.path[i]
	}
	return nil
}

// operand returns the expression before the dot, if the identifier is a selector.
func (s *site) operand() ast.Expr {
	if sel, ok := s.parent(1).(*ast.SelectorExpr); ok && sel.Sel == s.id {
		return sel.X
	}
	return nil
}

// packageOf returns the import path that an expression names, or "".
func (s *site) packageOf(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	if p, ok := s.info.Uses[id].(*types.PkgName); ok {
		return p.Imported().Path()
	}
	if s.info.Uses[id] == nil && s.info.Defs[id] == nil { // in an item above
		return s.scope.imports[id.Name]
	}
	return ""
}

// literal returns the struct type whose literal has the identifier as a key, or as
// an element that may become one.
func (s *site) literal() types.Type {
	n := 1
	if kv, ok := s.parent(1).(*ast.KeyValueExpr); ok {
		if kv.Key != s.id {
			return nil
		}
		n = 2
	}
	lit, ok := s.parent(n).(*ast.CompositeLit)
	if !ok || lit.Type == s.id {
		return nil
	}
	t := s.info.Types[lit].Type
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return nil
	}
	return t
}

// call returns the call that has the identifier as an argument, and the index of
// the argument.
func (s *site) call() (*ast.CallExpr, int) {
	c, ok := s.parent(1).(*ast.CallExpr)
	if !ok {
		return nil, 0
	}
	for i, a := range c.Args {
		if a == s.id {
			return c, i
		}
	}
	return nil, 0
}
