// Package query reads the rows of a database query as observations.
package query

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"symmom/internal/data/columns"
	"symmom/internal/data/load"
	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
)

// Source is the name of the rows in messages.
const Source = "query"

// first rows tell which columns hold numbers, fewer if they have more bytes than
// firstBytes.
const (
	first      = 1000
	firstBytes = 16 << 20
)

// longest is how much is kept of a text or of bytes. No number is longer.
const longest = 1 << 10

// Table runs a query and takes its rows, which are not kept, as observations: numbers,
// also written as text, and booleans; NULL is a missing value. Columns of which the
// first rows hold text, times or bytes alone are left out with a warning.
func Table(ctx context.Context, db *sql.DB, query string, args []any, o load.Options) (*load.Set, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, failed(ctx, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, failed(ctx, err)
	}
	if len(names) == 0 {
		return nil, diag.Fail(Source, "returns no columns; want a select")
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, failed(ctx, err)
	}
	r := &reader{ctx: ctx, rows: rows, names: make([]string, len(names)), binary: make([]bool, len(names)), whole: make([]bool, len(names)), pointers: make([]any, len(names)), label: -1}
	for j, name := range names {
		r.names[j], r.binary[j] = diag.Name(name), isBinary(types[j].DatabaseTypeName())
	}
	if j, err := strconv.Atoi(o.Labels); err == nil && 1 <= j && j <= len(names) {
		r.label = j - 1
	}
	if j := slices.Index(r.names, o.Labels); j >= 0 {
		r.label = j
	}
	for len(r.ahead) < first && r.bytes < firstBytes {
		values, err := r.scan()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		r.ahead = append(r.ahead, values)
	}
	if r.codes, err = columns.CodesOf(Source, r.names, len(r.names), o.Codes); err != nil {
		return nil, err
	}
	others, left := r.others()
	return load.FromRecords(ctx, load.Records{Source: Source, Names: r.names, Others: others, Left: left, Next: r.next, Number: r.number, Label: r.labelOf, Whole: r.whole}, o)
}

// failed is the error of a database, or of a context that ended.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return diag.Fail(Source, "reading stopped: %w", ctx.Err())
	}
	return diag.Fail(Source, "%w", err)
}

// reader reads rows, those ahead first.
type reader struct {
	ctx      context.Context
	rows     *sql.Rows
	names    []string
	binary   []bool           // columns of which bytes are no text
	whole    []bool           // columns of whole numbers that float64 rounded
	codes    *columns.Columns // of missing values
	label    int              // the column of labels, which are kept whole, or -1
	ahead    [][]cell
	bytes    int // in the rows so far
	row      int // counted from 1
	values   []cell
	pointers []any
	text     []byte
}

// isBinary reports whether []byte of a column of this type holds bytes; of others, where a
// driver has it for text. SQLite's expressions have no type, and text of theirs is a string.
func isBinary(name string) bool {
	name = strings.ToUpper(name)
	return name == "" || strings.Contains(name, "BLOB") || strings.Contains(name, "BINARY") || name == "BYTEA"
}

// cell is a value of a database, of which no more than most bytes are kept.
type cell struct {
	v    any
	cut  bool
	most int
}

// Scan takes a value from a driver, to which its bytes belong.
func (c *cell) Scan(v any) error {
	switch v := v.(type) {
	case string:
		if c.cut = len(v) > c.most; c.cut {
			c.v = strings.Clone(v[:c.most])
			return nil
		}
	case []byte:
		c.cut = len(v) > c.most
		c.v = bytes.Clone(v[:min(len(v), c.most)])
		return nil
	}
	c.v = v
	return nil
}

// size is how many bytes are kept, about.
func (c *cell) size() int {
	const itself = 48
	switch v := c.v.(type) {
	case string:
		return itself + len(v)
	case []byte:
		return itself + len(v)
	}
	return itself
}

