// Package sqlitefile opens SQLite databases, from which rows are taken as observations.
package sqlitefile

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

	_ "modernc.org/sqlite" // the driver, also of database/sql in sessions

	"symmom/internal/files"
	"symmom/internal/words"
)

// ErrURL is the error of Open for a database that is not on this machine.
var ErrURL = errors.New("is not on this machine; download it first")

// Is reports whether a file is an SQLite database. What cannot be read is none.
func Is(path string) bool {
	head, err := beginning(path)
	return err == nil && isSQLite(head)
}

// Open opens a file of SQLite to read from it.
func Open(path string) (*sql.DB, error) {
	if files.IsURL(path) {
		return nil, ErrURL
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

// isSQLite knows the file by its beginning.
func isSQLite(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// Tables names the tables of a database, "" if there are none to be seen.
func Tables(ctx context.Context, db *sql.DB) string {
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
