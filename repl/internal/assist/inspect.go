package assist

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/reference"
)

// Inspection is the documentation of a name.
type Inspection struct {
	Signature string // its declaration, without a body
	Kind      string // as in Completion
	Package   string // import path, "" for names of the session
	Doc       string // its doc comment
	Source    string // its full declaration, if requested and known
	Value     string // for a variable, its value, shortened
	Also      string // other things with that name
}

// textWidth is the width of comments in a terminal, which has a margin.
const textWidth, margin = 78, 2

// Text returns the inspection for a terminal.
func (i Inspection) Text() string { return i.Within(textWidth + margin) }

// Within is Text for a terminal of that width.
func (i Inspection) Within(width int) string {
	var b strings.Builder
	b.WriteString(i.Signature)
	if i.Package != "" && i.Kind != "package" {
		fmt.Fprintf(&b, "    // %s in %s", i.Kind, i.Package)
	}
	part := func(text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			b.WriteString("\n\n" + text)
		}
	}
	part(i.Value)
	part(reference.Text(i.Doc, width-margin))
	part(i.Source)
	part(i.Also)
	return b.String()
}

// String returns Text.
func (i Inspection) String() string { return i.Text() }

// Markdown returns the inspection for a notebook.
func (i Inspection) Markdown() string {
	var b strings.Builder
	code := func(language, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			b.WriteString("```" + language + "\n" + text + "\n```\n\n")
		}
	}
	code("go", i.Signature)
	if i.Package != "" && i.Kind != "package" {
		fmt.Fprintf(&b, "*%s in %s*\n\n", i.Kind, i.Package)
	}
	code("", i.Value)
	if doc := reference.Markdown(i.Doc); doc != "" {
		b.WriteString(doc + "\n")
	}
	code("go", i.Source)
	b.WriteString(i.Also)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Inspect implements Session.Inspect.
func (a *Assistant) Inspect(source string, cursor, detail int) (Inspection, bool) {
	cursor = min(max(cursor, 0), len(source))
	source, skipped := a.goPart(source, cursor)
	cursor -= skipped
	for _, p := range a.Segments(source) {
		if p.Command != "" && p.Start <= cursor && cursor <= p.Start+len(p.Command) {
			return a.commands.Inspect(strings.Trim(strings.Fields(p.Command)[0], "?"))
		}
	}
	start, end := cursor, cursor
	for start > 0 && isIdentByte(source[start-1]) {
		start--
	}
	for end < len(source) && isIdentByte(source[end]) {
		end++
	}
	if i, ok := a.inspectSpan(source, start, end, detail); ok {
		return i, true
	}
	// The name is unknown, or there is none: inspect the function whose arguments
	// it is in.
	start, end = calledName(source[:cursor])
	return a.inspectSpan(source, start, end, detail)
}

// inspectSpan documents the name source[start:end].
func (a *Assistant) inspectSpan(source string, start, end, detail int) (Inspection, bool) {
	name := source[start:end]
	if name == "" || token.IsKeyword(name) {
		return Inspection{}, false
	}
	for _, rest := range []string{source[end:], lex(source[:start]).closers()} {
		if at := a.siteAt(source, start, name, rest); at != nil {
			if i, ok := a.inspectSite(at, detail); ok {
				return i, true
			}
		}
	}
	return Inspection{}, false
}

func isIdentByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= 0x80
}

// calledName returns the name of the function whose arguments text ends in.
func calledName(text string) (start, end int) {
	depth := 0
	tokens := lex(text).tokens
	for i := len(tokens) - 1; i > 0; i-- {
		switch tokens[i].tok {
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth++
		case token.LBRACE, token.LBRACK:
			depth--
		case token.LPAREN:
			if depth--; depth < 0 && tokens[i-1].tok == token.IDENT {
				return tokens[i-1].start, tokens[i-1].end
			}
		}
	}
	return 0, 0
}

// inspectSite documents the name at a site.
func (a *Assistant) inspectSite(at *site, detail int) (Inspection, bool) {
	m := gofront.Member{Object: at.info.Uses[at.id]}
	if m.Object == nil {
		m.Object = at.info.Defs[at.id]
	}
	if x := at.operand(); x != nil {
		sel, _ := at.parent(1).(*ast.SelectorExpr)
		switch selection := at.info.Selections[sel]; {
		case selection != nil:
			m = gofront.Member{Object: selection.Obj(), Owner: ownerOf(selection)}
		case at.packageOf(x) == "" && m.Object == nil:
			// A name of a package that is not imported.
			if id, ok := x.(*ast.Ident); ok && at.info.Uses[id] == nil {
				for _, p := range a.library.Paths(id.Name) {
					for _, e := range a.exports(p) {
						if e.Object.Name() == at.id.Name {
							m = e
						}
					}
				}
			}
		}
	} else if t := at.literal(); t != nil && m.Object == nil {
		gofront.Fields(t, func(o types.Object, owner string) {
			if o.Name() == at.id.Name {
				m = gofront.Member{Object: o, Owner: owner}
			}
		})
	} else if v, ok := m.Object.(*types.Var); ok && v.IsField() && t != nil {
		m.Owner = gofront.TypeNameOf(t)
	}
	if m.Object == nil {
		if at.operand() != nil {
			return Inspection{}, false
		}
		return a.inspectName(at.id.Name, detail)
	}
	return a.inspectMember(at.scope, m, detail), true
}

