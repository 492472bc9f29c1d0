package notebook

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	markup "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// Renderer writes the cells of a notebook as HTML. Its zero value is ready for use. Its
// classes are cell, code, output, scroll and error, k, s, n, c and l of highlighted code,
// and ansi-red and similar ones of text with colours.
type Renderer struct {
	Markdown func(c *Cell) (string, error)                       // writes a cell of text
	Code     func(source string) string                          // writes a cell of code
	Output   func(o Output) (shown string, done bool, err error) // writes some outputs, those for which it is done
}

// Body writes the cells.
func (r Renderer) Body(nb *Notebook) (string, error) {
	var b strings.Builder
	for i, c := range nb.Cells {
		shown, err := r.cell(c)
		if err != nil {
			return "", fmt.Errorf("%s, cell %d: %w", nb.name, i+1, err)
		}
		b.WriteString(shown)
	}
	return b.String(), nil
}

func (r Renderer) cell(c *Cell) (string, error) {
	switch {
	case strings.TrimSpace(c.Source()) == "" || c.Type() == "raw":
		return "", nil
	case c.Type() == "markdown" && r.Markdown != nil:
		return r.Markdown(c)
	case c.Type() == "markdown":
		return markdown(c)
	}
	code := goCode
	if r.Code != nil {
		code = r.Code
	}
	var b strings.Builder
	b.WriteString(`<div class="cell">` + "\n" + code(c.Source()))
	for _, o := range c.Outputs() {
		if r.Output != nil {
			shown, done, err := r.Output(o)
			if err != nil {
				return "", err
			}
			if done {
				b.WriteString(shown)
				continue
			}
		}
		shown, err := output(o)
		if err != nil {
			return "", err
		}
		b.WriteString(shown)
	}
	b.WriteString("</div>\n")
	return b.String(), nil
}

// output writes an output in the richest form that it has.
func output(o Output) (string, error) {
	pre := func(class, text string) string {
		return fmt.Sprintf("<pre class=\"output%s\">%s</pre>\n", class, coloured(strings.TrimRight(text, "\n")))
	}
	switch {
	case o.Type() == "error":
		return pre(" error", o.Traceback()), nil
	case o.Type() == "stream" && o.Text("name") == "stderr":
		return pre(" stderr", o.Text("text")), nil
	case o.Type() == "stream":
		return pre("", o.Text("text")), nil
	}
	for _, format := range []string{"text/html", "image/svg+xml"} {
		if rich := o.Data(format); rich != "" {
			return `<div class="output scroll">` + rich + "</div>\n", nil
		}
	}
	for _, format := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		if data := strings.Join(strings.Fields(o.Data(format)), ""); data != "" {
			return fmt.Sprintf(`<div class="output scroll"><img src="data:%s;base64,%s" alt="%s"></div>`+"\n", format, html.EscapeString(data), html.EscapeString(o.Data("text/plain"))), nil
		}
	}
	if text := o.Data("text/markdown"); text != "" {
		shown, err := markdown(&Cell{fields: map[string]any{"source": text}})
		return `<div class="output scroll">` + shown + "</div>\n", err
	}
	return pre("", o.Data("text/plain")), nil
}

// markdown writes the text of a cell. What it has of HTML is kept: who opens the page has
// run the cells.
func markdown(c *Cell) (string, error) {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(Formulas{}, 50))),
		goldmark.WithRendererOptions(markup.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(texts{c}, 50))))
	var b bytes.Buffer
	err := md.Convert([]byte(c.Source()), &b)
	return b.String(), err
}

// texts writes the nodes of Markdown that goldmark does not have, and pictures.
type texts struct{ cell *Cell }

// RegisterFuncs implements renderer.NodeRenderer.
func (t texts) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(KindFormula, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if f := node.(*Formula); entering {
			class := "tex"
			if f.Display {
				class = "tex display"
			}
			fmt.Fprintf(w, `<code class="%s">%s</code>`, class, html.EscapeString(f.TeX))
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindImage, t.image)
}

// image writes a picture, which may be attached to the cell.
func (t texts) image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	address := string(node.(*ast.Image).Destination)
	if name, attached := strings.CutPrefix(address, "attachment:"); attached {
		for format, data := range object(object(t.cell.fields["attachments"])[name]) {
			address = "data:" + format + ";base64," + strings.Join(strings.Fields(str(data)), "")
			if svg := str(data); strings.HasPrefix(strings.TrimSpace(svg), "<") {
				address = "data:" + format + ";base64," + base64.StdEncoding.EncodeToString([]byte(svg))
			}
		}
	}
	if entering {
		fmt.Fprintf(w, `<img src="%s" alt="%s">`, html.EscapeString(address), html.EscapeString(PlainText(node, source)))
	}
	return ast.WalkSkipChildren, nil
}

// PlainText returns the text of a node of Markdown.
func PlainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			case *ast.String:
				b.Write(n.Value)
			case *Formula:
				b.WriteString(n.TeX)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// goCode writes a block of Go.
func goCode(source string) string {
	return `<pre class="code"><code>` + highlight(strings.TrimRight(source, "\n")) + "</code></pre>\n"
}

// highlight marks the kinds of tokens. What is no Go, such as a command of the session,
// stays as it is.
func highlight(source string) string {
	var b strings.Builder
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, scanner.ScanComments)
	at := 0
	for {
		pos, kind, literal := s.Scan()
		class := ""
		switch {
		case kind == token.EOF:
			return b.String() + html.EscapeString(source[at:])
		case kind == token.COMMENT:
			class = "c"
		case kind == token.STRING || kind == token.CHAR:
			class = "s"
		case kind.IsLiteral() && kind != token.IDENT:
			class = "n"
		case kind.IsKeyword():
			class = "k"
		case kind == token.IDENT && constants[literal]:
			class = "l"
		}
		from := file.Offset(pos)
		if class == "" {
			continue
		}
		end := min(from+len(literal), len(source)) // a literal has no carriage returns that the source has
		fmt.Fprintf(&b, `%s<span class="%s">%s</span>`, html.EscapeString(source[at:from]), class, html.EscapeString(source[from:end]))
		at = end
	}
}

var constants = map[string]bool{"true": true, "false": true, "nil": true, "iota": true}
