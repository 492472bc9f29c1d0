//go:build slim

package sqlitefile

import (
	"context"
	"database/sql"
	"fmt"
)

// Compiling SQLite takes half a minute.
func open(_ context.Context, path string) (*sql.DB, error) {
	return nil, fmt.Errorf("%s: %w", path, ErrLeftOut)
}
