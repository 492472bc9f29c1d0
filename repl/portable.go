package repl

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
)

// portable is a cell as %save writes it: without _ and Out[n], which a program does not
// have. Variables with the names of those that a session declares stand in their place.
type portable struct {
	text   string
	uses   []int // outputs in text
	number int   // of the cell's own output
	value  int   // where the expression of that begins in text, -1 if there is none
}

// use is an output that a cell uses.
type use struct {
	at, length int // in the cell's text
	number     int
}

func outputName(number int) string { return fmt.Sprintf("Out_%d", number) }

// useOf is the use of an output by an expression of the cell.
func (s *Session) useOf(c *gofront.Cell, x ast.Expr, number int) use {
	p := s.interp.FileSet().Position(x.Pos())
	line := 0
	for range p.Line - 1 {
		line += strings.IndexByte(c.Source[line:], '\n') + 1
	}
	return use{line + p.Column - 1, int(x.End() - x.Pos()), number}
}

// newPortable is the cell of which number is the output, the value of last, if it has
// one.
func newPortable(c *gofront.Cell, uses []use, last *gofront.Checked, number int) *portable {
	p := &portable{number: number, value: -1}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	done := 0
	upTo := func(at int) {
		if last != nil && done <= last.Start && last.Start <= at {
			b.WriteString(c.Source[done:last.Start])
			done, p.value = last.Start, b.Len()
		}
		b.WriteString(c.Source[done:at])
		done = at
	}
	for _, u := range uses {
		upTo(u.at)
		b.WriteString(outputName(u.number))
		done += u.length
		p.uses = append(p.uses, u.number)
	}
	upTo(len(c.Source))
	p.text = b.String()
	return p
}

// program is the text with its output in a variable if other cells need that, and shown
// as before.
func (p *portable) program(needed map[int]bool) string {
	if p.value < 0 || !needed[p.number] {
		return p.text
	}
	name := outputName(p.number)
	return fmt.Sprintf("%s%s := %s\n%s", p.text[:p.value], name, p.text[p.value:], name)
}
