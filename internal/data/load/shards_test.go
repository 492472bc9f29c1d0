package load

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/data/columns"
	"symmom/internal/test/slow"
)

// TestShards cuts random tables of text into files and reads them together under random
// options: the same numbers, weights, labels, names and counts as of the whole table, or
// the same refusal.
func TestShards(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(3, 1))
	refused := 0
	was := streamBytes
	defer func() { streamBytes = was }()
	for seed := range 200 {
		streamBytes = rng.IntN(200)
		dir := t.TempDir()
		p, n := 2+rng.IntN(40), 2+rng.IntN(4)
		names := make([]string, n)
		for j := range names {
			names[j] = "c" + strconv.Itoa(j+1)
		}
		rows := make([][]string, p)
		for i := range rows {
			for j := range n {
				field := strconv.FormatFloat(1+rng.Float64(), 'g', -1, 64)
				switch {
				case rng.IntN(60) == 0:
					field = []string{"NA", "-9", "-9.0", "7e1", "n.a."}[rng.IntN(5)]
				case j == 1:
					field = strconv.Itoa(1 + rng.IntN(3))
				}
				rows[i] = append(rows[i], field)
			}
		}
		o := Options{Missing: Missing(rng.IntN(3)), Float32: rng.IntN(2) == 0}
		if o.Codes, _ = columns.Parse([]string{"-9", "n.a.", "70"}); rng.IntN(4) == 0 {
			o.Codes, _ = columns.Parse([]string{"c2=-9", "c1=n.a.", "c2=n.a.", "c" + strconv.Itoa(n) + "=n.a.", "c1=70", "-9.5"})
		}
		if rng.IntN(2) == 0 {
			o.Weights = "c1"
		}
		if rng.IntN(2) == 0 {
			o.Labels = "c2"
		}
		if rng.IntN(3) == 0 && n > 2 {
			o.Columns = []string{"c" + strconv.Itoa(n)}
		}
		write := func(name string, rows [][]string, order []int) {
			var b strings.Builder
			for _, r := range append([][]string{names}, rows...) {
				for k, j := range order {
					if k > 0 {
						b.WriteByte(',')
					}
					b.WriteString(r[j])
				}
				b.WriteByte('\n')
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		order := make([]int, n)
		for j := range order {
			order[j] = j
		}
		write("_whole", rows, order)
		var list strings.Builder
		list.WriteString("# in this order\n\n")
		for from, k := 0, 0; from < p; k++ {
			to := min(p, from+1+rng.IntN(p))
			file := fmt.Sprintf("part-%02d.csv", k)
			write(file, rows[from:to], order)
			fmt.Fprintln(&list, file)
			if o.Columns == nil || o.Weights == "" {
				rng.Shuffle(n, func(a, b int) { order[a], order[b] = order[b], order[a] })
			}
			from = to
		}
		if err := os.WriteFile(filepath.Join(dir, "_list"), []byte(list.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		want, wrong := Load(t.Context(), filepath.Join(dir, "_whole"), o)
		for _, path := range []string{dir, filepath.Join(dir, "part-*.csv"), "@" + filepath.Join(dir, "_list")} {
			got, err := Load(t.Context(), path, o)
			if wrong != nil {
				refused++
				if err == nil {
					t.Fatalf("seed %d: no error, want %v", seed, wrong)
				}
				continue
			}
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
			if got.Fingerprint() != want.Fingerprint() || !slices.Equal(got.Names, want.Names) || got.Dropped != want.Dropped || got.Filled != want.Filled ||
				fmt.Sprint(texts(got.Warnings)) != fmt.Sprint(texts(want.Warnings)) || fmt.Sprint(got.Labels) != fmt.Sprint(want.Labels) {
				t.Fatalf("seed %d, %+v: %v %v, want %v %v", seed, o, got.Float64(), got.Info, want.Float64(), want.Info)
			}
			left := 0
			for _, s := range got.Shards {
				left += s.Rows
			}
			if left != p || got.Source != path {
				t.Fatalf("%q: %+v", got.Source, got.Shards)
			}
			if o.Missing != MissingMean && !o.Float32 {
				checkStream(t, path, o, got)
			}
		}
	}
	if refused < 30 || refused > 500 {
		t.Errorf("%d refused", refused)
	}
}

// checkStream compares a stream of the same files.
func checkStream(t *testing.T, path string, o Options, want *Set) {
	t.Helper()
	s, err := OpenStream(t.Context(), path, o, nil)
	if err != nil {
		t.Fatalf("%s, %+v: %v", path, o, err)
	}
	if s.Dropped != want.Dropped || !slices.Equal(s.Names, want.Names) || fmt.Sprint(texts(s.Warnings)) != fmt.Sprint(texts(want.Warnings)) ||
		fmt.Sprint(s.Labels) != fmt.Sprint(want.Labels) || fmt.Sprint(s.Shards) != fmt.Sprint(want.Shards) {
		t.Fatalf("%s, %+v: %+v, want %+v", path, o, s.Info, want.Info)
	}
	for range 2 {
		values, weights := collect(t, s)
		if !slices.Equal(values, want.Values) || len(weights) != len(want.Weights) {
			t.Fatalf("%s, %+v: %v, want %v", path, o, values, want.Values)
		}
		for i, w := range weights { // both round a sum of P terms
			if !(math.Abs(w-want.Weights[i]) <= 1e-16*float64(want.P+10)*want.Weights[i]) {
				t.Fatalf("weight %d is %g, want %g", i, w, want.Weights[i])
			}
		}
	}
	if sum, err := s.Fingerprint(t.Context()); err != nil || want.Weights == nil && sum != want.Fingerprint() {
		t.Fatalf("%s, %v; want %s", sum, err, want.Fingerprint())
	}
}

func TestShardErrors(t *testing.T) {
	slow.Test(t)
	t.Chdir(t.TempDir()) // errors cut long paths
	const dir = "."
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("a/1.csv", "x,y\n1,2\n3,4\n")
	put("a/2.csv", "x,z\n1,2\n")
	put("b/1.csv", "1,2\n")
	put("b/2.csv", "1,2,3\n")
	put("c/1.csv", "x,y\n1,2\n")
	put("c/2.tsv", "x\ty\n1\t2\n")
	put("d/1.csv", "x,y\n1,2\n")
	put("d/2.csv", "y,x\n1,2\n3,inf\n")
	put("e/1.csv", "x,y\n1,2\n")
	put("e/2.csv", "x,y\n")
	put("e/3.csv", "")
	put("f/.hidden.csv", "1\n")
	put("f/_SUCCESS", "")
	put("g/1.svm", "1 1:2\n")
	put("h", "# nothing\n")
	put("i", "a/1.csv\nmissing.csv\n")
	put("k/1.csv", "x,y\n")
	put("l/1.csv", "a,b,w\n1,2,3\n")
	put("l/2.csv", "w,a,b\n1,2,3\n")
	put("m/1.csv", "1,2,x\n")
	put("m/2.csv", "x,1,2\n")
	for _, c := range []struct{ path, want string }{
		{"a", `a/2.csv: has no column "y" among those that are read, as the first table has; choose columns by name that both have (`},
		{"b", "b/2.csv: has 3 columns, want 2 as the first table ("},
		{"c", "1.csv and 2.tsv are of different formats; choose those of one with a pattern such as '*.csv'"},
		{"d", `d/2.csv: line 3, column 2 (x): got "inf", want a finite number`},
		{"f", "is a directory without data files"},
		{"g", "join them into one: cat part-*.svm > all.svm"},
		{"none-*.csv", "none-*.csv: no file matches; check the pattern"},
		{"@h", "the list is empty; want the path of a table on each line"},
		{"@i", "missing.csv: file does not exist; check the path; want a list, a text file with the path of a table on each line"},
		{"@no", "the list of files: file does not exist"},
		{"k", "none of 1 file has observations"},
	} {
		path := filepath.Join(dir, c.path)
		if list, ok := strings.CutPrefix(c.path, "@"); ok {
			path = "@" + filepath.Join(dir, list)
		}
		_, err := Load(t.Context(), path, Options{})
		checkErrorHas(t, err, c.want)
		_, err = OpenStream(t.Context(), path, Options{}, nil)
		checkErrorHas(t, err, c.want)
	}
	for _, c := range []struct {
		dir, want string
		o         Options
	}{
		{"l", "2.csv: has its weights in other columns than the first table (", Options{Columns: []string{"a"}, Weights: "3"}},
		{"l", "2.csv: has its labels in other columns than the first table (", Options{Columns: []string{"a"}, Labels: "3"}},
		{"l", "2.csv: has its weights in other columns than the first table (", Options{Weights: "3"}},
		{"l", `2.csv: has no column "b" among those that are read, as`, Options{Columns: []string{"1", "2"}}},
		{"m", "2.csv: has its numbers in other columns than the first table (", Options{Header: HeaderAbsent}},
	} {
		_, err := Load(t.Context(), filepath.Join(dir, c.dir), c.o)
		checkErrorHas(t, err, c.want)
		_, err = OpenStream(t.Context(), filepath.Join(dir, c.dir), c.o, nil)
		checkErrorHas(t, err, c.want)
	}
	s, err := Load(t.Context(), filepath.Join(dir, "e"), Options{})
	if err != nil || s.P != 1 || len(texts(s.Warnings)) < 2 || !strings.Contains(fmt.Sprint(texts(s.Warnings)), "e/2.csv has no observations") {
		t.Errorf("%+v, %v", s, err)
	}
	checkStream(t, filepath.Join(dir, "e"), Options{}, s)
	// A file whose name looks like a pattern is that file.
	put("odd[1].csv", "7,8\n")
	if s, err := Load(t.Context(), filepath.Join(dir, "odd[1].csv"), Options{}); err != nil || s.Values[0] != 7 || s.Shards != nil {
		t.Errorf("%+v, %v", s, err)
	}
	// A thousand files, of which few are open at a time.
	for i := range 1000 {
		put(fmt.Sprintf("many/%04d.csv", i), fmt.Sprintf("%d,1\n", i))
	}
	if s, err = Load(t.Context(), filepath.Join(dir, "many"), Options{}); err != nil || s.P != 1000 || s.Values[2*999] != 999 {
		t.Fatalf("%+v, %v", s, err)
	}
	checkStream(t, filepath.Join(dir, "many"), Options{}, s)
}

// A position in a later file is given in the columns of that file.
func TestShardPlaces(t *testing.T) {
	var all table
	for _, one := range []*table{
		{p: 3, n: 2, names: []string{"a", "b"}, columns: []int{1, 3}, weight: 2, heavy: "w"},
		{p: 4, n: 2, names: []string{"b", "a"}, columns: []int{1, 2}, weight: 3, heavy: "w"},
	} {
		if _, err := all.align(one, fmt.Sprint("file", one.p), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		row, column int
		want        string
	}{
		{2, 3, `file3: row 3, column 3 (x): got "1", want `},
		{3, 3, `file4: row 1, column 1 (x): got "1", want `},
		{6, 1, `file4: row 4, column 2 (x): got "1", want `},
		{6, 2, `file4: row 4, column 3 (x): got "1", want `},
	} {
		if got := all.place(c.row, c.column, "x", 1).Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
