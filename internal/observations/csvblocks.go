package observations

import (
	"bytes"
	"io"
	"runtime"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"symmom/internal/numerals"
)

// pieceSize is how much text is parsed at once: long enough that handing it
// over costs nothing, short enough for the second-level cache.
const pieceSize = 512 << 10

// blocks parses text on all processors: one goroutine reads it and cuts it
// after line ends, others turn the pieces into numbers, and the caller gets them
// in order. What is not plain, a quotation mark, a wrong number of fields, a
// field that is no number, is left to encoding/csv and its errors, from the
// piece on where it is.
type blocks struct {
	from    io.Reader
	quit    chan struct{}
	order   chan *piece // as they follow each other
	free    chan *piece
	now     *piece      // being handed out
	taken   int         // rows of it
	newline int         // line ends before it
	text    int         // bytes in the pieces so far
	rows    int         // in them
	left    atomic.Bool // to encoding/csv
}

// piece is some whole lines.
type piece struct {
	text    []byte
	values  []float64
	weights []float64
	rows    int
	plain   bool
	err     error         // of the reader, after the text
	done    chan struct{} // capacity 1: parsed
}

// plainLines is what parsing needs to know of a table.
type plainLines struct {
	delimiter byte
	style     numerals.Style
	fields    int
	selected  []int // the column of values that a field goes to, or one of those below
	n         int
	single    bool // values must fit into a float32
}

const (
	notSelected = -1
	isWeight    = -2
)

