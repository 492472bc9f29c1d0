package main

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestQuery(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "some plants?.db")
	db, err := sql.Open("sqlite", filepath.Join(dir, "made.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`create table plants (height real, kind text, width integer, sown datetime);
		insert into plants values (0.1, 'rose', 1, '2020-01-02 03:04:05'), (0.2, 'rose', 2, null), (9.5, 'lily', 90, null), (null, 'lily', 91, null), (9.1, null, 92, null), (9.2, 'lily', 93, null);
		create table odd (a, b); insert into odd values (1, 2), (3, 'tall');
		create table images (a, b blob); insert into images values (1, x'313233'), (2, x'34')`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "made.db"), path); err != nil {
		t.Fatal(err)
	}
	duck := filepath.Join(dir, "duck.db")
	if err := os.WriteFile(duck, append(make([]byte, 8), "DUCK............"...), 0o600); err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(text, []byte("a,b\n1,2\n3,-5.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, other := filepath.Join(dir, "rows.csv"), filepath.Join(dir, "other.db")
	all := "select * from plants"
	for _, c := range []struct {
		args []string
		code int
		want string // in the output, or in what it complains of
	}{
		{[]string{"convert", path, rows, "--query", all, "--missing", "drop"}, 0, "2 columns without numbers left out: kind (text such as \"rose\"), sown (times such as 2020-01-02T03:04:05Z)"},
		{[]string{"mixture", path, "-r", "2", "--query", all, "--labels", "kind", "--missing", "drop"}, 0, "Adjusted Rand index 1.00000, of the 4 observations with a label"},
		{[]string{"info", path, "--query", all}, 0, "1 value; only complete rows are described"},
		{[]string{"decompose", path, "-d", "2", "-r", "1", "--query", "select width, height from plants where width > 50 and height not null"}, 0, "3 observations of 2 variables"},
		{[]string{"info", path}, 2, `is an SQLite database: say which rows to take: --query 'select ... from ...'; its tables are "images", "odd", "plants"`},
		{[]string{"info", path, "--query", "select * from plans"}, 1, `no such table: plans (1); its tables are "images", "odd", "plants"`},
		{[]string{"convert", path, rows, "--query", "select * from odd"}, 1, `row 2, column 2 (b): got "tall", want a number; cast or correct it in the query, or leave the column out (--columns)`},
		{[]string{"convert", path, rows, "--query", "select kind from plants"}, 1, `has no column of numbers; its columns are kind (text such as "rose")`},
		{[]string{"convert", path, rows, "--query", "select kind from plants", "--labels", "kind"}, 1, "has no column that could be a variable; want one of numbers"},
		{[]string{"convert", text, rows, "--weights-column", "b"}, 1, "want a positive, finite weight\n"}, // and no flag
		{[]string{"convert", path, rows, "--query", "delete from plants"}, 1, "readonly"},
		{[]string{"convert", path, rows, "--query", "create temp table t as select 1"}, 1, "readonly"},
		{[]string{"convert", path, rows, "--query", "attach '" + other + "' as z; drop table z.precious; select 1"}, 2, "--query holds more than one statement; want one select"},
		{[]string{"convert", path, rows, "--query", "attach '" + other + "' as z"}, 1, "a query reads the one database that is named"},
		{[]string{"convert", path, rows, "--query", "vacuum into '" + other + "'"}, 1, "a query reads the one database that is named"},
		{[]string{"convert", path, rows, "--query", "select 1 a, zeroblob(900000000) b"}, 1, "a value takes more than 16 MB: leave its column out of the query"},
		{[]string{"convert", path, rows, "--query", "select 1 a, zeroblob(15000000) b"}, 0, "1 column without numbers left out: b (bytes such as 0000000000000000)"},
		{[]string{"convert", path, rows, "--query", "select *, '7' c, '2_0' d, '1' || hex(zeroblob(2000)) e from images"}, 0, `3 columns without numbers left out: b (bytes such as 313233), d (text such as "2_0"), e (text such as`},
		{[]string{"info", path, "--query", "select * from odd where 0"}, 1, "plants?.db: query: has no observations; want at least one row"},
		{[]string{"convert", path, rows, "--query", all, "--stream"}, 2, "--stream and --query: want one of them; rows of a query are kept in memory, or written to a file first: symmom convert"},
		{[]string{"info", path, "--query", all, "--header", "no"}, 2, "--query and --header: want one of them; a query names its columns"},
		{[]string{"info", path, "--query", all, "--delimiter", ";"}, 2, "--query and --delimiter: want one of them"},
		{[]string{"info", path, "--query", all, "--decimal", ","}, 2, "--query and --decimal: want one of them"},
		{[]string{"info", path, "--query", all, "--array", "plants"}, 2, "--query and --array: want one of them"},
		{[]string{"info", duck, "--query", all}, 1, "is a DuckDB database, for which there is no driver without C"},
		{[]string{"info", text, "--query", all}, 1, "is not an SQLite database, so it takes no --query"},
		{[]string{"info", filepath.Join(dir, "none.db"), "--query", all}, 1, "none.db: file does not exist; check the path"},
	} {
		var out, complaint bytes.Buffer
		code := run(c.args, &out, &complaint)
		if code != c.code || !strings.Contains(out.String()+complaint.String(), c.want) {
			t.Errorf("%q: exit %d, want %d and %q\n%s%s", c.args, code, c.code, c.want, &out, &complaint)
		}
		if c.code != 0 && strings.Count(complaint.String(), "\n") > 2 {
			t.Errorf("%q: more than one line:\n%s", c.args, &complaint)
		}
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a query made another file")
	}
}
