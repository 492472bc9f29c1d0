package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver of --query, and of database/sql in sessions

	"symmom/internal/files"
	"symmom/internal/words"
	"symmom/symmom"
)

// rows takes the rows of --query from the database in a file.
func (d *dataFlags) rows(ctx context.Context, path string) (*symmom.Session, error) {
	if d.stream {
		return nil, usagef("--stream and --query: want one of them; write the rows to a file first: symmom convert %s rows.parquet --query ...", path)
	}
	db, err := openDatabase(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s := environmentOf(ctx).Query(db, d.query, d.load)
	if err := s.Err(); err != nil && !errors.Is(err, symmom.ErrInterrupted) && !errors.Is(err, symmom.ErrNoData) {
		var place *symmom.ParseError
		if text := tablesOf(ctx, db); text != "" && !errors.As(err, &place) && strings.Contains(err.Error(), "no such table") {
			return nil, fmt.Errorf("%s: %w; %s", path, err, text)
		}
		return nil, fmt.Errorf("%s: %w", path, inFlags(err))
	}
	return s, nil
}

// openDatabase opens a file of SQLite to read from it.
func openDatabase(path string) (*sql.DB, error) {
	if files.IsURL(path) {
		return nil, usagef("%s: --query reads a database on this machine; download it first", files.Name(path))
	}
	head, err := beginning(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; check the path", err)
	case len(head) == headBytes && bytes.Equal(head[8:12], []byte("DUCK")):
		return nil, fmt.Errorf("%s: is a DuckDB database, for which there is no driver without C; write the rows with DuckDB: copy (select ...) to 'rows.parquet'", path)
	case !isSQLite(head):
		return nil, fmt.Errorf("%s: is not an SQLite database, so it takes no --query", path)
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	where := url.URL{Scheme: "file", Path: filepath.ToSlash(whole), RawQuery: "mode=ro"}
	return sql.Open("sqlite", where.String())
}

// headBytes is the length of the beginning that shows a database.
const headBytes = 16

// beginning returns the first bytes of a regular file. Nothing is taken from a pipe, whose
// bytes come only once.
func beginning(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headBytes)
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:n], err
}

func isSQLite(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// wantsQuery refuses an SQLite database without --query, naming its tables.
func wantsQuery(ctx context.Context, path string) error {
	head, err := beginning(path)
	if err != nil || !isSQLite(head) {
		return nil // an error is for the reader
	}
	text := "say which rows to take: --query 'select ... from ...'"
	if db, err := openDatabase(path); err == nil {
		defer db.Close()
		if tables := tablesOf(ctx, db); tables != "" {
			text += "; " + tables
		}
	}
	return usagef("%s: is an SQLite database: %s", path, text)
}

// tablesOf names the tables of a database, "" if there are none to be seen.
func tablesOf(ctx context.Context, db *sql.DB) string {
	rows, err := db.QueryContext(ctx, "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%' order by name limit 20")
	if err != nil {
		return ""
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if rows.Scan(&name) == nil {
			names = append(names, words.Quote(name))
		}
	}
	if rows.Err() != nil || len(names) == 0 {
		return ""
	}
	return "its tables are " + strings.Join(names, ", ")
}
