package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// documented lists the packages of the reference.
var documented = []string{"symmom", "charts", "widgets", "datasets", "paper"}

// library is a package, its comments and how to print it.
type library struct {
	*doc.Package
	fset  *token.FileSet
	names map[string]bool // exported: "Name" and "Type.Method"
	all   map[string]*library
	b     strings.Builder
	list  []heading
}

// addReference adds a page for each package.
func (s *site) addReference() error {
	all := map[string]*library{}
	for _, name := range documented {
		l, err := readLibrary(filepath.Join(s.root, name), "symmom/"+name)
		if err != nil {
			return err
		}
		l.all = all
		all[name] = l
	}
	lead := "Made from the doc comments, as go doc has them. In a session fit.Score? shows the same."
	var series []*page
	var list []entry
	for _, name := range documented {
		p := all[name].page()
		series = append(series, p)
		list = append(list, entry{"/" + p.path, "package " + name, p.summary})
	}
	s.add(&page{path: "reference/index.html", title: "Reference", section: "Reference", summary: lead, wide: true,
		lead: template.HTML("Made from the doc comments, as <code>go doc</code> has them. In a session <code>fit.Score?</code> shows the same."), body: entries(list)})
	for _, p := range series {
		s.add(p)
	}
	chain(series)
	return nil
}

