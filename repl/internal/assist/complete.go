package assist

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/text/words"
	"symmom/repl/internal/gofront"
	"symmom/repl/reference"
)

// Completions holds the proposals for a cursor position. Items replace
// source[Start:End]; the offsets are in bytes.
type Completions struct {
	Start, End int
	Items      []Completion
}

// Completion is one proposal.
type Completion struct {
	Text      string
	Kind      string // package, function, method, field, variable, constant, type, keyword, command, file
	Signature string // its signature, or its type
	Doc       string // the first sentence of its documentation
}

// Complete implements Session.Complete.
func (a *Assistant) Complete(source string, cursor int) Completions {
	cursor = min(max(cursor, 0), len(source))
	if c, ok := a.commands.Complete(source, cursor); ok {
		return c
	}
	source, skipped := a.goPart(source, cursor)
	out := a.CompleteGo(source, cursor-skipped)
	out.Start, out.End = out.Start+skipped, out.End+skipped
	return out
}

// CompleteGo is like Complete for source without commands.
func (a *Assistant) CompleteGo(source string, cursor int) Completions {
	b := lex(source[:cursor])
	out := Completions{Start: cursor, End: cursor}
	n := len(b.tokens)
	switch {
	case b.comment:
		return out
	case b.quote >= 0:
		return a.completeString(source, cursor, b)
	case n > 0 && b.tokens[n-1].end == cursor:
		switch last := b.tokens[n-1]; {
		case last.tok == token.IDENT || last.tok.IsKeyword():
			out.Start = last.start
			n--
		case last.tok.IsLiteral():
			return out // a number, or directly after a string
		}
	}
	prefix := source[out.Start:cursor]
	at := a.siteAt(source, out.Start, here, b.closers())
	if at == nil {
		return out
	}
	if n > 0 && b.tokens[n-1].tok == token.PERIOD {
		out.Items = a.completeSelector(at, prefix)
		return out
	}
	if t := at.literal(); t != nil {
		if out.Items = at.scope.Completions(gofront.Keys(t), prefix); len(out.Items) > 0 {
			return out
		}
	}
	items := at.scope.Completions(at.visible(), "")
	for t := token.BREAK; t <= token.VAR; t++ {
		items = append(items, Completion{Text: t.String(), Kind: "keyword"})
	}
	out.Items = Matching(items, prefix)
	return out
}

func (a *Assistant) completeSelector(at *site, prefix string) []Completion {
	x := at.operand()
	if x == nil {
		return nil
	}
	if p := at.packageOf(x); p != "" {
		return at.scope.Completions(a.exports(p), prefix)
	}
	tv := at.info.Types[x]
	if tv.Type == nil || tv.Type == types.Typ[types.Invalid] {
		// The names of a package that is not imported yet.
		if id, ok := x.(*ast.Ident); ok {
			for _, p := range a.library.Paths(id.Name) {
				if items := at.scope.Completions(a.exports(p), prefix); len(items) > 0 {
					return items
				}
			}
		}
		return nil
	}
	return at.scope.Completions(gofront.Members(tv.Type, tv.IsType()), prefix)
}

// Completions describes the members that match.
func (s *scope) Completions(list []gofront.Member, prefix string) []Completion {
	byText := map[string]gofront.Member{}
	var out []Completion
	for _, m := range list {
		out = append(out, Completion{Text: m.Object.Name(), Kind: objectKind(m.Object)})
		byText[m.Object.Name()] = m
	}
	out = Matching(out, prefix)
	for i := range out {
		m := byText[out[i].Text]
		out[i].Signature = signature(m.Object)
		if p, ok := m.Object.(*types.PkgName); ok {
			if doc, err := reference.Lookup(p.Imported().Path()); err == nil {
				out[i].Doc = reference.Synopsis(doc.Doc)
			}
		} else if d := s.documentation(m); d != nil {
			out[i].Doc = reference.Synopsis(d.Doc)
		}
	}
	return out
}

// Matching returns the items that begin with prefix; if there are none, those that
// do so ignoring case.
func Matching(items []Completion, prefix string) []Completion {
	var exact, folded []Completion
	for _, c := range items {
		if strings.HasPrefix(c.Text, prefix) {
			exact = append(exact, c)
		} else if len(c.Text) >= len(prefix) && strings.EqualFold(c.Text[:len(prefix)], prefix) {
			folded = append(folded, c)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return folded
}

// completeString completes an import path, a name that the library knows, the value of a field, or
// the path of a file where a function expects one.
func (a *Assistant) completeString(source string, cursor int, b before) Completions {
	text := source[b.quote+1 : cursor]
	out := Completions{Start: b.quote + 1, End: cursor}
	if isImport(b) {
		for _, p := range slices.Sorted(maps.Keys(a.library.Names)) {
			if strings.HasPrefix(p, text) && p != "" {
				c := Completion{Text: p, Kind: "package"}
				if doc, err := reference.Lookup(p); err == nil {
					c.Doc = reference.Synopsis(doc.Doc)
				}
				out.Items = append(out.Items, c)
			}
		}
		return out
	}
	at := a.siteAt(source, b.quote, here, b.closers())
	if at == nil {
		return out
	}
	if out.Items = Matching(a.names(at), text); len(out.Items) > 0 {
		return out
	}
	call, i := at.call()
	if call == nil {
		out.Items = Matching(a.fieldValues(at), text)
		return out
	}
	sig, ok := at.info.Types[call.Fun].Type.(*types.Signature)
	if !ok || i >= sig.Params().Len() {
		return out
	}
	switch name := sig.Params().At(i).Name(); {
	case name == "path", name == "file", name == "filename", name == "dir":
	case name == "name" && at.packageOf(qualifier(call.Fun)) == "os":
	default:
		return out
	}
	return CompleteFile(out, text)
}

// qualifier returns the expression before the dot of x, or nil.
func qualifier(x ast.Expr) ast.Expr {
	if sel, ok := x.(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// isImport reports whether the string at the end is an import path.
func isImport(b before) bool {
	tokens := b.tokens[:len(b.tokens)-1]
	for len(tokens) > 0 {
		switch tokens[len(tokens)-1].tok {
		case token.IMPORT:
			return true
		case token.IDENT, token.PERIOD, token.LPAREN, token.STRING, token.SEMICOLON:
			tokens = tokens[:len(tokens)-1]
		default:
			return false
		}
	}
	return false
}

// CompleteFile completes the path of a file that begins with text. Items replace
// its last element.
func CompleteFile(out Completions, text string) Completions {
	dir, base := path.Split(text)
	out.Start = out.End - len(base)
	entries, err := os.ReadDir(filepath.FromSlash(cmp.Or(dir, ".")))
	if err != nil {
		return out
	}
	var items []Completion
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		c := Completion{Text: name, Kind: "file"}
		if info, err := os.Stat(filepath.Join(filepath.FromSlash(dir), name)); err == nil {
			if info.IsDir() {
				c.Text += "/"
				c.Signature = "directory"
			} else {
				c.Signature = words.FileSize(info.Size())
			}
		}
		items = append(items, c)
	}
	slices.SortFunc(items, func(a, b Completion) int { return gofront.CompareNames(a.Text, b.Text) })
	out.Items = Matching(items, base)
	return out
}
