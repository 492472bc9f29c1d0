package load

import (
	"context"
	"io"
)

// slabs reads the rows of a columnar file for one pass of a stream.
type slabs struct {
	*layout
	ctx       context.Context
	t         *table    // takes labels, if any
	groups    [2]int    // of Options
	part, row int       // next to decode
	rows      []float64 // decoded and not passed on
	buffer    []float64
}

func (r *rows) openColumnar(ctx context.Context, c contents) error {
	l, err := openColumnar(c, r.stream.options)
	if err != nil {
		return err
	}
	if l.rows == 0 {
		return empty(l.source, noRows)
	}
	head := &table{source: l.source, n: len(l.sel.Variables), names: l.variables(), columns: l.columns(), weight: l.sel.Weights + 1, heavy: l.sel.Heavy, whole: l.whole, codes: l.sel.Codes}
	if r.survey != nil {
		head.takeLabels(l.sel.Labels, l.names)
	}
	r.slabs, r.sel = &slabs{layout: l, ctx: ctx, t: head, groups: r.stream.options.Groups}, l.sel
	return r.begin(head, l.stride)
}

// fill appends what is missing in b as far as the file goes; its error is io.EOF
// when that is the end of it.
func (r *rows) fillColumnar(b *buffer) error {
	s, l := r.stream, r.slabs
	if len(l.rows) == 0 {
		if err := l.decode(); err != nil {
			return err
		}
	}
	k := min(s.rows-b.rows, len(l.rows)/l.stride) * l.stride
	b.values, b.weights = l.split(l.rows[:k], b.values[:b.rows*s.N], b.weights[:min(b.rows, len(b.weights))])
	l.rows = l.rows[k:]
	b.rows = len(b.values) / s.N
	if r.sel.Weights < 0 {
		b.weights = nil
	}
	return nil
}

// decode reads the next rows. Its error is io.EOF when there are none.
func (l *slabs) decode() error {
	parts := l.file.Parts()
	if l.groups[1] > 0 {
		l.part, parts = max(l.part, l.groups[0]), parts[:min(l.groups[1], len(parts))]
	}
	for l.part < len(parts) && l.row == parts[l.part] {
		l.part, l.row = l.part+1, 0
	}
	if l.part >= len(parts) {
		return io.EOF
	}
	k := min(l.slab(), parts[l.part]-l.row)
	if cap(l.buffer) < k*l.stride {
		l.buffer = make([]float64, k*l.stride)
	}
	if err := l.read(l.ctx, l.part, l.row, l.row+k, l.buffer[:k*l.stride]); err != nil {
		return err
	}
	if err := l.labels(l.ctx, l.part, l.row, l.row+k, l.t); err != nil {
		return err
	}
	l.rows, l.row = l.buffer[:k*l.stride], l.row+k
	return nil
}
