package symmom_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/symmom"
)

func ExampleTextOptions() {
	talks := symmom.Texts("talks", symmom.TextOptions{
		Documents: []string{"Lions and zebras.", "Zebras, zebras!", "Rome and Paris", "Paris"},
		Stop:      "english",
	})
	fmt.Println(talks.Columns())
	fmt.Println(talks.Matrix().RawRowView(1))
	// Output:
	// [lions paris rome zebras]
	// [0 0 0 2]
}

// The words are the names of the variables wherever there are names: of a selection, a file
// that is written, a summary. A model of some of them goes on with their names.
func TestWordsAreNames(t *testing.T) {
	dir := t.TempDir()
	csv := filepath.Join(dir, "reviews.csv")
	if err := os.WriteFile(csv, []byte("stars,text\n5,\"good, very good\"\n1,bad\n3,\n2,\"not good\nnot bad\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := symmom.Texts(csv, symmom.TextOptions{Column: "text"})
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	if got := strings.Join(s.Columns(), " "); got != "bad good not very" || s.Observations() != 4 {
		t.Fatalf("columns %q of %d documents", got, s.Observations())
	}
	if s.Density() != 6./16 {
		t.Errorf("density %g", s.Density())
	}
	part := s.Select("very", "good")
	if got := fmt.Sprint(part.Columns(), part.Matrix().RawRowView(0)); got != "[very good] [1 2]" {
		t.Error(got)
	}
	if v := s.Summary().Variables[2]; v.Name != "not" || v.Max != 2 {
		t.Errorf("%+v", v)
	}
	out := filepath.Join(dir, "counts.csv")
	if err := s.Save(out); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "bad,good,not,very\n0,2,0,1\n1,0,0,0\n0,0,0,0\n1,1,2,0\n" {
		t.Errorf("%q, %v", text, err)
	}
	again := symmom.Texts("more", symmom.TextOptions{Documents: []string{"Very, very fine"}, Vocabulary: s.Columns()})
	if got := fmt.Sprint(again.Matrix().RawRowView(0), again.Columns()); got != "[0 0 0 2] [bad good not very]" {
		t.Error(got)
	}
}

// Words come from a file, too, for arrays and matrices that have no names.
func TestWordsOfAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	list := write("words.txt", "\ufeffbad\r\ngood\r\nnot\n\n")
	for _, file := range []string{
		write("x.ldac", "2 0:1 1:2\n0\n1 1:1\n"),
		write("x.svmlight", "1 1:1 2:2\n2\n0 2:1\n"),
		write("x.mm", "%%MatrixMarket matrix coordinate real general\n3 3 3         \n1 1 1\n1 2 2\n3 2 1\n"),
		write("x.csv", "1,2,0\n0,0,0\n0,1,0\n"),
	} {
		s := symmom.Load(file, symmom.LoadOptions{Words: list, Columns: []string{"good", "not"}})
		if s.Err() != nil {
			t.Error(s.Err())
			continue
		}
		if got := fmt.Sprint(s.Columns(), s.Matrix().RawMatrix().Data); got != "[good not] [2 0 0 0 1 0]" {
			t.Errorf("%s: %s", file, got)
		}
		short := write("short.txt", "bad\ngood\n")
		if filepath.Ext(file) == ".ldac" || filepath.Ext(file) == ".svmlight" {
			continue // these do not say how many words there are
		}
		s = symmom.Load(file, symmom.LoadOptions{Words: short})
		if want := file + ": has 3 columns, and the list has 2 names; want one for each"; s.Err() == nil || s.Err().Error() != want || !slices.Contains(symmom.Help(s.Err()), "Words") {
			t.Errorf("got %v, want %s", s.Err(), want)
		}
	}
	npy := filepath.Join(dir, "x.npy")
	if err := symmom.FromRows([][]float64{{1, 2, 0}, {0, 1, 0}}).Save(npy); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*symmom.Session{symmom.Load(npy, symmom.LoadOptions{Words: list}), symmom.Stream(npy, symmom.LoadOptions{Words: list}), symmom.Load(npy, symmom.LoadOptions{Words: list, Float32: true})} {
		if got := fmt.Sprint(s.Columns()); got != "[bad good not]" {
			t.Errorf("%v: %s", s.Err(), got)
		}
	}
	if d := symmom.Describe(npy, symmom.LoadOptions{Words: list}); d.Err() != nil || d.Columns[1].Name != "good" {
		t.Errorf("%v: %v", d.Err(), d.Columns)
	}
	parquet := filepath.Join(dir, "x.parquet")
	if err := symmom.Load(npy, symmom.LoadOptions{Words: list}).Save(parquet); err != nil {
		t.Fatal(err)
	}
	if err := symmom.Load(parquet, symmom.LoadOptions{Words: list}).Err(); err == nil || !strings.Contains(err.Error(), "parquet files have names of their own") {
		t.Error(err)
	}
}

func TestTextsFail(t *testing.T) {
	for _, c := range []struct {
		o    symmom.TextOptions
		want string
	}{
		{symmom.TextOptions{NGrams: -1}, "NGrams: got -1, want a number, 1 or above"},
		{symmom.TextOptions{MaxShare: 1.5}, "MaxShare: got 1.5, want a share, above 0 and up to 1"},
		{symmom.TextOptions{MaxWords: 3, Vocabulary: []string{"a"}}, "MaxWords: got 3, want none with a Vocabulary: these are the words"},
		{symmom.TextOptions{Vocabulary: []string{"one", "two", "one"}}, `texts: the vocabulary has the word "one" twice, the second time as number 3`},
		{symmom.TextOptions{Stop: "klingon"}, "stop words klingon: file does not exist; check the path: want a file of them, or a language: danish, dutch, english"},
		{symmom.TextOptions{MinDocuments: 2}, "texts: of 2 documents no word is left: 4 words in fewer than 2 documents"},
		{symmom.TextOptions{Column: "a"}, "Column: got a, want none with Documents, which are no table"},
		{symmom.TextOptions{Documents: []string{"a", "b 1997"}}, "texts: 2 documents without a word; a word has two letters or more"},
		{symmom.TextOptions{Documents: []string{}}, "texts: has no documents; want at least one"},
		{symmom.TextOptions{Documents: []string{"fine", "so\nla caf\xe9"}}, `texts: document 2: line 2: got "caf\xe9", want UTF-8; convert the text`},
		{symmom.TextOptions{Header: "maybe"}, "Header: got maybe, want one of auto, yes, no"},
	} {
		if c.o.Documents == nil {
			c.o.Documents = []string{"one two", "three four"}
		}
		if err := symmom.Texts("", c.o).Err(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := symmom.Texts("", symmom.TextOptions{Context: ctx, Documents: []string{"one two"}}).Err(); !errors.Is(err, symmom.ErrInterrupted) {
		t.Error(err)
	}
}
