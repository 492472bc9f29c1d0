package notebook

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Formula is TeX between dollar signs, as in notebooks.
type Formula struct {
	ast.BaseInline
	TeX     string
	Display bool
}

// KindFormula is the kind of a Formula.
var KindFormula = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (f *Formula) Kind() ast.NodeKind { return KindFormula }

// Dump implements ast.Node.
func (f *Formula) Dump(source []byte, level int) {
	ast.DumpHelper(f, source, level, map[string]string{"TeX": f.TeX}, nil)
}

// Formulas finds them: $...$ on one or more lines of a paragraph, not followed by a
// digit, or $$...$$.
type Formulas struct{}

// Trigger implements parser.InlineParser.
func (Formulas) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser.
func (Formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.Position()
	fence := []byte("$")
	if first, _ := block.PeekLine(); bytes.HasPrefix(first, []byte("$$")) {
		fence = []byte("$$")
	} else if len(first) < 2 || first[1] == ' ' {
		return nil
	}
	block.Advance(len(fence))
	var tex []byte
	for {
		rest, _ := block.PeekLine()
		if rest == nil { // no end: these are dollars
			block.SetPosition(line, segment)
			return nil
		}
		if i := bytes.Index(rest, fence); i >= 0 {
			tex = append(tex, rest[:i]...)
			block.Advance(i + len(fence))
			return &Formula{TeX: string(tex), Display: len(fence) == 2}
		}
		tex = append(tex, rest...)
		block.AdvanceLine()
	}
}
