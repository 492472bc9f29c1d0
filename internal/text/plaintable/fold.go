// Package plaintable fits text to the width of a terminal, which would break it within words and
// numbers: lines are broken at spaces, and continuations are indented to their column.
// Columns of tables that do not fit are printed below the others.
package plaintable

import (
	"io"
	"os"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

const (
	column  = 2  // spaces separate columns from so many on
	least   = 20 // columns of the terminal that text is wrapped in
	hanging = 2  // deeper than its first line, text that has no name before it
	naming  = 24 // at most, with the spaces behind them, take names
)

// Width returns the number of columns of a terminal, or 0 if w is not one.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Text returns text without lines wider than width. Words that do not fit on a line stay
// whole, and lines with tabs, escapes or the brackets of a matrix are not broken. Text is
// unchanged if width is too small, as without a terminal.
func Text(text string, width int) string {
	if width < 2*least || !wider(text, width) {
		return text
	}
	var lines []line
	for s := range strings.SplitSeq(text, "\n") {
		lines = append(lines, parse(s))
	}
	var out []string
	for len(lines) > 0 {
		n, columns := tableIn(lines)
		folded := foldTable(lines[:n], columns, width)
		if folded == nil {
			for _, l := range lines[:n] {
				folded = append(folded, l.fold(width)...)
			}
		}
		out, lines = append(out, folded...), lines[n:]
	}
	return strings.Join(out, "\n")
}

// wider reports whether a line of text is wider than width.
func wider(text string, width int) bool {
	for s := range strings.SplitSeq(text, "\n") {
		if uniseg.StringWidth(s) > width {
			return true
		}
	}
	return false
}

// line is a line, and what stands in each column of the terminal: the second one of a wide
// character is empty.
type line struct {
	text   string
	cells  []string
	pieces []span // separated by two or more spaces
}

type span struct{ from, to int }

func parse(text string) line {
	l := line{text: text}
	if strings.ContainsAny(text, "\t\x1b\r⎡⎢⎣") {
		return l
	}
	before := "" // without a width of its own
	for g := uniseg.NewGraphemes(text); g.Next(); {
		switch {
		case g.Width() > 0:
			l.cells, before = append(l.cells, before+g.Str()), ""
		case len(l.cells) > 0:
			l.cells[len(l.cells)-1] += g.Str()
		default:
			before += g.Str()
		}
		for range g.Width() - 1 {
			l.cells = append(l.cells, "")
		}
	}
	l.pieces = spans(len(l.cells), func(i int) bool { return l.cells[i] == " " }, column)
	return l
}

// spans returns the spans between runs of at least least blanks.
func spans(n int, blank func(i int) bool, least int) (all []span) {
	for i := 0; i < n; i++ {
		if blank(i) {
			continue
		}
		if last := len(all) - 1; last >= 0 && i-all[last].to < least {
			all[last].to = i + 1
		} else {
			all = append(all, span{i, i + 1})
		}
	}
	return all
}

func (l line) width() int { return len(l.cells) }

// part is the text between two columns of the terminal.
func (l line) part(from, to int) string {
	return strings.Join(l.cells[min(from, len(l.cells)):min(to, len(l.cells))], "")
}

// fold breaks a line that belongs to no table.
func (l line) fold(width int) []string {
	if l.width() <= width || len(l.pieces) == 0 {
		return []string{l.text}
	}
	hang := l.pieces[0].from + hanging
	if len(l.pieces) > 1 && l.pieces[1].from <= min(naming, width/2) { // a name, and what it is
		hang = l.pieces[1].from
	}
	w := writer{width: width}
	for i, p := range l.pieces {
		gap, size := p.from, p.to-p.from
		if i > 0 {
			gap -= l.pieces[i-1].to
			if w.at+gap+size > width && (hang+size <= width || w.at+gap+least > width) {
				w.next(hang)
				gap = 0
			}
		}
		w.put(strings.Repeat(" ", gap), gap)
		w.words(l, p, hang)
	}
	return append(w.lines, w.now)
}

// writer writes lines of limited width.
type writer struct {
	width int
	lines []string
	now   string // the line that has not ended
	at    int    // its width
}

func (w *writer) put(text string, width int) { w.now, w.at = w.now+text, w.at+width }

// next begins a line.
func (w *writer) next(indent int) {
	w.lines = append(w.lines, w.now)
	w.now, w.at = strings.Repeat(" ", indent), indent
}

// words writes the words of a part of a line, on lines with that indent except for the first.
func (w *writer) words(of line, part span, indent int) {
	words := spans(part.to-part.from, func(i int) bool { return of.cells[part.from+i] == " " }, 1)
	for k, word := range words {
		size := word.to - word.from
		switch {
		case k == 0:
		case w.at+1+size > w.width:
			w.next(indent)
		default:
			w.put(" ", 1)
		}
		w.put(of.part(part.from+word.from, part.from+word.to), size)
	}
}