// readLibrary reads a package with its examples.
func readLibrary(dir, importPath string) (*library, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	l := &library{fset: token.NewFileSet(), names: map[string]bool{}}
	platform := build.Default
	platform.GOOS, platform.GOARCH = "linux", "amd64"
	var files []*ast.File
	for _, e := range entries {
		if ok, err := platform.MatchFile(dir, e.Name()); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(l.fset, filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if l.Package, err = doc.NewFromFiles(l.fset, files, importPath); err != nil {
		return nil, err
	}
	for _, f := range l.Funcs {
		l.names[f.Name] = true
	}
	for _, v := range append(l.Consts, l.Vars...) {
		for _, name := range v.Names {
			l.names[name] = true
		}
	}
	for _, t := range l.Types {
		l.names[t.Name] = true
		for _, f := range t.Funcs {
			l.names[f.Name] = true
		}
		for _, m := range t.Methods {
			l.names[t.Name+"."+m.Name] = true
		}
		for _, v := range append(t.Consts, t.Vars...) {
			for _, name := range v.Names {
				l.names[name] = true
			}
		}
	}
	return l, nil
}

// address is where a name is documented, or "".
func (l *library) address(pkg, name string) string {
	if pkg == "" || pkg == l.Name {
		if l.names[name] {
			return "#" + name
		}
		return ""
	}
	if other := l.all[pkg]; other != nil && other.names[name] {
		return "/reference/" + pkg + ".html#" + name
	}
	return ""
}

func (l *library) page() *page {
	l.printf(`<p class="import"><code>import "%s"</code></p>`, l.ImportPath)
	l.heading(2, "overview", "Overview", "")
	l.comment(l.Doc, 3)
	l.examples(l.Examples)
	l.index()
	l.values("Constants", l.Consts)
	l.values("Variables", l.Vars)
	if len(l.Funcs) > 0 {
		l.heading(2, "functions", "Functions", "")
		for _, f := range l.Funcs {
			l.function(3, f)
		}
	}
	if len(l.Types) > 0 {
		l.heading(2, "types", "Types", "")
		for _, t := range l.Types {
			l.typ(t)
		}
	}
	return &page{path: "reference/" + l.Name + ".html", title: "package " + l.Name, section: "Reference", summary: l.Synopsis(l.Doc),
		body: template.HTML(l.b.String()), contents: l.list}
}

func (l *library) printf(format string, args ...any) { fmt.Fprintf(&l.b, format+"\n", args...) }

// heading writes a heading; kind is a word before the name.
func (l *library) heading(level int, id, text, kind string) {
	if level == 2 || kind == "type" {
		l.list = append(l.list, heading{level, id, text})
	}
	before := ""
	if kind != "" {
		before = `<span class="kind">` + kind + `</span> `
	}
	name := text
	if id != strings.ToLower(text) {
		name = l.Name + "." + id
	}
	l.printf(`<h%d id="%s" data-name="%s">%s%s <a class="anchor" href="#%s" aria-label="Address of %s">#</a></h%d>`, level, id, html.EscapeString(name), before, html.EscapeString(text), id, html.EscapeString(text), level)
}

// comment writes a doc comment.
func (l *library) comment(text string, level int) {
	p := l.Parser()
	printer := l.Printer()
	printer.HeadingLevel = level
	printer.DocLinkURL = func(link *comment.DocLink) string {
		name := link.Name
		if link.Recv != "" {
			name = link.Recv + "." + name
		}
		return l.address(strings.TrimPrefix(link.ImportPath, "symmom/"), name)
	}
	out := string(printer.HTML(p.Parse(text)))
	out = indented.ReplaceAllStringFunc(out, func(block string) string {
		code := html.UnescapeString(indented.FindStringSubmatch(block)[1])
		return codeBlock(code, guess(code))
	})
	l.b.WriteString(empty.ReplaceAllString(out, "$1"))
}

var (
	indented = regexp.MustCompile(`(?s)<pre>(.*?)</pre>`)
	empty    = regexp.MustCompile(`<a href="">(.*?)</a>`) // a name that has no page
)

// declaration writes a declaration, whose types lead to their documentation.
func (l *library) declaration(node ast.Node) {
	l.b.WriteString(`<pre class="code declaration"><code>` + highlight(l.source(node), "go", func(before, name string) string {
		if m := qualifier.FindStringSubmatch(before); m != nil {
			return l.address(m[1], name)
		}
		if !ast.IsExported(name) || strings.HasSuffix(before, "func ") || strings.HasSuffix(before, ") ") && strings.HasPrefix(before, "func (") || strings.HasSuffix(before, "type ") {
			return ""
		}
		if before == "" || strings.HasSuffix(before, "\n\t") { // a field or a constant declared here
			return ""
		}
		return l.address("", name)
	}) + "</code></pre>\n")
}

var qualifier = regexp.MustCompile(`([a-z]+)\.$`)

func (l *library) source(node ast.Node) string {
	var b bytes.Buffer
	if f, ok := node.(*ast.FuncDecl); ok {
		bare := *f
		bare.Doc, bare.Body = nil, nil
		node = &bare
	}
	if d, ok := node.(*ast.GenDecl); ok {
		bare := *d
		bare.Doc = nil
		node = &bare
	}
	config := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := config.Fprint(&b, l.fset, node); err != nil {
		return err.Error()
	}
	return b.String()
}

// signature is a function on one line.
func (l *library) signature(f *ast.FuncDecl) string {
	return strings.Join(strings.Fields(l.source(f)), " ")
}

// index lists functions and types.
func (l *library) index() {
	l.heading(2, "index", "Index", "")
	l.printf(`<ul class="index">`)
	line := func(id, text string) { l.printf(`<li><a href="#%s">%s</a>`, id, html.EscapeString(text)) }
	for _, f := range l.Funcs {
		line(f.Name, l.signature(f.Decl))
		l.printf("</li>")
	}
	for _, t := range l.Types {
		line(t.Name, "type "+t.Name)
		if len(t.Funcs)+len(t.Methods) > 0 {
			l.printf("<ul>")
			for _, f := range t.Funcs {
				line(f.Name, l.signature(f.Decl))
				l.printf("</li>")
			}
			for _, m := range t.Methods {
				line(t.Name+"."+m.Name, l.signature(m.Decl))
				l.printf("</li>")
			}
			l.printf("</ul>")
		}
		l.printf("</li>")
	}
	l.printf("</ul>")
}

func (l *library) values(title string, list []*doc.Value) {
	if len(list) == 0 {
		return
	}
	l.heading(2, strings.ToLower(title), title, "")
	for _, v := range list {
		l.value(v)
	}
}

func (l *library) value(v *doc.Value) {
	l.printf(`<div class="value">`)
	for _, name := range v.Names {
		if ast.IsExported(name) {
			l.printf(`<span id="%s"></span>`, name)
		}
	}
	l.declaration(v.Decl)
	l.comment(v.Doc, 4)
	l.printf("</div>")
}

func (l *library) function(level int, f *doc.Func) {
	id, kind := f.Name, "func"
	if f.Recv != "" {
		id, kind = strings.TrimPrefix(f.Recv, "*")+"."+f.Name, "method"
	}
	l.heading(level, id, strings.TrimPrefix(id, "*"), kind)
	l.declaration(f.Decl)
	l.comment(f.Doc, min(level+1, 6))
	l.examples(f.Examples)
}

func (l *library) typ(t *doc.Type) {
	l.heading(3, t.Name, t.Name, "type")
	l.declaration(t.Decl)
	l.comment(t.Doc, 4)
	l.examples(t.Examples)
	for _, v := range append(t.Consts, t.Vars...) {
		l.value(v)
	}
	for _, f := range append(t.Funcs, t.Methods...) {
		l.function(4, f)
	}
}

// examples writes the examples of a name, with what they print.
func (l *library) examples(list []*doc.Example) {
	for _, e := range list {
		var b bytes.Buffer
		if err := format.Node(&b, l.fset, &printer.CommentedNode{Node: e.Code, Comments: e.Comments}); err != nil {
			b.Reset()
			_ = format.Node(&b, l.fset, e.Code) // without its comments
		}
		code := b.String()
		if inner, block := strings.CutPrefix(code, "{"); block {
			code = dedent(strings.TrimSuffix(inner, "}"))
		}
		title := "Example"
		if e.Suffix != "" {
			title += ": " + e.Suffix
		}
		l.printf(`<details class="example"><summary>%s</summary>`, html.EscapeString(title))
		l.comment(e.Doc, 5)
		l.b.WriteString(codeBlock(code, "go"))
		if e.Output != "" {
			l.printf(`<p>prints</p><pre class="output">%s</pre>`, html.EscapeString(strings.TrimRight(e.Output, "\n")))
		}
		l.printf("</details>")
	}
}
