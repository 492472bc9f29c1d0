//go:build slim

package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A slim build says what it leaves out, and how to get it.
func TestSlim(t *testing.T) {
	dir := t.TempDir()
	if drivers := sql.Drivers(); slices.Contains(drivers, "sqlite") {
		t.Errorf("there are drivers: %q", drivers)
	}
	for name, text := range map[string]string{"x.csv": "1,2\n3,4\n", "x.parquet": "PAR1", "x.arrow": "ARROW1\x00\x00", "x.db": "SQLite format 3\x00"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	csv, remedy := filepath.Join(dir, "x.csv"), "build symmom without the tag slim"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"info", filepath.Join(dir, "x.parquet")}, "x.parquet: this build has no Parquet, Arrow and Feather; " + remedy},
		{[]string{"info", "--stream", filepath.Join(dir, "x.arrow")}, "x.arrow: this build has no Parquet, Arrow and Feather; " + remedy},
		{[]string{"convert", csv, filepath.Join(dir, "y.parquet")}, "this build has no Parquet, Arrow and Feather; " + remedy},
		{[]string{"info", filepath.Join(dir, "x.db")}, "x.db: this build has no SQLite; " + remedy},
		{[]string{"info", filepath.Join(dir, "x.db"), "--query", "select 1"}, "x.db: this build has no SQLite; " + remedy},
		{[]string{"info", "s3://bucket/x.csv"}, "built without stores; in Go import _ \"symmom/cloud\", and " + remedy},
		{[]string{"info", csv, "--spark", "sc://127.0.0.1:1"}, "built without Spark; in Go import _ \"symmom/spark\", and " + remedy},
	} {
		var out, errs bytes.Buffer
		if code := run(c.args, &out, &errs); code == 0 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%q: code %d, %s%s", c.args, code, out.String(), errs.String())
		}
	}
}
