package assist

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strings"

	"symmom/repl/internal/gofront"
)

// Segment is a part of a cell: a session command, or Go.
type Segment struct {
	Start   int    // offset in the cell
	Command string // the line, "" for Go
	Body    string // Go; for a command with two percent signs, what follows it
}

// question matches a line that asks about a name: ?name or name?, with a second
// question mark for the source.
var question = regexp.MustCompile(`^(\?\??\s*%?[\pL_][\pL\d_./]*|%?[\pL_][\pL\d_./]*\s*\?\??|\?)$`)

func isCommand(line string) bool {
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") || question.MatchString(line)
}

// negates reports whether a line that begins with an exclamation mark is Go: it begins an
// expression that can be a bool, of names that are declared.
func (a *Assistant) negates(source string, start, end int) bool {
	const head = "package main;func _(){"
	var body *ast.BlockStmt
	for {
		c, err := gofront.NewCell(0, "", source[start:end])
		if err != nil {
			return false
		}
		if c.Whole || end == len(source) {
			f, err := parser.ParseFile(token.NewFileSet(), "", head+source[start:end]+"\n}", parser.SkipObjectResolution)
			if err != nil {
				return false
			}
			body = f.Decls[0].(*ast.FuncDecl).Body
			break
		}
		end = lineEnd(source, end)
	}
	x, ok := body.List[0].(*ast.ExprStmt)
	return ok && isNegation(x.X) && a.knows(x.X, source[:start])
}

// isNegation reports whether an expression begins with the negation of a bool and can be
// one itself.
func isNegation(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		if id, ok := x.X.(*ast.Ident); ok && id.Name != "true" && id.Name != "false" && types.Universe.Lookup(id.Name) != nil {
			return false // a command: a type or a builtin function is no bool
		}
		return x.Op == token.NOT
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR, token.EQL, token.NEQ:
			return isNegation(x.X)
		}
	}
	return false
}

// knows reports whether the names in an expression are declared, by cells or by the
// source above it.
func (a *Assistant) knows(x ast.Expr, above string) bool {
	names := map[string]bool{}
	for _, t := range lex(above).tokens {
		switch t.tok {
		case token.IDENT:
			names[t.text] = true
		case token.STRING: // of an import
			names[path.Base(strings.Trim(t.text, "\"`"))] = true
		}
	}
	known := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			known = known && a.knows(n.X, above)
			return false
		case *ast.KeyValueExpr:
			known = known && a.knows(n.Value, above)
			return false
		case *ast.Ident:
			known = known && (types.Universe.Lookup(n.Name) != nil || names[n.Name] || a.Declarations.Has(n.Name))
		}
		return known
	})
	return known
}

// lineEnd returns where the line at start ends.
func lineEnd(source string, start int) int {
	if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
		return start + i + 1
	}
	return len(source)
}

// Segments splits a cell. A line is a command if it begins with a percent sign or
// an exclamation mark, or is a question, and if the source above it is complete; so
// a percent sign that divides, or one in a raw string, remains Go. So does the
// negation of something that is declared.
func (a *Assistant) Segments(source string) []Segment {
	var out []Segment
	from := 0 // of the current Go segment
	for start := 0; start < len(source); {
		end := lineEnd(source, start)
		line := strings.TrimSpace(source[start:end])
		if isCommand(line) && !(strings.HasPrefix(line, "!") && a.negates(source, start, end)) {
			above := source[from:start]
			if c, err := gofront.NewCell(0, "", above); err == nil && c.Whole {
				if strings.TrimSpace(above) != "" {
					out = append(out, Segment{Start: from, Body: above})
				}
				if strings.HasPrefix(line, "%%") {
					return append(out, Segment{Start: start, Command: line, Body: source[end:]})
				}
				out = append(out, Segment{Start: start, Command: line})
				from = end
			}
		}
		start = end
	}
	if rest := source[from:]; strings.TrimSpace(rest) != "" || len(out) == 0 {
		out = append(out, Segment{Start: from, Body: rest})
	}
	return out
}

// goPart returns the Go that contains the cursor, and its offset.
func (a *Assistant) goPart(source string, cursor int) (part string, start int) {
	for _, p := range a.Segments(source) {
		end := p.Start + len(p.Body)
		from := p.Start
		if p.Command != "" {
			if !strings.HasPrefix(p.Command, "%%") {
				continue
			}
			end = len(source)
			from = end - len(p.Body)
		}
		if from <= cursor && cursor <= end {
			return source[from:end], from
		}
	}
	return source, 0
}
