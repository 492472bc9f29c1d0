package kernel

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	flushEvery = 40 * time.Millisecond // what a short cell prints is one message
	flushSize  = 256 << 10             // bytes
)

// output is what cells print and show, on its way to the clients, in one
// order. What is printed waits a moment, so that a thousand lines are not a
// thousand messages.
type output struct {
	kernel *kernel

	mu      sync.Mutex
	parent  json.RawMessage // header of the cell that runs, or ran last
	silent  bool
	name    string // of the stream that text belongs to
	text    []byte // that waits
	timer   *time.Timer
	pipes   [2]*pipe // of the process's own streams, where they are taken
	restore func()
}

var streamNames = [2]string{"stdout", "stderr"}

func newOutput(k *kernel) *output {
	o := &output{kernel: k}
	o.timer = time.AfterFunc(time.Hour, o.tick)
	return o
}

// begin says to which cell belongs what comes from now on.
func (o *output) begin(parent json.RawMessage, silent bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emit()
	o.parent, o.silent = parent, silent
}

// stream is a writer for what cells print.
func (o *output) stream(name string) io.Writer { return &streamWriter{o, name} }

type streamWriter struct {
	output *output
	name   string
}

func (w *streamWriter) Write(p []byte) (int, error) {
	w.output.mu.Lock()
	defer w.output.mu.Unlock()
	w.output.drain()
	w.output.add(w.name, p)
	return len(p), nil
}

// add takes in text, with o.mu held.
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

// wholeCharacters is the length of b without a character that is cut off.
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

// emit sends what waits.
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
	if !o.silent {
		o.kernel.publish("stream", o.parent, dict{"name": o.name, "text": text})
	}
}

// tick sends what has waited long enough. A character of which only a part
// has come waits for the rest.
func (o *output) tick() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emitUpTo(wholeCharacters(o.text))
	if len(o.text) > 0 {
		o.timer.Reset(flushEvery)
	}
}

// flush sends all that was printed until now.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emit()
}

// send sends a message after what was printed before it.
func (o *output) send(msgType string, content dict) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.emit()
	if !o.silent {
		o.kernel.publish(msgType, o.parent, content)
	}
}

// drain takes in what was written to the process's own streams, with o.mu
// held, so that it comes before what is added next.
func (o *output) drain() {
	for i, p := range o.pipes {
		if p != nil {
			p.drain(func(b []byte) { o.add(streamNames[i], b) })
		}
	}
}

// capture takes the process's own streams 1 and 2: compiled code prints
// there. It returns what was the stream 2.
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

// release gives the process its streams back.
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
