package load

import (
	"fmt"

	"symmom/internal/data/columns"
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
