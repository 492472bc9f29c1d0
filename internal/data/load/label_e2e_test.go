//go:build e2e

package load

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestLabelsStayBesideTheirRows reads tables that pandas, NumPy and scikit-learn wrote:
// the label of a row is a function of its number, which is a variable.
func TestLabelsStayBesideTheirRows(t *testing.T) {
	const rows = 30_000
	dir := t.TempDir()
	run(t, "testdata/labels.py", dir, strconv.Itoa(rows))
	text := func(i int) string {
		if i%11 == 0 {
			return "(missing)"
		}
		return fmt.Sprintf("g%d", i*i%7)
	}
	whole := func(i int) string { return strings.TrimPrefix(text(i), "g") }
	half := func(i int) string {
		if i%11 == 0 {
			return "(missing)"
		}
		return strconv.FormatFloat(float64(i*i%7)/2, 'g', -1, 64)
	}
	// as pandas writes them in text
	decimals := func(point string) func(int) string {
		return func(i int) string {
			if i%11 == 0 {
				return "(missing)"
			}
			return strings.Replace(fmt.Sprintf("%.1f", float64(i*i%7)/2), ".", point, 1)
		}
	}
	flag := func(yes, no string) func(int) string {
		return func(i int) string {
			if i*i%7 > 2 {
				return yes
			}
			return no
		}
	}
	number := func(i int) string { return strconv.Itoa(i * i % 7) }
	type column struct {
		name string
		want func(int) string
	}
	texts := func(point string) []column {
		return []column{{"kind", text}, {"whole", whole}, {"real", decimals(point)}, {"flag", flag("True", "False")}, {"7", text}}
	}
	binary := []column{{"kind", text}, {"whole", whole}, {"real", half}, {"flag", flag("true", "false")}, {"dict", text}, {"2", text}}
	for _, c := range []struct {
		file    string
		columns []column
		o       Options
		memory  bool // it cannot be streamed
	}{
		{file: "plain.csv", columns: texts(".")},
		{file: "plain.csv.gz", columns: texts(".")},
		{file: "tabs.tsv", columns: texts(".")},
		{file: "decimal.csv", columns: texts(",")},
		{file: "quoted.csv", columns: []column{{"kind", text}}},
		{file: "t.parquet", columns: binary},
		{file: "v2.parquet", columns: binary},
		{file: "t.feather", columns: binary},
		{file: "x.npy", columns: []column{{"3", number}}},
		{file: "narrow.npy", columns: []column{{"3", number}}},
		{file: "fortran.npy", columns: []column{{"3", number}}, memory: true},
		{file: "texts.npz", columns: []column{{"kind", text}, {"3", number}}, o: Options{Array: "X"}},
		{file: "bytes.npz", columns: []column{{"kind", text}}},
		{file: "swapped.npz", columns: []column{{"kind", text}}},
		{file: "numbers.npz", columns: []column{{"whole", number}}},
		{file: "t.svmlight", columns: []column{{"target", number}}},
	} {
		for _, col := range c.columns {
			for _, single := range []bool{false, true} {
				o := c.o
				o.Labels, o.Missing, o.Float32 = col.name, MissingDrop, single
				if len(c.columns) > 3 {
					o.Columns = []string{"row", "gap"}
				}
				path := filepath.Join(dir, c.file)
				set, err := Load(t.Context(), path, o)
				if err != nil {
					t.Errorf("%s, labels %s: %v", c.file, col.name, err)
					continue
				}
				if c.file != "t.svmlight" && (set.P > rows*13/14 || set.P < rows/2) {
					t.Errorf("%s, labels %s: %d rows are left of %d", c.file, col.name, set.P, rows)
				}
				check := func(how string, info *Info) {
					if info.Labels == nil || len(info.Labels.Codes) != set.P {
						t.Errorf("%s %s, labels %s: %+v for %d rows", how, c.file, col.name, info.Labels, set.P)
						return
					}
					for l := range set.P {
						i := int(set.at(l, 0))
						if got, want := info.Labels.Of(l), col.want(i); got != want {
							t.Errorf("%s %s, labels %s: row %d has %q, want %q", how, c.file, col.name, i, got, want)
							return
						}
					}
				}
				check("loaded", &set.Info)
				if c.memory || single {
					continue
				}
				s, err := OpenStream(t.Context(), path, o, nil)
				if err != nil {
					t.Errorf("stream of %s, labels %s: %v", c.file, col.name, err)
					continue
				}
				check("streamed", &s.Info)
			}
		}
	}
	for file, want := range map[string]string{"short.npz": `2 labels ("kind") for 30,000 rows; want one for each`, "x.npy": "more than"} {
		o := Options{Labels: "kind", Missing: MissingDrop}
		if file == "x.npy" {
			o.Labels, want = "1", "one of the 1000 different labels so far: labels name groups"
		}
		if _, err := Load(t.Context(), filepath.Join(dir, file), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
		if _, err := OpenStream(t.Context(), filepath.Join(dir, file), o, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("stream of %s: %v, want %q", file, err, want)
		}
	}
}
