//go:build e2e

package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"symmom/symmom"
)

// tables has Python's sqlite3 write random tables and what it reads back.
const tables = `
import json, math, random, sqlite3, sys
def value(rng, kind):
    if rng.random() < .03: return None
    if kind == "real": return rng.choice([rng.gauss(0, 1), rng.gauss(0, 1) * 10.0 ** rng.randint(-300, 300), -0.0, 0.1, 5e-324, 1.7976931348623157e308])
    if kind == "integer": return rng.choice([rng.randint(-9, 9), rng.randint(-2**63, 2**63 - 1), 2**53 + 1, -2**53 - 1])
    if kind == "any": return rng.choice([rng.gauss(0, 1), rng.randint(-99, 99)])
    if kind == "blob": return bytes([255, rng.randint(0, 255)])
    return rng.choice(["rose", "lily", "größe", "a 'b' \"c\""])
for seed in range(int(sys.argv[2])):
    rng = random.Random(seed)
    kinds = ["real"] + [rng.choice(["real", "integer", "any", "text", "blob"]) for _ in range(rng.randint(0, 6))] + ["text"]
    path = f"{sys.argv[1]}/{seed}.db"
    db = sqlite3.connect(path)
    declared = lambda k: "" if k == "any" else k
    db.execute("create table t (" + ", ".join(f'"c {j}" {declared(k)}' for j, k in enumerate(kinds)) + ")")
    db.executemany("insert into t values (" + ",".join("?" * len(kinds)) + ")", [[value(rng, k) for k in kinds] for _ in range(rng.choice([3, 50, 5000]))])
    db.commit()
    rows = db.execute("select * from t").fetchall()
    numbers = [j for j, k in enumerate(kinds) if k in ("real", "integer", "any")]
    with open(f"{sys.argv[1]}/{seed}.json", "w") as f:
        json.dump({"columns": [f"c {j}" for j in numbers], "label": len(kinds) - 1,
            "rows": [[float(r[j]).hex() for j in numbers] for r in rows if all(r[j] is not None for j in numbers)],
            "labels": [r[-1] or "(missing)" for r in rows if all(r[j] is not None for j in numbers)]}, f)
`

// TestQueryIsPythons compares Query bit for bit with Python's sqlite3.
func TestQueryIsPythons(t *testing.T) {
	python := os.Getenv("SYMMOM_PYTHON")
	if python == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python")
	}
	const cases = 60
	dir := t.TempDir()
	cmd := exec.Command(python, "-c", tables, dir, strconv.Itoa(cases))
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for seed := range cases {
		var want struct {
			Columns []string
			Label   int
			Rows    [][]string
			Labels  []string
		}
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.json", seed)))
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Rows) == 0 {
			continue
		}
		db, err := sql.Open("sqlite", filepath.Join(dir, fmt.Sprintf("%d.db", seed)))
		if err != nil {
			t.Fatal(err)
		}
		s := symmom.Query(db, "select * from t where ? = 1", 1, symmom.LoadOptions{Missing: "drop", Labels: fmt.Sprintf("c %d", want.Label)})
		if err := s.Err(); err != nil {
			t.Errorf("%d: %v", seed, err)
			continue
		}
		if s.Observations() != len(want.Rows) || fmt.Sprint(s.Columns()) != fmt.Sprint(want.Columns) {
			t.Errorf("%d: %d rows of %q, want %d of %q", seed, s.Observations(), s.Columns(), len(want.Rows), want.Columns)
			continue
		}
		m, l := s.Matrix(), s.Labels()
		for i, row := range want.Rows {
			for j, hex := range row {
				x, err := strconv.ParseFloat(hex, 64)
				if err != nil {
					t.Fatal(err)
				}
				if got := m.At(i, j); math.Float64bits(got) != math.Float64bits(x) {
					t.Fatalf("%d: row %d, %s: %v, want %v", seed, i+1, want.Columns[j], got, x)
				}
				compared++
			}
			if got := l.Groups[l.Of[i]]; got != want.Labels[i] {
				t.Fatalf("%d: row %d has the label %q, want %q", seed, i+1, got, want.Labels[i])
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d numbers were compared", compared)
	}
}
