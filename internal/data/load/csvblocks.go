package load

import (
	"bytes"
	"io"
	"unicode/utf8"

	"symmom/internal/data/delimited"
	"symmom/internal/data/formats"
)

// startBlocks begins to parse what c.in.R has left on all processors, unless that is
// little or the lines are of a kind that is not plain.
func (c *csvReader) startBlocks() {
	size := c.options.piece
	if size == 0 {
		size = delimited.Size
	}
	d := c.options.Delimiter
	begun := c.r.InputOffset()
	if size < 0 || d >= utf8.RuneSelf || begun > int64(len(c.head)) || 0 <= c.in.Length && c.in.Length-begun < int64(size)/4 {
		return
	}
	f := delimited.Layout{Delimiter: byte(d), Style: c.style, Fields: c.fields, N: c.t.n, Single: c.options.Float32, Whole: c.t.whole, Codes: c.t.codes, Selected: make([]int, c.fields)}
	for j := range f.Selected {
		f.Selected[j] = delimited.Skipped
	}
	for a, j := range c.sel.Variables {
		f.Selected[j] = a
	}
	if c.sel.Weights >= 0 {
		f.Selected[c.sel.Weights] = delimited.IsWeight
	}
	if c.t.labels != nil {
		f.Selected[c.sel.Labels] = delimited.IsLabel
	}
	guard := c.lines
	c.newlines = bytes.Count(c.head[:begun], []byte{'\n'})
	// Records end with their lines here.
	c.blocks = delimited.Start(c.in.R, f, size, func() { guard.Records = guard.Passed })
}

// stop ends the goroutines, if there are any.
func (c *csvReader) stop() {
	if c.blocks != nil {
		c.blocks.Stop()
	}
}

// perRow is the mean length of a line so far, in bytes.
func (c *csvReader) perRow() float64 {
	if c.blocks != nil {
		if length := c.blocks.PerRow(); length > 0 {
			return max(1, length)
		}
	}
	return max(1, float64(c.r.InputOffset())/float64(c.t.p))
}

// some takes at least one row and at most most; its error is io.EOF after
// the last.
func (c *csvReader) some(most int) error {
	b := c.blocks
	if b == nil || b.Left() {
		return c.more()
	}
	rows, k, err := b.Take(most, c.t.n)
	switch err {
	case nil:
	case io.EOF:
		return err
	case delimited.ErrNotPlain:
		return c.leaveBlocks()
	default:
		return c.in.ReadError(err)
	}
	for i, label := range rows.Labels {
		if err := c.t.label(label, 0, c.t.p+i); err != nil {
			return err
		}
	}
	c.t.values = append(c.t.values, rows.Values...)
	c.t.weights = append(c.t.weights, rows.Weights...)
	c.t.p += k
	return nil
}

// leaveBlocks goes on with encoding/csv from the current piece, and reads a row.
func (c *csvReader) leaveBlocks() error {
	rest, newlines := c.blocks.Leave()
	c.above += c.newlines + newlines
	c.began = 0
	c.lines = &delimited.Guard{Source: c.in.Name, R: rest, Delimiter: c.options.Delimiter, Lines: c.above}
	c.r = c.dialect(formats.Buffered(c.lines))
	return c.more()
}