// startBlocks begins to read what c.in.r has left, unless that is little or the
// lines are of a kind that is not plain.
func (c *csvReader) startBlocks() {
	size := c.options.piece
	if size == 0 {
		size = pieceSize
	}
	d := c.options.Delimiter
	begun := c.r.InputOffset()
	if size < 0 || d >= utf8.RuneSelf || begun > int64(len(c.head)) || 0 <= c.in.size && c.in.size-begun < int64(size)/4 {
		return
	}
	f := plainLines{delimiter: byte(d), style: c.style, fields: c.fields, n: c.t.n, single: c.options.Float32, selected: make([]int, c.fields)}
	for j := range f.selected {
		f.selected[j] = notSelected
	}
	for a, j := range c.sel.variables {
		f.selected[j] = a
	}
	if c.sel.weights >= 0 {
		f.selected[c.sel.weights] = isWeight
	}
	workers := runtime.GOMAXPROCS(0)
	b := &blocks{from: c.in.r, quit: make(chan struct{}), order: make(chan *piece, workers+1), free: make(chan *piece, workers+3),
		newline: bytes.Count(c.head[:begun], []byte{'\n'})}
	for range cap(b.free) {
		b.free <- &piece{done: make(chan struct{}, 1)}
	}
	work := make(chan *piece, workers+1)
	for range workers {
		go func() {
			for p := range work {
				if !b.left.Load() {
					f.parse(p)
				}
				p.done <- struct{}{}
			}
		}()
	}
	guard := c.lines
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
			// Records end with their lines here.
			guard.records = guard.passed
			rest = rest[:0]
			if p.err == nil {
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
	c.blocks = b
}

// readPiece appends to text until it has size more bytes and a line end.
func readPiece(r io.Reader, text []byte, size int) ([]byte, error) {
	to := len(text) + size
	for {
		if cap(text) < to {
			text = append(make([]byte, 0, to+to/8), text...)
		}
		n, err := io.ReadFull(r, text[len(text):to])
		text = text[:len(text)+n]
		switch {
		case err == io.ErrUnexpectedEOF:
			return text, io.EOF
		case err != nil || bytes.IndexByte(text[len(text)-n:], '\n') >= 0:
			return text, err
		}
		to += size
	}
}

// stop ends the goroutines, if there are any.
func (c *csvReader) stop() {
	if c.blocks != nil {
		close(c.blocks.quit)
	}
}

// perRow is the mean length of a line so far, in bytes.
func (c *csvReader) perRow() float64 {
	if b := c.blocks; b != nil && b.rows > 0 {
		return max(1, float64(b.text)/float64(b.rows))
	}
	return max(1, float64(c.r.InputOffset())/float64(c.t.p))
}

// some takes at least one row and at most most; its error is io.EOF after
// the last.
func (c *csvReader) some(most int) error {
	b := c.blocks
	if b == nil || b.left.Load() {
		return c.more()
	}
	for b.now == nil || b.taken == b.now.rows {
		if p := b.now; p != nil {
			if p.err == io.EOF {
				return io.EOF
			} else if p.err != nil {
				return c.in.readError(p.err)
			}
			b.newline += bytes.Count(p.text, []byte{'\n'})
			b.free <- p
		}
		b.now, b.taken = <-b.order, 0
		<-b.now.done
		b.text += len(b.now.text)
		b.rows += b.now.rows
		if !b.now.plain {
			return c.leaveBlocks()
		}
	}
	p, n := b.now, c.t.n
	k := min(most, p.rows-b.taken)
	c.t.values = append(c.t.values, p.values[b.taken*n:(b.taken+k)*n]...)
	if c.sel.weights >= 0 {
		c.t.weights = append(c.t.weights, p.weights[b.taken:b.taken+k]...)
	}
	b.taken += k
	c.t.p += k
	return nil
}

// leaveBlocks goes on with encoding/csv from the current piece, and reads a row.
func (c *csvReader) leaveBlocks() error {
	b := c.blocks
	b.left.Store(true)
	c.above += b.newline
	c.began = 0
	c.lines = &lines{in: c.in, r: &piecesReader{b, b.now.text}, delimiter: c.options.Delimiter}
	c.r = c.dialect(bufioReader(c.lines))
	return c.more()
}

// piecesReader is the text of the pieces from the current one on.
type piecesReader struct {
	b    *blocks
	rest []byte
}

func (r *piecesReader) Read(p []byte) (int, error) {
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

// parse turns the lines of a piece into numbers.
func (f plainLines) parse(p *piece) {
	p.values, p.weights, p.rows, p.plain = p.values[:0], p.weights[:0], 0, false
	if bytes.IndexByte(p.text, '"') >= 0 {
		return
	}
	for text := p.text; len(text) > 0; {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		if len(line) == 0 {
			continue
		}
		if !f.line(p, line) {
			return
		}
	}
	p.plain = true
}

// line parses one that is not empty; false: it is not plain.
func (f plainLines) line(p *piece, line []byte) bool {
	if f.delimiter == ' ' {
		for _, c := range line {
			if c >= utf8.RuneSelf {
				return false // perhaps a space of another kind
			}
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return f.fields != 1
		}
	}
	begin := len(p.values)
	// As long as the row is not whole its values stand in no order.
	for range f.n {
		p.values = append(p.values, 0)
	}
	row := p.values[begin:]
	fields := 0
	for more := true; more; fields++ {
		field := line
		i := bytes.IndexByte(line, f.delimiter)
		if more = i >= 0; more {
			field, line = line[:i], line[i+1:]
			if f.delimiter == ' ' {
				line = bytes.TrimLeft(line, " \t\v\f\r")
			}
		} else if fields == 0 && f.fields != 1 && len(bytes.TrimSpace(line)) == 0 {
			p.values = p.values[:begin]
			return true // blank
		}
		if fields == f.fields {
			return false
		}
		to := f.selected[fields]
		if to == notSelected {
			continue
		}
		kind, v := f.style.Parse(unsafe.String(unsafe.SliceData(field), len(field)))
		switch {
		case kind > numerals.Missing:
			return false
		case to == isWeight:
			if weightProblem(v) != "" {
				return false
			}
			p.weights = append(p.weights, v)
		case f.single && overflows32(v):
			return false
		default:
			row[to] = v
		}
	}
	p.rows++
	return fields == f.fields
}
