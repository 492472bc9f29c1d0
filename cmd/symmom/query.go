package main

import (
	"context"
	"errors"
	"fmt"

	"symmom/internal/data/sqlitefile"
	"symmom/internal/store/files"
	"symmom/symmom"
)

// rows takes the rows of --query from the database in a file.
func (d *dataFlags) rows(ctx context.Context, path string) (*symmom.Session, error) {
	if err := refuse(
		contradiction{d.stream, "--stream", "--query", fmt.Sprintf("rows of a query are kept in memory, or written to a file first: symmom convert %s rows.parquet --query ...", path)},
		contradiction{d.load.Header != "auto", "--query", "--header", "a query names its columns"},
		contradiction{d.load.Delimiter != "", "--query", "--delimiter", "rows of a database have no delimiter"},
		contradiction{d.load.Fixed != "", "--query", "--fixed", "rows of a database have no positions"},
		contradiction{d.load.Words != "", "--query", "--words", "a query names its columns"},
		contradiction{d.load.Decimal != "auto", "--query", "--decimal", "numbers written as text in a database have a point"},
		contradiction{d.load.Array != "", "--query", "--array", "a database has tables: name one in the query"},
	); err != nil {
		return nil, err
	}
	if err := sqlitefile.CheckQuery(d.query); err != nil {
		return nil, usagef("--query %v", err)
	}
	db, err := sqlitefile.Open(ctx, path)
	if errors.Is(err, sqlitefile.ErrURL) {
		return nil, usagef("%s: --query reads a database on this machine; download it first", files.Name(path))
	}
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s := symmom.Query(db, d.query, d.load)
	if err := s.Err(); err != nil && !errors.Is(err, symmom.ErrInterrupted) {
		if text := sqlitefile.Help(ctx, db, err); text != "" {
			return s, fmt.Errorf("%s: %w; %s", path, err, text)
		}
		return s, fmt.Errorf("%s: %w", path, inFlags(err))
	}
	return s, nil
}

// wantsQuery refuses an SQLite database without --query, naming its tables.
func wantsQuery(ctx context.Context, path string) error {
	if !sqlitefile.Is(path) {
		return nil // an error is for the reader
	}
	text := "say which rows to take: --query 'select ... from ...'"
	db, err := sqlitefile.Open(ctx, path)
	if errors.Is(err, sqlitefile.ErrLeftOut) {
		return err
	}
	if err == nil {
		defer db.Close()
		if tables := sqlitefile.Tables(ctx, db); tables != "" {
			text += "; " + tables
		}
	}
	return usagef("%s: is an SQLite database: %s", path, text)
}
