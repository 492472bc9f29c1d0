package kernel

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

const (
	flushEvery = 40 * time.Millisecond // what a short cell prints is one message
	flushSize  = 256 << 10             // bytes
)

// output sends what cells print and show to the clients, in order. Printed text
// waits a moment, so that a thousand lines are not a thousand messages.
type output struct {
	kernel *kernel
	cell   atomic.Pointer[json.RawMessage] // parent, for those who hold other locks

	mu      sync.Mutex
	parent  json.RawMessage // header of the running cell, or of the last one
	silent  bool
	instead func(msgType string, content dict) bool // takes the output of a function, if not nil; see divert
	name    string                                  // of the stream that text belongs to
	text    []byte                                  // waiting to be sent
	timer   *time.Timer
	pipes   [2]*pipe // of the process's own streams, if captured
	restore func()
}

var streamNames = [2]string{"stdout", "stderr"}

func newOutput(k *kernel) *output {
	o := &output{kernel: k}
	o.timer = time.AfterFunc(time.Hour, o.tick)
	return o
}

// begin sets the cell to which the following output belongs.
func (o *output) begin(parent json.RawMessage, silent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emit()
	o.parent, o.silent = parent, silent
	o.cell.Store(&parent)
}

// stream returns a writer for what cells print.
func (o *output) stream(name string) io.Writer { return &streamWriter{o, name} }

type streamWriter struct {
	output *output
	name   string
}

func (w *streamWriter) Write(p []byte) (int, error) {
	return w.output.write(w.name, p)
}

func (o *output) write(name string, p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.add(name, p)
	return len(p), nil
}

// add appends text; o.mu must be held.
func (o *output) add(name string, p []byte) {
	if name != o.name {
		o.emit()
		o.name = name
	}
	if len(o.text) == 0 {
		o.timer.Reset(flushEvery)
	}
	if o.text = append(o.text, p...); len(o.text) >= flushSize {
		o.emitUpTo(wholeCharacters(o.text))
	}
}

// wholeCharacters returns the length of b without a truncated character at its end.
func wholeCharacters(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}

// emit sends the waiting text.
func (o *output) emit() { o.emitUpTo(len(o.text)) }

func (o *output) emitUpTo(n int) {
	if n == 0 {
		return
	}
	text := string(bytes.ToValidUTF8(o.text[:n], []byte("\uFFFD")))
	o.text = append(o.text[:0], o.text[n:]...)
	if cap(o.text) > 4*flushSize {
		o.text = bytes.Clone(o.text)
	}
	o.deliver("stream", dict{"name": o.name, "text": text})
}

// deliver publishes an output, unless somebody takes it. o.mu must be held.
func (o *output) deliver(msgType string, content dict) {
	if o.instead != nil && o.instead(msgType, content) {
		return
	}
	if !o.silent {
		o.kernel.publish(msgType, o.parent, content)
	}
}

// divert gives the outputs that follow to take, until restore is called. Those for
// which it returns false are published.
func (o *output) divert(take func(msgType string, content dict) bool) (restore func()) {
	swap := func(to func(string, dict) bool) func(string, dict) bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.drain()
		o.emit()
		before := o.instead
		o.instead = to
		return before
	}
	before := swap(take)
	return func() { swap(before) }
}

// owner returns the header of the cell to which output belongs.
func (o *output) owner() json.RawMessage {
	if p := o.cell.Load(); p != nil {
		return *p
	}
	return nil
}

// tick sends text that has waited long enough. A character that has only partly
// arrived waits for the rest.
func (o *output) tick() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emitUpTo(wholeCharacters(o.text))
	if len(o.text) > 0 {
		o.timer.Reset(flushEvery)
	}
}

// flush sends everything printed so far.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emit()
}

// send sends a message after everything printed before it.
func (o *output) send(msgType string, content dict) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emit()
	o.deliver(msgType, content)
}

// drain reads what was written to the process's own streams, so that it precedes
// what is added next. o.mu must be held.
func (o *output) drain() {
	for i, p := range o.pipes {
		if p != nil {
			p.drain(func(b []byte) { o.add(streamNames[i], b) })
		}
	}
}

// capture captures the process's own streams 1 and 2, to which compiled code
// prints. It returns the original stream 2.
func (o *output) capture() (log *os.File, err error) {
	pipes, log, restore, err := capture()
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	o.pipes, o.restore = pipes, restore
	o.mu.Unlock()
	for i, p := range pipes {
		go p.follow(func(read func(func([]byte))) {
			o.mu.Lock()
			defer o.mu.Unlock()
			read(func(b []byte) { o.add(streamNames[i], b) })
		})
	}
	return log, nil
}

// release restores the process's streams.
func (o *output) release() {
	o.timer.Stop()
	o.mu.Lock()
	restore := o.restore
	o.restore, o.pipes = nil, [2]*pipe{}
	o.mu.Unlock()
	if restore != nil {
		restore() // waits for the readers, who may be waiting for the lock
	}
}
