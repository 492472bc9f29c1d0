package terminal

import (
	"fmt"
	"os"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// reserveRows scrolls the terminal so that the input and one row below it fit below
// the cursor. The editor goes down one row and up again to clear what is there; on
// the last row of the screen it only goes up, and the next result would overwrite
// the input: see cursor-position-probe. The editor calls this, as its highlighter,
// before it writes a frame, with the cursor where the last frame left it.
func (e *editor) reserveRows(line []rune) {
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || width <= 0 {
		return
	}
	indent := uniseg.StringWidth(e.prompt)
	need := min(inputRows(line, indent, width)-e.row, height-1)
	if need > 0 {
		// Index moves down in the same column, and scrolls in the last row.
		fmt.Print(strings.Repeat("\x1bD", need), fmt.Sprintf("\x1b[%dA", need))
	}
	e.row = inputRows(line[:min(e.shell.Cursor().Pos(), len(line))], indent, width) - 1
}

// inputRows returns the number of rows of the terminal that an input takes: all its
// lines begin after the prompt.
func inputRows(input []rune, indent, width int) int {
	rows := 0
	for line := range strings.SplitSeq(string(input), "\n") {
		rows += 1 + (indent+uniseg.StringWidth(strings.ReplaceAll(line, "\t", "     ")))/width
	}
	return rows
}
