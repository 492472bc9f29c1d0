package sparsefile

import (
	"bufio"
	"bytes"
)

// SVMLight reads lines such as "1 3:2.5 7:1 # text": a label and the entries of an observation
// by index. Indices count from 1 unless one is 0, as scikit-learn takes them.
func SVMLight(r *bufio.Reader) *Rows {
	l, rows := &lines{r: r}, &Rows{}
	rows.next = func(m *Matrix) error {
		for {
			line, err := l.next()
			if err != nil {
				return err
			}
			if at := bytes.IndexByte(line, '#'); at >= 0 {
				line = line[:at]
			}
			if fields := bytes.Fields(line); len(fields) > 0 {
				return rows.labelled(m, l, fields)
			}
		}
	}
	return rows
}

// labelled adds a line of svmlight.
func (r *Rows) labelled(m *Matrix, l *lines, fields [][]byte) error {
	if bytes.IndexByte(fields[0], ':') >= 0 {
		return l.fail("got %s, want a label before the index:value pairs", short(fields[0]))
	}
	if r.Label != nil {
		if err := r.Label(fields[0], l.line); err != nil {
			return err
		}
	}
	before := -1
	for _, f := range fields[1:] {
		index, value, ok := bytes.Cut(f, []byte(":"))
		if ok && string(index) == "qid" {
			continue
		}
		if !ok {
			return l.fail("got %s, want index:value", short(f))
		}
		j, err := l.count(index, 0, "an index")
		if err != nil {
			return err
		}
		if j <= before {
			return l.fail("index %d comes after index %d, want them in ascending order", j, before)
		}
		before = j
		v, err := l.number(value)
		if err != nil {
			return err
		}
		m.Column, m.Value = append(m.Column, int32(j)), append(m.Value, v)
	}
	return nil
}
