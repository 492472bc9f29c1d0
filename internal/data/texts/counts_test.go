package texts

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/text/diag"
)

// dense returns the counts as rows of numbers, by the reader of the file that Write makes.
func dense(t *testing.T, c *Counts, extension string) [][]float64 {
	t.Helper()
	var b bytes.Buffer
	if _, err := c.Write(t.Context(), &b, "x."+extension); err != nil {
		t.Fatal(err)
	}
	set, err := load.Read(t.Context(), &b, "x", extension, load.Options{Names: c.Words})
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for i := range set.P {
		rows = append(rows, set.Values[i*set.N:(i+1)*set.N])
	}
	return rows
}

var small = []string{"red fish, blue fish", "", "one fish two fish red", "blue and red"}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string // words and rows
	}{
		{Options{}, "and blue fish one red two [[0 1 2 0 1 0] [0 0 0 0 0 0] [0 0 2 1 1 1] [1 1 0 0 1 0]]"},
		{Options{MinDocuments: 2}, "blue fish red [[1 2 1] [0 0 0] [0 2 1] [1 0 1]]"},
		{Options{MinDocuments: 2, MaxShare: .5}, "blue fish [[1 2] [0 0] [0 2] [1 0]]"},
		{Options{MaxWords: 3}, "blue fish red [[1 2 1] [0 0 0] [0 2 1] [1 0 1]]"},
		{Options{Stop: []string{"fish", "AND"}, NGrams: 2, MinDocuments: 2}, "blue red [[1 1] [0 0] [0 1] [1 1]]"},
		{Options{Stop: []string{"fish"}, NGrams: 2, Vocabulary: []string{"red blue", "red", "tw"}}, "red blue red tw [[1 1 0] [0 0 0] [0 1 0] [0 1 0]]"},
	} {
		for threads := 1; threads < 4; threads++ {
			c.o.Threads = threads
			counts, err := Count(t.Context(), Strings{"texts", small}, c.o)
			if err != nil {
				t.Fatal(err)
			}
			for _, extension := range Extensions {
				rows := dense(t, counts, extension)
				if got := fmt.Sprint(strings.Join(counts.Words, " "), " ", rows); got != c.want {
					t.Errorf("%+v: %s\nwant %s", c.o, got, c.want)
				}
			}
		}
	}
}

// What is left out is counted by its reason.
func TestFound(t *testing.T) {
	o := Options{Stop: []string{"one"}, MinDocuments: 2, MaxShare: .6, MaxWords: 1}
	c, err := Count(t.Context(), Strings{"texts", small}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := Found{Words: 5, Total: 11, Stop: 1, Rare: 2, Common: 1, First: []string{"red"}, Beyond: 1}
	if got := c.Found; fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(c.Words, c.Stored, c.Total, c.Documents) != "[fish] 2 4 4" {
		t.Errorf("%+v, %v %d %d %d", got, c.Words, c.Stored, c.Total, c.Documents)
	}
}

// Several batches are joined in order, with any number of threads, to what one map counts.
func TestManyDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var documents []string
	want := map[string]int{}
	for i := range 9000 {
		var words []string
		for range rng.IntN(30) {
			w := fmt.Sprintf("word%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26)*rng.IntN(2))
			words = append(words, w)
			want[fmt.Sprint(i, w)]++
		}
		documents = append(documents, strings.Join(words, " "))
	}
	var first []byte
	for threads := 1; threads < 5; threads++ {
		c, err := Count(t.Context(), Strings{"texts", documents}, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.parts) < 3 {
			t.Fatalf("%d parts: this test looks at nothing", len(c.parts))
		}
		var b bytes.Buffer
		if _, err := c.Write(t.Context(), &b, "x.npz"); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		}
		if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("other bytes with %d threads", threads)
		}
		set, err := c.Set(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		read, err := load.Read(t.Context(), &b, "x", "npz", load.Options{Sparse: true, Names: c.Words})
		if err != nil {
			t.Fatal(err)
		}
		if x := read.Sparse; x == nil || !slices.Equal(x.Start, set.Sparse.Start) || !slices.Equal(x.Index, set.Sparse.Index) || !slices.Equal(x.V, set.Sparse.V) || !slices.Equal(read.Names, c.Words) {
			t.Errorf("what was written is read as something else")
		}
		got := 0
		for i := range set.P {
			if row := set.Sparse.Index[set.Sparse.Start[i]:set.Sparse.Start[i+1]]; !slices.IsSorted(row) {
				t.Fatalf("document %d: columns %v", i, row)
			}
			for k := set.Sparse.Start[i]; k < set.Sparse.Start[i+1]; k++ {
				if got++; int(set.Sparse.V[k]) != want[fmt.Sprint(i, c.Words[set.Sparse.Index[k]])] {
					t.Fatalf("document %d: %d of %s", i, int(set.Sparse.V[k]), c.Words[set.Sparse.Index[k]])
				}
			}
		}
		if got != len(want) || c.Stored != got {
			t.Errorf("%d entries of %d, want %d", got, c.Stored, len(want))
		}
	}
}

