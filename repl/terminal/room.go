package terminal

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"unsafe"

	"github.com/reeflective/readline"
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
	if e.startRow != nil {
		*e.startRow = 1
	}
}

// startRow returns where the editor keeps the row of the screen in which the input
// begins, from 1, or nil if this version of it does not. It subtracts that and the rows
// of the input from those of the terminal to know how long a menu may be. Without
// cursor-position-probe the row is unknown, -1 in each frame, and the menu would scroll
// the input off the screen. The first row is right for the longest menu, for which the
// screen has to scroll as far as it can.
func startRow(shell *readline.Shell) *int {
	row := reflect.ValueOf(shell.Display).Elem().FieldByName("startRows")
	if !row.IsValid() || row.Type() != reflect.TypeFor[int]() {
		return nil
	}
	return (*int)(unsafe.Pointer(row.UnsafeAddr()))
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
