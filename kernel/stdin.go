package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"symmom/repl"
)

// input is the standard input of cells: each line is requested from the person at the client
// that runs the cell.
type input struct {
	shell *shell

	reading sync.Mutex // held by the reader
	line    []byte     // the last answer
	at      int        // position in line
	last    int        // size of the last character read

	mu      sync.Mutex // guards what follows
	ctx     context.Context
	asker   *message    // of the running cell
	allowed bool        // by the client
	fresh   bool        // no line was requested yet
	refused bool        // a line was requested in vain
	answer  chan string // not nil while waiting for one
}

func newInput(s *shell) *input { return &input{shell: s} }

// begin and end bracket a cell.
func (in *input) begin(ctx context.Context, m *message, allowed bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ctx, in.asker, in.allowed, in.fresh, in.refused = ctx, m, allowed, true, false
}

func (in *input) end() (refused bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.asker = nil
	return in.refused
}

var errNoInput = errors.New("this client does not let cells read; write the input into the cell")

// ask requests a line from the person.
func (in *input) ask() (string, error) {
	in.mu.Lock()
	ctx, m := in.ctx, in.asker
	if m == nil {
		in.mu.Unlock()
		return "", errors.New("nobody can be asked: the cell has ended")
	}
	allowed, k := in.allowed, in.shell.kernel
	in.refused = in.refused || !allowed
	in.mu.Unlock()
	to := k.stdin.find(m.peer.name())
	// A client that has just connected may still be connecting this socket.
	for begin := time.Now(); allowed && to == nil && time.Since(begin) < time.Second; time.Sleep(time.Millisecond) {
		to = k.stdin.find(m.peer.name())
	}
	if !allowed || to == nil {
		return "", errNoInput
	}
	select {
	case k.asking <- struct{}{}:
		defer func() { <-k.asking }()
	case <-ctx.Done():
		return "", repl.ErrInterrupted
	}
	answer := make(chan string, 1)
	in.mu.Lock()
	in.answer = answer
	in.mu.Unlock()
	defer func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.answer = nil
	}()
	in.shell.output.flush()
	to.send(k.compose(nil, "input_request", m.raw, dict{"prompt": "", "password": false}))
	select {
	case line := <-answer:
		return line, nil
	case <-ctx.Done():
		return "", repl.ErrInterrupted
	}
}

// receiveStdin receives the person's answer.
func (k *kernel) receiveStdin(p caller, frames [][]byte) {
	m := k.accept(p, frames)
	if m == nil || m.MsgType != "input_reply" {
		return
	}
	var c struct {
		Value string `json:"value"`
	}
	if bad := m.read(&c); bad != nil {
		fmt.Fprintln(k.config.Log, "kernel:", bad["evalue"])
		return
	}
	k.mu.Lock()
	shells := k.shells()
	k.mu.Unlock()
	for _, s := range shells {
		s.input.take(c.Value)
	}
}

// take takes an answer, if this is what waits for one.
func (in *input) take(line string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.answer != nil {
		in.answer <- line
		in.answer = nil
	}
}

// more makes sure that there is something to read.
func (in *input) more() error {
	in.last = 0
	in.mu.Lock()
	fresh := in.fresh
	in.fresh = false
	in.mu.Unlock()
	// The rest of a line that an earlier cell requested is not for this cell.
	if !fresh && in.at < len(in.line) {
		return nil
	}
	line, err := in.ask()
	if err != nil {
		return err
	}
	in.line, in.at = append([]byte(line), '\n'), 0
	return nil
}

// Read reads from the answers, each of which is a line.
func (in *input) Read(p []byte) (int, error) {
	in.reading.Lock()
	defer in.reading.Unlock()
	if len(p) == 0 {
		return 0, nil
	}
	if err := in.more(); err != nil {
		return 0, err
	}
	n := copy(p, in.line[in.at:])
	in.at += n
	return n, nil
}

// ReadRune and UnreadRune let fmt.Scan read no further than documented.
func (in *input) ReadRune() (rune, int, error) {
	in.reading.Lock()
	defer in.reading.Unlock()
	if err := in.more(); err != nil {
		return 0, 0, err
	}
	r, n := utf8.DecodeRune(in.line[in.at:])
	in.at += n
	in.last = n
	return r, n, nil
}

// UnreadRune undoes the last ReadRune.
func (in *input) UnreadRune() error {
	in.reading.Lock()
	defer in.reading.Unlock()
	if in.last == 0 {
		return errors.New("no character was read just before")
	}
	in.at -= in.last
	in.last = 0
	return nil
}

var _ io.RuneScanner = (*input)(nil)
