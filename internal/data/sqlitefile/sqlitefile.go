// Package sqlitefile opens SQLite databases whose rows are observations.
package sqlitefile

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// ErrURL is the error of Open for a database that is not on this machine.
var ErrURL = errors.New("is not on this machine; download it first")

// ErrLeftOut is the error of Open for a database where the driver is left out.
var ErrLeftOut = errors.New("this build has no SQLite; build symmom without the tag slim")

// Is reports whether a file is an SQLite database. What cannot be read is none.
func Is(path string) bool {
	head, err := beginning(path)
	return err == nil && isSQLite(head)
}

// maxLength bounds a value, which SQLite and its driver hold whole and more than once: a
// small file can have values of a gigabyte.
const maxLength = 16e6

// Open opens a file of SQLite to read from it. Queries can neither change it nor reach
// other files.
func Open(ctx context.Context, path string) (*sql.DB, error) {
	if files.IsURL(path) {
		return nil, ErrURL
	}
	head, err := beginning(path)
	switch {
	case err != nil:
		return nil, diag.Open(path, err)
	case len(head) == headBytes && bytes.Equal(head[8:12], []byte("DUCK")):
		return nil, fmt.Errorf("%s: is a DuckDB database, for which there is no driver without C; write the rows with DuckDB: copy (select ...) to 'rows.parquet'", path)
	case !isSQLite(head):
		return nil, fmt.Errorf("%s: is not an SQLite database, so it takes no --query", path)
	}
	return open(ctx, path)
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

// isSQLite detects the file by its header.
func isSQLite(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// Help returns the remedy for an error of a query, "" if there is none.
func Help(ctx context.Context, db *sql.DB, err error) string {
	var place *diag.ParseError // with a value that may hold anything
	switch text := err.Error(); {
	case errors.As(err, &place):
	case strings.Contains(text, "no such table"):
		return Tables(ctx, db)
	case strings.Contains(text, "string or blob too big"):
		return fmt.Sprintf("a value takes more than %s: leave its column out of the query", words.Bytes(maxLength))
	case strings.Contains(text, "too many attached databases"):
		return "a query reads the one database that is named"
	}
	return ""
}

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
