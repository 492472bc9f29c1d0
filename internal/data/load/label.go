package load

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"

	"symmom/internal/data/columns"
	"symmom/internal/data/npy"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// takeLabels prepares to take labels from a column (0-based; below 0: none).
func (t *table) takeLabels(column int, names []string) {
	if column < 0 {
		return
	}
	t.labels, t.labelled = &columns.Reader{Name: fmt.Sprintf("column %d", column+1)}, column+1
	if column < len(names) && names[column] != "" {
		t.labels.Name = diag.Name(names[column])
	}
}

// label takes the label of a row (0-based) as a field of text on a line (0: not known).
func (t *table) label(field []byte, line, row int) error {
	if t.codes.Label(string(field), t.style) {
		t.labels.AddMissing()
	} else if err := t.labels.Add(field); err != nil {
		return t.labelError(err, string(field), line, row)
	}
	return nil
}

// labelText takes the label of the next row as text, or none.
func (t *table) labelText(text []byte, ok bool) error {
	if !ok || t.codes.Label(string(text), t.style) {
		t.labels.AddMissing()
	} else if err := t.labels.AddText(text); err != nil {
		return t.labelError(err, string(text), 0, t.labels.Rows())
	}
	return nil
}

// labelError says which label is one too many, or no label.
func (t *table) labelError(err error, value string, line, row int) error {
	e := &ParseError{Source: t.source, Line: line, Column: t.labelled, Name: t.labels.Name, Value: value, Want: err.Error(), Options: []string{"Labels"}}
	if line == 0 {
		e.Row = row + 1
	}
	return e
}

// addLabel takes the label of the next row as a number.
func (t *table) addLabel(v float64) error {
	if t.codes.Label(diag.Value(v), t.style) {
		t.labels.AddMissing()
	} else if err := t.labels.AddNumber(v); err != nil {
		return t.labelError(err, diag.Value(v), 0, t.labels.Rows())
	}
	return nil
}

// labelArray takes the labels from an array of an archive, of the name that the options
// give, if there is one.
func (in input) labelArray(ctx context.Context, size int64, z *zip.Reader, o Options) (*columns.Reader, error) {
	file, err := member(in.Name, z, o.Labels)
	if o.Labels == "" || err != nil {
		return nil, nil // it may be the number of a column
	}
	inner, close, err := in.inner(ctx, size, file)
	if err != nil {
		return nil, err
	}
	defer close()
	head, err := inner.peek(1 << 12)
	if err != nil {
		return nil, err
	}
	h, err := npy.ReadHeader(bytes.NewReader(head))
	text, isText := npy.NewText(h.Descr)
	t := &table{source: inner.Name, labels: &columns.Reader{Name: o.Labels}}
	if err != nil || !isText {
		numbers, err := readNPY(ctx, inner, nil, inner.Name, Options{MemoryLimit: o.MemoryLimit})
		if err != nil {
			return nil, err
		}
		if numbers.n != 1 {
			return nil, diag.Helped(fail(inner.Name, "has %s, want labels: one number or text for each row", words.Plural(numbers.n, "column")), "Labels")
		}
		for _, v := range numbers.values {
			if err := t.addLabel(v); err != nil {
				return nil, err
			}
		}
		return t.labels, nil
	}
	p, n, err := h.Dims()
	if err == nil && n != 1 {
		err = fmt.Errorf("has %s, want labels: one number or text for each row", words.Plural(n, "column"))
	}
	if err != nil {
		return nil, diag.Helped(fail(inner.Name, "%w", err), "Labels")
	}
	_, _ = inner.r.Discard(int(h.Length)) // of what was peeked at
	raw, one := make([]byte, text.Size), []byte(nil)
	for l := range p {
		if _, err := io.ReadFull(inner.r, raw); err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fail(inner.Name, "truncated: the header announces %d labels, but only %d are there; copy or save the file again", p, l)
		} else if err != nil {
			return nil, inner.readError(err)
		}
		one = text.Append(one[:0], raw)
		if err := t.label(one, 0, l); err != nil {
			return nil, err
		}
	}
	return t.labels, nil
}

// labelRows refuses labels that are not one for each row.
func (t *table) labelRows() error {
	p := t.p
	if t.ready != nil {
		p = t.ready.P
	}
	if t.labels.Rows() != p {
		return diag.Helped(fail(t.source, "%s (%s) for %s; want one for each", words.Plural(t.labels.Rows(), "label"), words.Quote(t.labels.Name), words.Plural(p, "row")), "Labels")
	}
	return nil
}