// scan reads a row; its error is io.EOF after the last.
func (r *reader) scan() ([]cell, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, failed(r.ctx, err)
		}
		return nil, io.EOF
	}
	values := make([]cell, len(r.names))
	for j := range values {
		if values[j].most = longest; j == r.label {
			values[j].most = math.MaxInt
		}
		r.pointers[j] = &values[j]
	}
	if err := r.rows.Scan(r.pointers...); err != nil {
		return nil, failed(r.ctx, err)
	}
	for j := range values {
		r.bytes += values[j].size()
	}
	return values, nil
}

func (r *reader) next() (err error) {
	r.row++
	if len(r.ahead) > 0 {
		r.values, r.ahead = r.ahead[0], r.ahead[1:]
		return nil
	}
	r.values, err = r.scan()
	return err
}

// others says of each column what its first rows hold if that is no number, else "".
func (r *reader) others() (others, left []string) {
	others = make([]string, len(r.names))
	for j, name := range r.names {
		what, example := "", ""
		for _, row := range r.ahead {
			kind, _, other := r.numberOf(row, j)
			if kind == numerals.Missing {
				continue
			}
			if kind != numerals.Text {
				what = ""
				break
			}
			if what == "" {
				what, example = other, show(row[j].v, other)
			}
		}
		if others[j] = what; what != "" && j != r.label {
			left = append(left, fmt.Sprintf("%s (%s such as %s)", diag.Short(name), what, example))
		}
	}
	return others, left
}

// show formats a value in a message, by its kind as in numberOf.
func show(v any, what string) string {
	switch v := v.(type) {
	case []byte:
		if what == "bytes" {
			return fmt.Sprintf("%x", v[:min(len(v), 8)])
		}
		return strconv.Quote(diag.Short(string(v)))
	case time.Time:
		return v.Format(time.RFC3339)
	}
	return strconv.Quote(diag.Short(fmt.Sprint(v)))
}

// numberOf is a value of a row as a number; what says what else it is.
func (r *reader) numberOf(row []cell, j int) (kind numerals.Kind, x float64, what string) {
	text := ""
	switch v := row[j].v.(type) {
	case nil:
		return numerals.Missing, math.NaN(), ""
	case float64:
		if v != v {
			return numerals.Missing, v, ""
		}
		return numerals.Number, v, ""
	case int64:
		r.whole[j] = r.whole[j] || v >= numerals.Exact || v <= -numerals.Exact
		return numerals.Number, float64(v), ""
	case bool:
		if v {
			return numerals.Number, 1, ""
		}
		return numerals.Number, 0, ""
	case time.Time:
		return numerals.Text, 0, "times"
	case string:
		text = v
	case []byte:
		if r.binary[j] {
			return numerals.Text, 0, "bytes"
		}
		text = string(v)
	default: // of drivers with types of their own
		text = fmt.Sprint(v)
	}
	if row[j].cut {
		return numerals.Text, 0, "text"
	}
	kind, x = numerals.Style{}.Parse(text)
	kind, x = r.codes.Field(j, text, kind, x)
	return kind, x, "text"
}

func (r *reader) number(j int) (float64, error) {
	kind, x, _ := r.numberOf(r.values, j)
	switch kind {
	case numerals.Number, numerals.Missing, numerals.Infinite:
		return x, nil // an infinity is refused with those of other tables
	}
	want := "a number; cast or correct it in the query, or leave the column out"
	if kind == numerals.TooLarge {
		want = "a number that a float64 can hold (up to 1.8e308)"
	}
	return 0, &load.ParseError{Source: Source, Row: r.row, Column: j + 1, Name: r.names[j], Value: diag.Short(string(textOf(nil, r.values[j].v))), Want: want, Options: []string{"Columns"}}
}

func (r *reader) labelOf(j int) ([]byte, bool) {
	if r.values[j].v == nil {
		return nil, false
	}
	r.text = textOf(r.text[:0], r.values[j].v)
	return r.text, len(r.text) > 0
}

// textOf appends a value as text.
func textOf(to []byte, v any) []byte {
	switch v := v.(type) {
	case float64:
		return strconv.AppendFloat(to, v, 'g', -1, 64)
	case int64:
		return strconv.AppendInt(to, v, 10)
	case []byte:
		return append(to, v...)
	case time.Time:
		return v.UTC().AppendFormat(to, time.RFC3339Nano)
	}
	return fmt.Append(to, v)
}
