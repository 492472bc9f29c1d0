// Package query takes the rows of a query on a database as observations.
package query

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"symmom/internal/faults"
	"symmom/internal/numerals"
	"symmom/internal/observations"
)

// Source is what messages call the rows.
const Source = "query"

// first rows tell which columns hold numbers.
const first = 1000

// Table runs a query and takes its rows, which are not kept, as observations: numbers,
// also written as text, and booleans; NULL is a missing value. Columns of which the
// first rows hold text, times or bytes alone are left out with a warning.
func Table(ctx context.Context, db *sql.DB, query string, args []any, o observations.Options) (*observations.Set, error) {
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
		return nil, faults.Fail(Source, "returns no columns; want a select")
	}
	r := &reader{ctx: ctx, rows: rows, names: make([]string, len(names)), pointers: make([]any, len(names))}
	for j, name := range names {
		r.names[j] = faults.OneLine(name)
	}
	for len(r.ahead) < first {
		values, err := r.scan()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		r.ahead = append(r.ahead, values)
	}
	others, left := r.others(o.Labels)
	return observations.FromRecords(ctx, observations.Records{Source: Source, Names: r.names, Others: others, Left: left, Next: r.next, Number: r.number, Label: r.label}, o)
}

// failed is the error of a database, or of a context that ended.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return faults.Fail(Source, "reading stopped: %w", ctx.Err())
	}
	return faults.Fail(Source, "%w", err)
}

// reader reads rows, those ahead first.
type reader struct {
	ctx      context.Context
	rows     *sql.Rows
	names    []string
	ahead    [][]any
	row      int // counted from 1
	values   []any
	pointers []any
	text     []byte
}

// scan reads a row; its error is io.EOF after the last.
func (r *reader) scan() ([]any, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, failed(r.ctx, err)
		}
		return nil, io.EOF
	}
	values := make([]any, len(r.names))
	for j := range values {
		r.pointers[j] = &values[j]
	}
	if err := r.rows.Scan(r.pointers...); err != nil {
		return nil, failed(r.ctx, err)
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
func (r *reader) others(labels string) (others, left []string) {
	others = make([]string, len(r.names))
	for j, name := range r.names {
		what, example := "", ""
		for _, row := range r.ahead {
			kind, _, other := number(row[j])
			if kind == numerals.Missing {
				continue
			}
			if kind != numerals.Text {
				what = ""
				break
			}
			if what == "" {
				what, example = other, show(row[j])
			}
		}
		if others[j] = what; what != "" && name != labels && strconv.Itoa(j+1) != labels {
			left = append(left, fmt.Sprintf("%s (%s such as %s)", faults.Short(name), what, example))
		}
	}
	return others, left
}

// show is a value in a message.
func show(v any) string {
	switch v := v.(type) {
	case []byte:
		return strconv.Quote(faults.Short(string(v)))
	case time.Time:
		return v.Format(time.RFC3339)
	}
	return strconv.Quote(faults.Short(fmt.Sprint(v)))
}

// number is a value of a database as a number; what says what else it is.
func number(v any) (kind numerals.Kind, x float64, what string) {
	switch v := v.(type) {
	case nil:
		return numerals.Missing, math.NaN(), ""
	case float64:
		if v != v {
			return numerals.Missing, v, ""
		}
		return numerals.Number, v, ""
	case int64:
		return numerals.Number, float64(v), ""
	case bool:
		if v {
			return numerals.Number, 1, ""
		}
		return numerals.Number, 0, ""
	case time.Time:
		return numerals.Text, 0, "times"
	case string:
		kind, x = numerals.Style{}.Parse(v)
	case []byte:
		kind, x = numerals.Style{}.Parse(string(v))
	default: // of drivers with types of their own
		kind, x = numerals.Style{}.Parse(fmt.Sprint(v))
	}
	return kind, x, "text"
}

func (r *reader) number(j int) (float64, error) {
	kind, x, _ := number(r.values[j])
	switch kind {
	case numerals.Number, numerals.Missing, numerals.Infinite:
		return x, nil // an infinity is refused with those of other tables
	}
	want := "a number; cast or correct it in the query, or leave the column out"
	if kind == numerals.TooLarge {
		want = "a number that a float64 can hold (up to 1.8e308)"
	}
	return 0, &observations.ParseError{Source: Source, Row: r.row, Column: j + 1, Name: r.names[j], Value: faults.Short(string(textOf(nil, r.values[j]))), Want: want, Options: []string{"Columns"}}
}

func (r *reader) label(j int) ([]byte, bool) {
	if r.values[j] == nil {
		return nil, false
	}
	r.text = textOf(r.text[:0], r.values[j])
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
