package delimited

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync/atomic"
)

// Size is how much text is parsed at once: long enough that handing it over costs
// nothing, short enough for the second-level cache.
const Size = 512 << 10

// ErrNotPlain is returned by Take where text begins that is not plain.
var ErrNotPlain = errors.New("the text is not plain")

// Reader parses a text piece by piece.
type Reader struct {
	from     io.Reader
	quit     chan struct{}
	order    chan *piece // as they follow each other
	free     chan *piece
	now      *piece      // being handed out
	taken    int         // rows of it
	newlines int         // line ends before it
	text     int         // bytes in the pieces so far
	rows     int         // in them
	left     atomic.Bool // to the caller
}

// piece is some whole lines.
type piece struct {
	Rows
	text     []byte
	rows     int
	newlines int // line ends, if it is plain
	plain    bool
	err      error         // of the reader, after the text
	done     chan struct{} // capacity 1: parsed
}

// Rows are some rows of a table. They are valid until the next call of the Reader.
type Rows struct {
	Values  []float64
	Weights []float64
	Labels  [][]byte
}

// Start begins to read, in pieces of size bytes. read is called after each piece.
func Start(from io.Reader, layout Layout, size int, read func()) *Reader {
	workers := runtime.GOMAXPROCS(0)
	layout.scanner, layout.scans = layout.Style.Scanner()
	b := &Reader{from: from, quit: make(chan struct{}), order: make(chan *piece, workers+1), free: make(chan *piece, workers+3)}
	for range cap(b.free) {
		b.free <- &piece{done: make(chan struct{}, 1)}
	}
	work := make(chan *piece, workers+1)
	for range workers {
		go func() {
			for p := range work {
				if !b.left.Load() {
					layout.parse(p)
				}
				p.done <- struct{}{}
			}
		}()
	}
	go func() {
		defer close(work)
		var rest []byte // a line begun
		for {
			var p *piece
			select {
			case p = <-b.free:
			case <-b.quit:
				return
			}
			p.text = append(p.text[:0], rest...)
			p.text, p.err = readPiece(b.from, p.text, size)
			read()
			rest = rest[:0]
			if p.err != io.EOF { // after that a line needs no end
				end := bytes.LastIndexByte(p.text, '\n') + 1
				rest = append(rest, p.text[end:]...)
				p.text = p.text[:end]
			}
			ended := p.err != nil
			work <- p // of as much room as there are pieces
			select {
			case b.order <- p:
			case <-b.quit:
				return
			}
			if ended {
				return
			}
		}
	}()
	return b
}

// readPiece appends to text until it has size more bytes and a line end. Its error is that
// of r: only io.EOF is an end.
func readPiece(r io.Reader, text []byte, size int) ([]byte, error) {
	to, ended := len(text)+size, false
	for len(text) < to || !ended {
		if len(text) == to {
			to += size
		}
		if cap(text) < to {
			text = append(make([]byte, 0, to+to/8), text...)
		}
		n, err := r.Read(text[len(text):to])
		ended = ended || bytes.IndexByte(text[len(text):len(text)+n], '\n') >= 0
		if text = text[:len(text)+n]; err != nil {
			return text, err
		}
	}
	return text, nil
}

// Stop ends the goroutines.
func (b *Reader) Stop() { close(b.quit) }

// PerRow is the mean length of a line so far, in bytes; 0: not known.
func (b *Reader) PerRow() float64 {
	if b.rows == 0 {
		return 0
	}
	return float64(b.text) / float64(b.rows)
}

// Take returns rows of n values, at least one and at most so many. Its error is io.EOF
// after the last, ErrNotPlain, or one of reading.
func (b *Reader) Take(most, n int) (r Rows, rows int, err error) {
	for b.now == nil || b.taken == b.now.rows {
		if p := b.now; p != nil {
			if p.err != nil {
				return r, 0, p.err
			}
			b.newlines += p.newlines
			b.free <- p
		}
		b.now, b.taken = <-b.order, 0
		<-b.now.done
		b.text += len(b.now.text)
		b.rows += b.now.rows
		if !b.now.plain {
			return r, 0, ErrNotPlain
		}
	}
	p, k := b.now, min(most, b.now.rows-b.taken)
	r.Values = p.Values[b.taken*n : (b.taken+k)*n]
	if len(p.Weights) > 0 {
		r.Weights = p.Weights[b.taken : b.taken+k]
	}
	if len(p.Labels) > 0 {
		r.Labels = p.Labels[b.taken : b.taken+k]
	}
	b.taken += k
	return r, k, nil
}

// Left reports whether Leave was called.
func (b *Reader) Left() bool { return b.left.Load() }

// Leave ends the parsing and returns the text from the current piece on, and the line
// ends before it.
func (b *Reader) Leave() (rest io.Reader, newlines int) {
	b.left.Store(true)
	return &unparsed{b, b.now.text}, b.newlines
}

// unparsed is the text of the pieces from the current one on.
type unparsed struct {
	b    *Reader
	rest []byte
}

func (r *unparsed) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		b := r.b
		if b.now.err != nil {
			return 0, b.now.err
		}
		b.free <- b.now
		b.now = <-b.order
		<-b.now.done
		r.rest = b.now.text
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
