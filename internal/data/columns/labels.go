package columns

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
)

// Most is how many different labels there may be: more name observations and not
// groups of them.
const Most = 1000

// Missing names the group of rows without a label.
const Missing = "(missing)"

// Column is a label for each observation. It is never changed.
type Column struct {
	Name  string   // of the column
	Names []string // of the groups: numbers in their order before text in its, Missing last
	Codes []uint16 // the group of each observation

	missing bool // the last group is Missing
}

// MissingGroup returns the number of the group without a label, -1 if there is none.
func (c *Column) MissingGroup() int {
	if c.missing {
		return len(c.Names) - 1
	}
	return -1
}

// Of returns the label of observation l.
func (c *Column) Of(l int) string { return c.Names[c.Codes[l]] }

// Counts returns the number of observations in each group.
func (c *Column) Counts() []int {
	counts := make([]int, len(c.Names))
	for _, g := range c.Codes {
		counts[g]++
	}
	return counts
}

// Append returns the labels of c, or p rows without any if c is nil, followed by those
// of add, or m rows without any.
func Append(c *Column, p int, add *Column, m int) (*Column, error) {
	if c == nil && add == nil {
		return nil, nil
	}
	r := &Reader{}
	for _, part := range []struct {
		c    *Column
		rows int
	}{{c, p}, {add, m}} {
		if part.c != nil && r.Name == "" {
			r.Name = part.c.Name
		}
		for l := range part.rows {
			var err error
			if part.c == nil || int(part.c.Codes[l]) == part.c.MissingGroup() {
				r.AddMissing()
			} else {
				err = r.AddText([]byte(part.c.Of(l)))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return r.Column(nil), nil
}

// Reader takes labels row by row.
type Reader struct {
	Name string

	codes   []uint16
	names   []string          // by code
	known   map[string]uint16 // as they stand in the source
	trimmed map[string]uint16
	scratch []byte
}

const (
	missing = 0xffff
	dropped = 0xfffe
)

// Rows is the number of labels taken.
func (r *Reader) Rows() int { return len(r.codes) }

// Add takes a field of a text table, where words such as NA stand for a missing label.
// Its error says what was wanted instead.
func (r *Reader) Add(field []byte) error {
	if code, ok := r.known[string(field)]; ok {
		r.codes = append(r.codes, code)
		return nil
	}
	name := string(bytes.TrimSpace(field))
	if kind, _ := (numerals.Style{}).Parse(name); kind == numerals.Missing {
		return r.add(string(field), missing)
	}
	code, ok := r.trimmed[name]
	if !ok {
		var err error
		if code, err = r.code(name); err != nil {
			return err
		}
	}
	return r.add(string(field), code)
}

func (r *Reader) add(field string, code uint16) error {
	if r.known == nil {
		r.known = map[string]uint16{}
	}
	const most = 10 * Most // a label may be written in several ways
	if len(r.known) < most {
		r.known[field] = code
	}
	r.codes = append(r.codes, code)
	return nil
}

// AddText takes a label as it is; empty is missing.
func (r *Reader) AddText(label []byte) error {
	if len(label) == 0 {
		r.AddMissing()
		return nil
	}
	code, ok := r.trimmed[string(label)]
	if !ok {
		var err error
		if code, err = r.code(string(label)); err != nil {
			return err
		}
	}
	r.codes = append(r.codes, code)
	return nil
}

// AddNumber takes a number as a label; NaN is missing.
func (r *Reader) AddNumber(v float64) error {
	if v != v {
		r.AddMissing()
		return nil
	}
	r.scratch = strconv.AppendFloat(r.scratch[:0], v, 'g', -1, 64)
	return r.AddText(r.scratch)
}

// AddMissing takes a row without a label.
func (r *Reader) AddMissing() { r.codes = append(r.codes, missing) }

// Append takes the labels of another reader, in their order.
func (r *Reader) Append(o *Reader) error {
	for _, code := range o.codes {
		if code >= dropped {
			r.codes = append(r.codes, code)
		} else if err := r.AddText([]byte(o.names[code])); err != nil {
			return err
		}
	}
	return nil
}

// Drop leaves out row l of those taken.
func (r *Reader) Drop(l int) { r.codes[l] = dropped }

// code makes one for a label.
func (r *Reader) code(name string) (uint16, error) {
	if !utf8.ValidString(name) {
		return 0, fmt.Errorf("a label in UTF-8; convert the file")
	}
	if len(r.names) == Most {
		return 0, fmt.Errorf("one of the %d different labels so far: labels name groups, and these are too many; take another column", Most)
	}
	if r.trimmed == nil {
		r.trimmed = map[string]uint16{}
	}
	code := uint16(len(r.names))
	r.names, r.trimmed[name] = append(r.names, diag.Name(name)), code
	return code, nil
}

// Column returns the labels taken, of the rows kept (nil: all) that were not dropped.
func (r *Reader) Column(kept []int) *Column {
	order := make([]uint16, len(r.names))
	for i := range order {
		order[i] = uint16(i)
	}
	slices.SortFunc(order, func(a, b uint16) int { return byNumber(r.names[a], r.names[b]) })
	c := &Column{Name: r.Name}
	rank := make([]uint16, len(order))
	used := make([]bool, len(order))
	take := func(code uint16) {
		switch code {
		case dropped:
			return
		case missing:
			c.missing = true
		default:
			used[code] = true
		}
		c.Codes = append(c.Codes, code)
	}
	if kept != nil {
		c.Codes = make([]uint16, 0, len(kept))
		for _, l := range kept {
			take(r.codes[l])
		}
	} else {
		c.Codes = make([]uint16, 0, len(r.codes))
		for _, code := range r.codes {
			take(code)
		}
	}
	for _, code := range order {
		if used[code] {
			rank[code] = uint16(len(c.Names))
			c.Names = append(c.Names, r.names[code])
		}
	}
	last := uint16(len(c.Names))
	if c.missing {
		c.Names = append(c.Names, Missing)
	}
	for i, code := range c.Codes {
		if code == missing {
			c.Codes[i] = last
		} else {
			c.Codes[i] = rank[code]
		}
	}
	return c
}

// byNumber orders numbers by their value and before text.
func byNumber(a, b string) int {
	x, errX := numerals.ParseFloat(a)
	y, errY := numerals.ParseFloat(b)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// Of returns the column of some labels, or the error of the label at a place.
func Of(texts []string) (column *Column, at int, err error) {
	r := Reader{Name: "labels"}
	for l, text := range texts {
		if err := r.AddText([]byte(text)); err != nil {
			return nil, l, err
		}
	}
	return r.Column(nil), 0, nil
}
