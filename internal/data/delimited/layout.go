package delimited

import (
	"bytes"
	"math"
	"slices"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"symmom/internal/data/columns"
	"symmom/internal/data/numerals"
)

// Layout is the layout of a table, for parsing.
type Layout struct {
	Delimiter byte
	Style     numerals.Style
	Fields    int           // in a line
	Selected  []int         // the column of values that a field goes to, or one of those below
	N         int           // columns of values
	Single    bool          // values must fit into a float32
	Whole     []atomic.Bool // set for columns of values with whole numbers that float64 rounds
	Codes     *columns.Columns

	scanner numerals.Scanner
	scans   bool // it can be used
}

// Kinds of fields outside the columns of values.
const (
	Skipped  = -1
	IsWeight = -2
	IsLabel  = -3
)

// parse turns the lines of a piece into numbers.
func (f *Layout) parse(p *piece) {
	p.Values, p.Weights, p.Labels, p.rows, p.newlines, p.plain = p.Values[:0], p.Weights[:0], p.Labels[:0], 0, 0, false
	if bytes.IndexByte(p.text, '"') >= 0 {
		return
	}
	// A row has a byte after each field but perhaps the last.
	rows := min(bytes.Count(p.text, []byte{'\n'}), len(p.text)/f.Fields) + 1
	p.Values = slices.Grow(p.Values, rows*f.N)
	for text := p.text; len(text) > 0; {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
			p.newlines++
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

// skip drops the blanks between a delimiter and the next field.
func (f *Layout) skip(line []byte) []byte {
	if f.Delimiter == ' ' {
		return bytes.TrimLeft(line, " \t\v\f\r")
	}
	return line
}

// line parses one that is not empty; false: it is not plain.
func (f *Layout) line(p *piece, line []byte) bool {
	if f.Delimiter == ' ' {
		for _, c := range line {
			if c >= utf8.RuneSelf {
				return false // perhaps a space of another kind
			}
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return f.Fields != 1
		}
	}
	begin := len(p.Values)
	// As long as the row is not whole its values stand in no order.
	p.Values = slices.Grow(p.Values, f.N)[:begin+f.N]
	row := p.Values[begin:]
	fields := 0
	for more := true; more; fields++ {
		if f.scans && fields < f.Fields && f.Selected[fields] >= 0 {
			// Eight bytes are read at a time, so it may look beyond the line.
			v, k := f.scanner.Scan(line[:cap(line)])
			if 0 < k && (k == len(line) || k < len(line) && line[k] == f.Delimiter) && !(f.Single && math.IsInf(float64(float32(v)), 0)) {
				if f.Codes != nil {
					v = f.Codes.Number(f.Selected[fields], v)
				}
				row[f.Selected[fields]] = v
				if math.Abs(v) >= numerals.Exact {
					f.look(f.Selected[fields], line[:k], v)
				}
				if more = k < len(line); more {
					line = f.skip(line[k+1:])
				}
				continue
			}
		}
		field := line
		i := bytes.IndexByte(line, f.Delimiter)
		if more = i >= 0; more {
			field, line = line[:i], f.skip(line[i+1:])
		} else if fields == 0 && f.Fields != 1 && len(bytes.TrimSpace(line)) == 0 {
			p.Values = p.Values[:begin]
			return true // blank
		}
		if fields == f.Fields {
			return false
		}
		to := f.Selected[fields]
		switch to {
		case Skipped:
			continue
		case IsLabel:
			p.Labels = append(p.Labels, field)
			continue
		}
		text := unsafe.String(unsafe.SliceData(field), len(field))
		kind, v := f.Style.Parse(text)
		if f.Codes != nil {
			place := to
			if to == IsWeight {
				place = f.N
			}
			kind, v = f.Codes.Field(place, text, kind, v)
		}
		switch {
		case kind > numerals.Missing:
			return false
		case to == IsWeight:
			if !(v > 0) || math.IsInf(v, 0) {
				return false
			}
			p.Weights = append(p.Weights, v)
		case f.Single && math.IsInf(float64(float32(v)), 0) && !math.IsInf(v, 0):
			return false
		default:
			row[to] = v
			f.look(to, field, v)
		}
	}
	p.rows++
	return fields == f.Fields
}

func (f *Layout) look(to int, field []byte, v float64) {
	if f.Style.Rounds(unsafe.String(unsafe.SliceData(field), len(field)), v) {
		f.Whole[to].Store(true)
	}
}
