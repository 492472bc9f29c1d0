//go:build !slim

package sqlitefile

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"path/filepath"
	"sync/atomic"

	"modernc.org/sqlite" // the driver, also of database/sql in sessions
	sqlite3 "modernc.org/sqlite/lib"

	"symmom/internal/text/diag"
)

func open(ctx context.Context, path string) (*sql.DB, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	where := url.URL{Scheme: "file", Path: filepath.ToSlash(whole), RawQuery: "mode=ro&_pragma=query_only(1)"}
	c, err := sqlite.NewConnector(where.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(&single{Connector: c})
	db.SetMaxOpenConns(1)
	if err := limit(ctx, db); err != nil {
		db.Close()
		return nil, diag.Open(path, err)
	}
	return db, nil
}

// limit bounds what the one connection of db may do.
func limit(ctx context.Context, db *sql.DB) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for id, most := range map[int]int{sqlite3.SQLITE_LIMIT_LENGTH: maxLength, sqlite3.SQLITE_LIMIT_ATTACHED: 0} {
		if _, err := sqlite.Limit(c, id, most); err != nil {
			return err
		}
	}
	return nil
}

// single connects once: another connection would have no limits.
type single struct {
	driver.Connector
	done atomic.Bool
}

func (s *single) Connect(ctx context.Context) (driver.Conn, error) {
	if s.done.Swap(true) {
		return nil, errors.New("the connection to the database is lost; try again")
	}
	return s.Connector.Connect(ctx)
}
