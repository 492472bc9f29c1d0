package sqlitefile

import (
	"database/sql"
	"path/filepath"
	"testing"
)

func TestCheckQuery(t *testing.T) {
	for query, one := range map[string]bool{
		"select 1":                            true,
		" ; select 1;":                        true,
		"select 1; \n ; -- the end; select 2": true,
		"select 1 /* ; */ ; /* select 2":      true,
		"select ';', \"a;b\", `c;`, [d;], 'it''s;' from (select 1 \"a;b\", 2 `c;`, 3 [d;])": true,
		"select 1 -- ;\n, 2":        true,
		"select 1; select 2":        false,
		"select 1;;select 2;":       false,
		"select ''';'; select 2":    false,
		"select 1 /* */; select 2;": false,
		"select 1 -- \n; select 2":  false,
		"":                          true,
	} {
		if err := CheckQuery(query); (err == nil) != one {
			t.Errorf("%q: %v", query, err)
		}
	}
}

// TestOpen: a query sees one database, and changes none.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a.db"), filepath.Join(dir, "other.db")
	for _, p := range []string{path, other} {
		db, err := sql.Open("sqlite", p)
		if err == nil {
			_, err = db.Exec("create table precious (a); insert into precious values (7)")
		}
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		"attach '" + other + "' as z; drop table z.precious", "pragma query_only = 0; drop table precious", "vacuum into '" + other + "2'",
		"attach ':memory:' as m", "select zeroblob(17000000)", "delete from precious",
	} {
		var a any
		if err := db.QueryRow(statement).Scan(&a); err == nil || err == sql.ErrNoRows {
			t.Errorf("%s: %v, %v", statement, a, err)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) != 2 {
		t.Errorf("files %q, %v", files, err)
	}
	for _, p := range []string{path, other} {
		db, err := Open(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		a := 0
		if err := db.QueryRow("select a from precious").Scan(&a); err != nil || a != 7 {
			t.Errorf("%s: %d, %v", p, a, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
