package symmom

import (
	"context"
	"database/sql"

	"symmom/internal/data/load"
	"symmom/internal/data/query"
)

// Query makes a session of the rows that a query on a database returns, one observation
// a row:
//
//	db, err := sql.Open("sqlite", "plants.db")
//	data := symmom.Query(db, "select height, width, kind from plants where year > ?", 2020, symmom.LoadOptions{Labels: "kind"})
//
// NULL is a missing value, and numeric text is a number. Columns of text, times or bytes
// are dropped with a warning. args are those of the query; the last may be a LoadOptions
// (Columns, Weights, Labels, Missing, NA, Float32, MemoryLimit). Rows are read one by one:
// only their numbers are kept in memory.
func Query(db *sql.DB, text string, args ...any) *Session {
	var options []LoadOptions
	if len(args) > 0 {
		if o, ok := args[len(args)-1].(LoadOptions); ok {
			options, args = []LoadOptions{o}, args[:len(args)-1]
		}
	}
	return loaded(options, func(ctx context.Context, o load.Options) (*load.Set, error) {
		if db == nil {
			return nil, &ArgumentError{Argument: "db", Value: "nil", Want: "an open database"}
		}
		return query.Table(ctx, db, text, args, o)
	})
}
