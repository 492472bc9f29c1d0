package main

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensions "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"symmom/kernel/notebook"
)

// document is a Markdown text as HTML.
type document struct {
	title    string
	summary  string // its first paragraph or list, as plain text
	body     template.HTML
	headings []heading
}

// writer writes the nodes of Markdown that the site writes in its own way.
type writer struct {
	s      *site
	file   string // of the source: what links count from
	ids    map[string]bool
	source []byte
	title  *ast.Heading
	doc    document
	err    error
}

// markdown turns a text of the source into HTML. The first heading of level 1 becomes
// the title. IDs in use already are given by ids.
func (s *site) markdown(file string, source []byte, ids map[string]bool) (*document, error) {
	w := &writer{s: s, file: file, ids: ids, source: source}
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(notebook.Formulas{}, 50))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(w, 50))))
	root := md.Parser().Parse(text.NewReader(source))
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, root); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if w.err != nil {
		return nil, fmt.Errorf("%s: %w", file, w.err)
	}
	for n := root.FirstChild(); n != nil && w.doc.summary == ""; n = n.NextSibling() {
		switch n.Kind() {
		case ast.KindParagraph:
			w.doc.summary = notebook.PlainText(n, source)
		case ast.KindList:
			var items []string
			for item := n.FirstChild(); item != nil; item = item.NextSibling() {
				items = append(items, notebook.PlainText(item, source))
			}
			w.doc.summary = strings.Join(items, "; ")
		}
	}
	w.doc.summary = strings.Join(strings.Fields(w.doc.summary), " ")
	w.doc.body = template.HTML(strings.NewReplacer("<table>", `<div class="scroll"><table>`, "</table>", "</table></div>").Replace(b.String()))
	return &w.doc, nil
}

// RegisterFuncs says which nodes w writes.
func (w *writer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, w.heading)
	r.Register(ast.KindLink, w.link)
	r.Register(ast.KindImage, w.image)
	r.Register(ast.KindFencedCodeBlock, w.code)
	r.Register(ast.KindCodeBlock, w.code)
	r.Register(notebook.KindFormula, w.formula)
	r.Register(extensions.KindTableCell, w.cell)
}

func (w *writer) heading(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	if n.Level == 1 && (w.title == nil || w.title == n) {
		w.title, w.doc.title = n, notebook.PlainText(n, source)
		return ast.WalkSkipChildren, nil
	}
	if !entering {
		fmt.Fprintf(b, "</h%d>\n", n.Level)
		return ast.WalkContinue, nil
	}
	title := notebook.PlainText(n, source)
	h := heading{n.Level, unused(title, w.ids), title}
	w.doc.headings = append(w.doc.headings, h)
	fmt.Fprintf(b, `<h%d id="%s">`, n.Level, h.ID)
	return ast.WalkContinue, nil
}

var notInID = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// unused returns an ID made of a heading.
func unused(title string, ids map[string]bool) string {
	id := strings.Trim(notInID.ReplaceAllString(strings.ToLower(title), "-"), "-")
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "s-" + id
	}
	for base, i := id, 2; ids[id]; i++ {
		id = fmt.Sprint(base, "-", i)
	}
	ids[id] = true
	return id
}

// link leads to the page that is made of a file. What the site does not have is no link.
func (w *writer) link(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	address := string(node.(*ast.Link).Destination)
	if !strings.Contains(address, "://") && !strings.HasPrefix(address, "#") {
		file, anchor, _ := strings.Cut(address, "#")
		file = path.Join(path.Dir(w.file), file)
		if !w.s.exists(file) {
			w.err = fmt.Errorf("%s is linked and is not there", address)
		}
		address = w.s.sources[file]
		if address != "" && anchor != "" {
			address += "#" + anchor
		}
	}
	switch {
	case address == "":
	case entering:
		fmt.Fprintf(b, `<a href="%s">`, html.EscapeString(address))
	default:
		fmt.Fprint(b, "</a>")
	}
	return ast.WalkContinue, nil
}

// image copies a picture of the source.
func (w *writer) image(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	file := path.Join(path.Dir(w.file), string(node.(*ast.Image).Destination))
	data, err := w.s.read(file)
	if err == nil {
		var element string
		if element, err = w.s.picture("pictures/"+path.Base(file), data, notebook.PlainText(node, source)); err == nil {
			fmt.Fprint(b, element)
		}
	}
	if err != nil {
		w.err = err
	}
	return ast.WalkSkipChildren, nil
}

func (w *writer) code(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var code strings.Builder
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		code.Write(line.Value(source))
	}
	language := ""
	if n, fenced := node.(*ast.FencedCodeBlock); fenced {
		language = string(n.Language(source))
	} else {
		language = guess(code.String())
	}
	fmt.Fprint(b, codeBlock(code.String(), language))
	return ast.WalkContinue, nil
}

var (
	command = regexp.MustCompile(`^(\$ )?(symmom|make|go|jupyter|python3|pip|docker|apt|npm|spark-submit) `)
	goCode  = regexp.MustCompile(`(?m)^(package |func |import |\w+(, \w+)* := )`)
)

// guess returns the language of a block that does not say it.
func guess(code string) string {
	switch {
	case goCode.MatchString(code):
		return "go"
	case command.MatchString(code):
		return "bash"
	}
	return ""
}

func (w *writer) formula(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		n := node.(*notebook.Formula)
		text, err := w.s.scripts.formula(n.TeX, n.Display)
		if err != nil {
			w.err = err
		}
		fmt.Fprint(b, text)
	}
	return ast.WalkContinue, nil
}

// cell writes a cell of a table; what is aligned to the right holds numbers.
func (w *writer) cell(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extensions.TableCell)
	tag, attributes := "td", ""
	if n.Parent().Kind() == extensions.KindTableHeader {
		tag, attributes = "th", ` scope="col"`
		if n.FirstChild() == nil {
			tag, attributes = "td", ""
		}
	}
	if n.Alignment == extensions.AlignRight {
		attributes += ` class="number"`
	}
	if entering {
		fmt.Fprintf(b, "<%s%s>", tag, attributes)
	} else {
		fmt.Fprintf(b, "</%s>", tag)
	}
	return ast.WalkContinue, nil
}
