package load

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/columns"
	"symmom/internal/data/delimited"
	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// look finds out from the first lines how numbers are written. It returns the
// records of these lines, the first two among them.
func (c *csvReader) look(first, second []string) (records [][]string, err error) {
	records = append(records, first)
	if len(second) == c.fields {
		records = append(records, second)
	}
	r := c.dialect(bytes.NewReader(c.head))
	for read := c.unnamed; ; { // the first is too short then
		record, err := r.Read()
		if err != nil || len(c.head) == sampleSize && r.InputOffset() == sampleSize {
			break // the end, or a line that is not whole, or one that the reader will complain of
		}
		if record = c.trimmed(record); len(record) != c.fields || c.fields != 1 && strings.TrimSpace(strings.Join(record, "")) == "" {
			continue
		}
		if read++; read > len(records) {
			records = append(records, slices.Clone(record))
		}
	}
	if d := c.options.Decimal; d != 0 {
		c.style = numerals.Given(d, c.options.Delimiter)
		return records, nil
	}
	if c.guessed && c.fields == 2 && c.options.Delimiter == ',' && !bytes.Contains(c.head, []byte(", ")) && delimited.MayBeOne(records) {
		c.t.notes = append(c.t.notes, diag.New(diag.Decimal, "%s is read as two numbers; if the comma is the decimal sign, set it", words.Quote(first[0]+","+first[1])).With("Decimal"))
	}
	var e numerals.Evidence
	body := records
	if len(body) > 1 && (c.quoted || c.options.Header == HeaderPresent || slices.ContainsFunc(first, func(field string) bool { return !numerals.Looks(field) })) {
		body = body[1:] // perhaps names
	}
	coded := c.options.Codes.Holds
	for j := range c.fields {
		if !slices.ContainsFunc(body, func(record []string) bool { return !numerals.Looks(record[j]) && !coded(record[j]) }) {
			for _, record := range body {
				if !coded(record[j]) {
					e.Add(record[j])
				}
			}
		}
	}
	var note string
	if c.style, note, err = e.Style(c.options.Delimiter); err != nil {
		return nil, diag.Helped(fail(c.in.Name, "%w", err), "Decimal", "Columns")
	}
	if note != "" {
		c.t.notes = append(c.t.notes, diag.New(diag.Decimal, "%s", note).With("Decimal"))
	}
	return records, nil
}

// leaveOut takes all columns but those that hold text in the first lines, without a
// number among it, if the options do not choose, and points at those that may be codes.
func (c *csvReader) leaveOut(records [][]string, header bool) {
	if c.options.Columns != nil {
		return
	}
	body := records
	if header {
		body = records[1:]
	}
	if coded, err := columns.CodesOf(c.in.Name, c.names, c.fields, c.options.Codes); err == nil {
		body = c.emptied(body, func(j int, field string) bool {
			kind, v := c.style.Parse(field)
			kind, _ = coded.Field(j, field, kind, v)
			return kind == numerals.Missing
		})
	}
	var numeric []int
	var left, padded []string
	labels := -1
	if o := c.options.Labels; o != "" {
		if from, to, err := columns.Resolve(c.in.Name, "labels column", o, c.names, columns.PlacesOf(c.names), c.fields); err == nil && from == to {
			labels = from // whatever it holds
		}
	}
	for j := range c.fields {
		if j == labels {
			continue
		}
		name := fmt.Sprintf("column %d", j+1)
		if c.names != nil && c.names[j] != "" {
			name = short(c.names[j])
		}
		switch text := delimited.TextIn(body, j, c.style); {
		case j < c.unnamed:
			left = append(left, "column 1 (the names of the rows)")
		case text != "":
			left = append(left, fmt.Sprintf("%s (%s such as %s)", name, delimited.KindOf(text), words.Quote(text)))
		default:
			numeric = append(numeric, j)
			if code := delimited.Padded(body, j); code != "" {
				padded = append(padded, fmt.Sprintf("%s (%s)", name, words.Quote(code)))
			}
		}
	}
	if len(padded) > 0 {
		c.t.notes = append(c.t.notes, diag.New(diag.IndexColumn, "whole numbers that begin with 0 may be codes, such as postal ones, and no variables: %s; choose the other columns", diag.List(padded)).With("Columns"))
	}
	if len(left) == 0 || len(numeric) == 0 {
		return // the first row says what is wrong
	}
	c.options.numeric = numeric
	c.t.notes = append(c.t.notes, columns.LeftOut(left)...)
}

// emptied returns records with fields emptied that are codes of missing values.
func (c *csvReader) emptied(records [][]string, coded func(j int, field string) bool) [][]string {
	if c.options.Codes == nil {
		return records
	}
	out := make([][]string, len(records))
	for i, record := range records {
		out[i] = slices.Clone(record)
		for j, field := range record {
			if coded(j, field) {
				out[i][j] = ""
			}
		}
	}
	return out
}

// wantUTF8 is what an error wants instead of text in another encoding.
const wantUTF8 = "UTF-8; convert the file, from Windows-1252 or Latin-1 as it seems: iconv -f WINDOWS-1252 -t UTF-8"

// checkNames refuses names that are not in UTF-8.
func (c *csvReader) checkNames(names []string, line int) error {
	for j, name := range names {
		if !utf8.ValidString(name) {
			return &ParseError{Source: c.in.Name, Line: line, Column: j + 1, Value: name, Want: "a name in " + wantUTF8}
		}
	}
	return nil
}

// line is the line of the file on which the last record begins.
func (c *csvReader) line() int {
	line, _ := c.r.FieldPos(0)
	return c.above + line
}
