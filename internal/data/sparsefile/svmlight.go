package sparsefile

import (
	"bufio"
	"bytes"
	"io"
)

// ReadSVMLight reads lines such as "1 3:2.5 7:1 # text": a label, which is passed to the
// function label unless that is nil, and the entries of an observation by index. Indices
// count from 1 unless one is 0, as scikit-learn takes them. room refuses what does not fit.
func ReadSVMLight(r *bufio.Reader, room func(bytes int) error, label func(text []byte, line int) error) (*Matrix, error) {
	l := &lines{r: r, room: room}
	m := &Matrix{Start: []int{0}}
	zero := false
	checked := 0
	for {
		line, err := l.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if at := bytes.IndexByte(line, '#'); at >= 0 {
			line = line[:at]
		}
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if bytes.IndexByte(fields[0], ':') >= 0 {
			return nil, l.fail("got %s, want a label before the index:value pairs", short(fields[0]))
		}
		if label != nil {
			if err := label(fields[0], l.line); err != nil {
				return nil, err
			}
		}
		before := -1
		for _, f := range fields[1:] {
			index, value, ok := bytes.Cut(f, []byte(":"))
			if ok && string(index) == "qid" {
				continue
			}
			if !ok {
				return nil, l.fail("got %s, want index:value", short(f))
			}
			j, err := l.count(index, 0, "an index")
			if err != nil {
				return nil, err
			}
			if j <= before {
				return nil, l.fail("index %d comes after index %d, want them in ascending order", j, before)
			}
			before = j
			v, err := l.number(value)
			if err != nil {
				return nil, err
			}
			zero = zero || j == 0
			m.N = max(m.N, j)
			m.Column, m.Value = append(m.Column, int32(j)), append(m.Value, v)
		}
		m.Start = append(m.Start, len(m.Value))
		if len(m.Value)+len(m.Start) >= checked {
			checked = len(m.Value) + len(m.Start) + 1<<16
			if err := room(entryBytes * checked); err != nil {
				return nil, err
			}
		}
	}
	m.P = len(m.Start) - 1
	if zero {
		m.N++
		return m, nil
	}
	for k := range m.Column {
		m.Column[k]--
	}
	return m, nil
}
