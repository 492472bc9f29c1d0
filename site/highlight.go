package main

import (
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// classes are those of the style sheet for kinds of tokens; the longest match counts:
// a type of token, its sub-category, its category.
var classes = map[chroma.TokenType]string{
	chroma.Keyword: "k", chroma.KeywordConstant: "l", chroma.LiteralString: "s", chroma.LiteralNumber: "n", chroma.Comment: "c",
	chroma.NameFunction: "f", chroma.GenericPrompt: "c",
}

// highlight writes a piece of code as HTML. link, if there is one, returns the address
// for a name, or "".
func highlight(code, language string, link func(before, name string) string) string {
	lexer := lexers.Get(language)
	if lexer == nil || language == "" {
		return html.EscapeString(code)
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, code)
	if err != nil {
		return html.EscapeString(code)
	}
	var b strings.Builder
	before := ""
	for t := tokens(); t != chroma.EOF; t = tokens() {
		text := html.EscapeString(t.Value)
		class := ""
		for _, kind := range []chroma.TokenType{t.Type, t.Type.SubCategory(), t.Type.Category()} {
			if class = classes[kind]; class != "" {
				break
			}
		}
		address := ""
		if link != nil && t.Type.Category() == chroma.Name {
			address = link(before, t.Value)
		}
		switch {
		case address != "":
			b.WriteString(`<a href="` + html.EscapeString(address) + `">` + text + `</a>`)
		case class != "":
			b.WriteString(`<span class="` + class + `">` + text + `</span>`)
		default:
			b.WriteString(text)
		}
		before = (before + t.Value)[max(0, len(before)+len(t.Value)-40):]
	}
	return b.String()
}

// codeBlock is a block of code.
func codeBlock(code, language string) string {
	return `<pre class="code"><code>` + highlight(strings.TrimRight(code, "\n"), language, nil) + "</code></pre>\n"
}
