package main

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// formula is TeX between dollar signs, as in notebooks.
type formula struct {
	ast.BaseInline
	tex     string
	display bool
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (f *formula) Kind() ast.NodeKind { return kindFormula }

// Dump implements ast.Node.
func (f *formula) Dump(source []byte, level int) {
	ast.DumpHelper(f, source, level, map[string]string{"TeX": f.tex}, nil)
}

// formulas finds them: $...$ on one or more lines of a paragraph, not followed by a
// digit, or $$...$$.
type formulas struct{}

// Trigger implements parser.InlineParser.
func (formulas) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
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
			return &formula{tex: string(tex), display: len(fence) == 2}
		}
		tex = append(tex, rest...)
		block.AdvanceLine()
	}
}
