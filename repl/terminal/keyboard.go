package terminal

import (
	"os"
	"time"
)

// keyboard is the terminal as cells read it. It is opened once more where it can then be
// read without blocking, so that the end of a cell is the end of its reads: one left behind
// by an interrupt would take the first key of the next line.
type keyboard struct{ shared, own *os.File }

// newKeyboard returns the keyboard of a terminal.
func newKeyboard(terminal *os.File) *keyboard {
	k := &keyboard{terminal, terminal}
	if f := reopen(terminal); f != nil {
		k.own = f
	}
	return k
}

func (k *keyboard) Read(p []byte) (int, error) { return k.own.Read(p) }

// File is the terminal for programs that cells start: what does not block would surprise them.
func (k *keyboard) File() *os.File { return k.shared }

// ForCells is os.Stdin in cells.
func (k *keyboard) ForCells() *os.File { return k.own }

// AllowReads lets cells read, or ends their reads.
func (k *keyboard) AllowReads(allow bool) {
	if k.own == k.shared {
		return
	}
	var until time.Time
	if !allow {
		until = time.Unix(1, 0)
	}
	_ = k.own.SetReadDeadline(until) // it blocks after all if a cell has asked for its descriptor
}

func (k *keyboard) close() {
	if k.own != k.shared {
		k.own.Close()
	}
}