// ownerOf returns the name of the struct or type that a selection ends in.
func ownerOf(sel *types.Selection) string {
	if f, ok := sel.Obj().(*types.Func); ok {
		return gofront.TypeNameOf(f.Signature().Recv().Type())
	}
	owner := ""
	gofront.Fields(sel.Recv(), func(o types.Object, of string) {
		if o == sel.Obj() {
			owner = of
		}
	})
	return owner
}

func (a *Assistant) inspectMember(sc *scope, m gofront.Member, detail int) Inspection {
	o := m.Object
	if p, ok := o.(*types.PkgName); ok {
		return InspectPackage(p.Imported().Path())
	}
	i := Inspection{Kind: objectKind(o), Signature: types.ObjectString(o, qualify)}
	if o.Pkg() != nil && o.Pkg().Path() != "main" {
		i.Package = o.Pkg().Path()
	}
	if c, ok := o.(*types.Const); ok {
		i.Signature += " = " + c.Val().String()
	}
	d := sc.documentation(m)
	if d != nil {
		i.Doc = d.Doc
		if i.Kind != "constant" && !(i.Kind == "variable" && i.Package != "") {
			i.Signature = d.Signature
		}
		if i.Kind == "field" && m.Owner != "" {
			i.Signature = fmt.Sprintf("%s.%s", m.Owner, d.Signature)
		}
		if detail > 0 {
			i.Source = d.Source
			if i.Source == i.Signature {
				i.Source = ""
			}
		}
	}
	if i.Kind == "type" && d != nil {
		i.Also = methodList(o.Type())
	}
	if i.Kind == "variable" && i.Package == "" {
		i.Signature = "var " + o.Name() + " " + signature(o)
		i.Value = a.of.Text(o.Name())
		if named, ok := namedType(o.Type()); ok {
			if d := sc.documentation(gofront.Member{Object: named.Obj()}); d != nil {
				i.Doc = d.Doc
				if detail > 0 {
					i.Source = d.Source
				}
			}
			i.Also = methodList(named)
		}
	}
	return i
}

func namedType(t types.Type) (*types.Named, bool) {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return n, ok
}

// methodList lists the methods of a type.
func methodList(t types.Type) string {
	var names []string
	for _, m := range gofront.Members(t, false) {
		if objectKind(m.Object) == "method" {
			names = append(names, m.Object.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return reference.Text("Methods: "+strings.Join(names, ", "), textWidth)
}

// InspectPackage documents a package.
func InspectPackage(path string) Inspection {
	i := Inspection{Kind: "package", Package: path, Signature: fmt.Sprintf("import %q", path)}
	p, err := reference.Lookup(path)
	if err != nil {
		return i
	}
	i.Doc = p.Doc
	var lists []string
	for _, kind := range []string{"function", "type", "constant", "variable"} {
		var names []string
		for name, d := range p.Decls {
			if d.Kind == kind && ast.IsExported(name) && !strings.Contains(name, ".") {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			slices.Sort(names)
			lists = append(lists, strings.ToUpper(kind[:1])+kind[1:]+"s: "+strings.Join(names, ", "))
		}
	}
	i.Also = reference.Text(strings.Join(lists, "\n\n"), textWidth)
	return i
}

// inspectName documents a name without a package. If the session does not know it,
// it may be exported by a preloaded package, or be a method there.
func (a *Assistant) inspectName(name string, detail int) (Inspection, bool) {
	if paths := a.library.Paths(name); len(paths) > 0 {
		return InspectPackage(paths[0]), true
	}
	var found []Inspection
	var names []string
	for _, path := range a.library.Preloaded {
		p, err := reference.Lookup(path)
		if err != nil {
			continue
		}
		var keys []string
		for key := range p.Decls {
			owner, member, nested := strings.Cut(key, ".")
			if key == name || nested && member == name && ast.IsExported(owner) {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			d := p.Decls[key]
			i := Inspection{Signature: d.Signature, Kind: d.Kind, Package: path, Doc: d.Doc}
			if detail > 0 {
				i.Source = d.Source
			}
			found = append(found, i)
			names = append(names, p.Name+"."+key)
		}
		if len(found) > 0 {
			break // what is nearer comes first
		}
	}
	if len(found) == 0 || !ast.IsExported(name) {
		return Inspection{}, false
	}
	if len(names) > 1 {
		found[0].Also = "Also: " + strings.Join(names[1:], ", ")
	}
	return found[0], true
}
