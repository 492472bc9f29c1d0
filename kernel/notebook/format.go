package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Read reads a notebook. Errors begin with its name.
func Read(name string, data []byte) (*Notebook, error) {
	nb := &Notebook{name: name}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var doc, more any
	err := d.Decode(&doc)
	nb.doc = object(doc)
	switch {
	case err != nil:
		err = fmt.Errorf("is no notebook, which is JSON: %w", err)
	case nb.doc == nil || d.Decode(&more) != io.EOF:
		err = errors.New("is no notebook, which is one object of JSON")
	default:
		err = nb.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w", name, err)
	}
	delete(nb.doc, "cells")
	return nb, nil
}

// check refuses what is no notebook of version 4, and fills in nb.Cells.
func (nb *Notebook) check() error {
	version, _ := nb.doc["nbformat"].(json.Number)
	cells, is := nb.doc["cells"].([]any)
	switch {
	case slices.Contains([]json.Number{"1", "2", "3"}, version):
		return fmt.Errorf("is in version %s of the format, want 4: jupyter nbconvert --to notebook %s", version, nb.name)
	case version == "":
		return errors.New("is no notebook: it has no nbformat")
	case version != "4":
		return fmt.Errorf("is in version %s of the format, want 4", version)
	case !is:
		return errors.New("is broken: it has no list of cells")
	}
	if nb.doc["metadata"] == nil {
		nb.doc["metadata"] = map[string]any{}
	}
	for i, c := range cells {
		cell := &Cell{fields: object(c)}
		if err := cell.check(); err != nil {
			return fmt.Errorf("is broken: cell %d %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, cell)
	}
	return nil
}

func (c *Cell) check() error {
	if c.fields == nil {
		return errors.New("is no object")
	}
	c.lines(join, joined)
	if !slices.Contains([]string{"code", "markdown", "raw"}, c.Type()) {
		return fmt.Errorf("is of type %q, want code, markdown or raw", c.Type())
	}
	if _, is := c.fields["source"].(string); !is {
		return errors.New("has no source")
	}
	if c.fields["metadata"] == nil {
		c.fields["metadata"] = map[string]any{}
	}
	if c.Type() != "code" {
		return nil
	}
	outputs, is := c.fields["outputs"].([]any)
	if c.fields["outputs"] == nil {
		c.fields["outputs"], is = []any{}, true
	}
	for _, o := range outputs {
		is = is && Output(object(o)).Type() != ""
	}
	if !is {
		return errors.New("has outputs that are none")
	}
	return nil
}

// stripTransient removes what is not for files.
func (nb *Notebook) stripTransient() {
	for _, key := range []string{"orig_nbformat", "orig_nbformat_minor", "signature"} {
		delete(object(nb.doc["metadata"]), key)
	}
	for _, c := range nb.Cells {
		delete(object(c.fields["metadata"]), "trusted")
	}
}

// lines has change each text of the cell that files hold as a list of lines. Of data in
// other formats than textual ones such lists are read, and not written.
func (c *Cell) lines(change func(any) any, textual func(format string) bool) {
	at := func(fields map[string]any, key string) {
		if v, has := fields[key]; has {
			fields[key] = change(v)
		}
	}
	bundle := func(data map[string]any) {
		for format := range data {
			if textual(format) {
				at(data, format)
			}
		}
	}
	at(c.fields, "source")
	for _, a := range object(c.fields["attachments"]) {
		bundle(object(a))
	}
	for _, o := range c.Outputs() {
		bundle(object(o["data"]))
		at(o, "text")
	}
}

func joined(format string) bool { return !strings.HasSuffix(format, "json") }

func split(format string) bool {
	return strings.HasPrefix(format, "text/") || format == "application/javascript" || format == "image/svg+xml"
}

// join returns a list of lines as one text.
func join(v any) any {
	list, is := v.([]any)
	if !is {
		return v
	}
	var all strings.Builder
	for _, line := range list {
		s, is := line.(string)
		if !is {
			return v
		}
		all.WriteString(s)
	}
	return all.String()
}

// lineEnds are those of Python's splitlines.
var lineEnds = regexp.MustCompile("\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]")

// linesOf returns a text as a list of lines, each with its end.
func linesOf(v any) any {
	s, is := v.(string)
	if !is {
		return v
	}
	list, from := []any{}, 0
	for _, end := range lineEnds.FindAllStringIndex(s, -1) {
		list, from = append(list, s[from:end[1]]), end[1]
	}
	if from < len(s) {
		list = append(list, s[from:])
	}
	return list
}

// escapes of encoding/json that Python's json does not make; and any other, of which these
// could be a part.
var escapes = regexp.MustCompile(`\\u202[89]|\\.`)

// Bytes returns the content of a file.
func (nb *Notebook) Bytes() []byte {
	nb.stripTransient()
	cells := []any{}
	for _, c := range nb.Cells {
		c.lines(linesOf, split)
		defer c.lines(join, joined)
		cells = append(cells, c.fields)
	}
	doc := maps.Clone(nb.doc)
	doc["cells"] = cells
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(doc); err != nil {
		panic(err) // it was JSON
	}
	return escapes.ReplaceAllFunc(b.Bytes(), func(e []byte) []byte {
		switch string(e) {
		case `\u2028`:
			return []byte("\u2028")
		case `\u2029`:
			return []byte("\u2029")
		}
		return e
	})
}