// A count ends with its context, also within a document.
func TestCountEnds(t *testing.T) {
	long := strings.Repeat("word after word ", mark)
	words := 0
	(&tokenizer{}).each(long, func() bool { return false }, func([]byte) { words++ })
	if words == 0 || words > mark {
		t.Errorf("%d words of %d were found", words, 3*mark)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Count(ctx, Strings{"texts", []string{long}}, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTooLarge(t *testing.T) {
	c, err := Count(t.Context(), Strings{"texts", small}, Options{MemoryLimit: 1 << 20})
	if err == nil {
		_, err = c.Set(t.Context(), 1<<20) // 16 MB need no check
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Stored = 1 << 30
	if _, err = c.Set(t.Context(), 1<<20); !errors.Is(err, diag.ErrTooLarge) || !strings.Contains(err.Error(), "texts: its 1,073,741,824 counts") {
		t.Error(err)
	}
}

func TestJoinedScripts(t *testing.T) {
	phrase := "我们的目标是建立一个更好的世界。"
	for text, joined := range map[string]bool{strings.Repeat(phrase, 30): true, strings.Repeat("我们 目标 建立 一个 世界 ", 30): false, strings.Repeat("an extraordinarily longwinded ", 30): false} {
		c, err := Count(t.Context(), Strings{"texts", []string{text}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (c.Joined() != "") != joined {
			t.Errorf("%s: %q", text[:30], c.Joined())
		}
	}
}

// Documents come from files of many kinds.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write([]byte(text))
			_ = z.Close()
			text = b.String()
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := write("many/a.txt", "\ufefffirst text\nof two lines")
	write("many/b.txt.gz", "second text")
	write("many/.hidden", "no text")
	write("many/c", "")
	write("many/below/d.txt", "left out")
	write("list.txt", "many/c\nmany/a.txt\n")
	csv := write("t.csv", "id,text,more\n1,\"one, \"\"two\"\"\nthree\",x\n2,,y\n3,four five,z\n")
	for _, c := range []struct {
		args []string
		f    Files
		want []string
	}{
		{[]string{a}, Files{}, []string{"first text\nof two lines"}},
		{[]string{a}, Files{Lines: true}, []string{"first text", "of two lines"}},
		{[]string{filepath.Join(dir, "many")}, Files{}, []string{"first text\nof two lines", "second text", ""}},
		{[]string{filepath.Join(dir, "many", "*.txt*")}, Files{}, []string{"first text\nof two lines", "second text"}},
		{[]string{"@" + filepath.Join(dir, "list.txt"), a}, Files{}, []string{"", "first text\nof two lines", "first text\nof two lines"}},
		{[]string{csv}, Files{Column: "text"}, []string{"one, \"two\"\nthree", "", "four five"}},
		{[]string{csv, csv}, Files{Column: "3"}, []string{"x", "y", "z", "x", "y", "z"}},
		{[]string{write("n.tsv.gz", "all words\tmore\nno header\there\n")}, Files{Column: "1", Header: load.HeaderAbsent}, []string{"all words", "no header"}},
		{[]string{write("t.jsonl", "{\"text\": \"caf\\u00e9\", \"n\": 1}\n\n{\"n\": 2}\n{\"text\": null}\n")}, Files{Column: "text"}, []string{"café", "", ""}},
		{[]string{write("t.dat", " {\"text\": \"by content\"}")}, Files{Column: "text"}, []string{"by content"}},
		{[]string{write("u.dat", "text;b\nby content;1\n")}, Files{Column: "text"}, []string{"by content"}},
	} {
		var err error
		if c.f.Paths, err = Paths(t.Context(), c.args); err != nil {
			t.Error(err)
			continue
		}
		var got []string
		if err := c.f.Each(t.Context(), 0, func(d string) error { got = append(got, d); return nil }); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, %v", c.args, got, err)
		}
	}
	for _, c := range []struct {
		path string
		f    Files
		want string
	}{
		{csv, Files{}, csv + `: is a table: say which column holds the texts; its columns are "id", "text", "more"`},
		{csv, Files{Column: "words"}, csv + `: column "words": unknown; the columns are "id", "text", "more"`},
		{csv, Files{Column: "1-2"}, csv + `: column "1-2": want one column, got a range`},
		{write("l.csv", "a,text\n1,x\n2,caf\xe9 noir\n"), Files{Column: "text"}, `l.csv: line 3: got "caf\xe9 noir", want UTF-8`},
		{write("l.txt", "fine\nla caf\xe9 noir"), Files{}, `l.txt: line 2: got "caf\xe9 noir", want UTF-8`},
		{write("l2.txt", "fine\nla caf\xe9 noir"), Files{Lines: true}, `l2.txt: line 2: got "caf\xe9 noir", want UTF-8`},
		{write("u.txt", "\xff\xfea\x00b\x00"), Files{}, `u.txt: is UTF-16 text; save it as UTF-8`},
		{write("p.txt", "%PDF-1.4\n\x00\x01\x02"), Files{}, `p.txt: is a PDF document`},
		{write("x.npz", "PK"), Files{}, `x.npz: holds numbers (npz), want texts`},
		{write("j.jsonl", "{\"text\": \"a\"}\n{\"text\": 5}\n"), Files{Column: "text"}, `j.jsonl: line 2: field "text" is "5", want a text`},
		{write("k.jsonl", "{\"text\": \"a\"}\n[1]\n"), Files{Column: "text"}, `k.jsonl: line 2: got "[1]", want an object of JSON on each line`},
		{write("m.jsonl", "{\"title\": \"a\", \"body\": \"b\"}\n"), Files{Column: "text"}, `m.jsonl: no line has a field "text"; the first has "body", "title"`},
		{write("o.jsonl", "{}\n"), Files{}, `o.jsonl: has JSON lines: say which field holds the texts`},
		{filepath.Join(dir, "none.txt"), Files{}, `none.txt: file does not exist`},
	} {
		c.f.Paths = []string{c.path}
		if err := c.f.Each(t.Context(), 0, func(string) error { return nil }); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
