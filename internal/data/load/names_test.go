package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// LDA-C is read by its extension, and by what it holds where that cannot be svmlight. Bad lines
// are refused with their number.
func TestLDAC(t *testing.T) {
	pairs := func(n int) string {
		var b strings.Builder
		for j := range n {
			b.WriteString(" " + string(rune('0'+j/10)) + string(rune('0'+j%10)) + ":1")
		}
		return b.String() + "\n"
	}
	long := "12" + pairs(12) + "15" + pairs(15)
	few := "2 1:1 2:1\n3 1:1 2:1 3:1\n"
	for _, c := range []struct {
		name, text string
		names      []string
		want       string // "": read
		p, n       int
	}{
		{"x.ldac", "2 0:1 3:2\n0\n1 1:4\n\n", nil, "", 3, 4},
		{"x.ldac", "2 0:1 3:2\n0\n1 1:4\n", strings.Fields("a b c d e"), "", 3, 5},
		{"x.ldac", "1 0:1\r\n1 0:2", nil, "", 2, 1},
		{"x.dat", long, nil, "", 2, 15},
		{"x.dat", few, nil, "", 2, 3}, // svmlight
		{"x.svm", long, nil, "", 2, 15},
		{"x.ldac", few, nil, "", 2, 4},
		{"x.ldac", "2 0:1 3:2\n1 4:1\n", strings.Fields("a b c d"), `x.ldac: line 2: got "4", want the number of a word, at most 3: the vocabulary has 4, counted from 0`, 0, 0},
		{"x.ldac", "2 0:1\n", nil, "x.ldac: line 1: has 1 id:count pairs, want 2, as the line says first", 0, 0},
		{"x.ldac", "1 0:1\n1 -1:2\n", nil, `x.ldac: line 2: got "-1", want the number of a word, from 0 on`, 0, 0},
		{"x.ldac", "1 0.5:2\n", nil, `x.ldac: line 1: got "0.5", want the number of a word, from 0 on`, 0, 0},
		{"x.ldac", "1 0:2.5\n", nil, `x.ldac: line 1: got "2.5", want a count, from 0 on`, 0, 0},
		{"x.ldac", "1 0:\n", nil, `x.ldac: line 1: got "0:", want id:count`, 0, 0},
		{"x.ldac", "1 7\n", nil, `x.ldac: line 1: got "7", want id:count`, 0, 0},
		{"x.ldac", "0:1 1:1\n", nil, `x.ldac: line 1: got "0:1", want the number of words before the id:count pairs`, 0, 0},
		{"x.ldac", "1 0:1\n\n1 0:1\n", nil, "x.ldac: line 2: is blank, want the number of words, which is 0 for a document without words", 0, 0},
		{"x.ldac", "1 9999999999:1\n", nil, `x.ldac: line 1: got "9999999999", want the number of a word, at most 2147483647`, 0, 0},
		{"x.ldac", "0\n0\n", nil, "x.ldac: has no columns; want at least one variable", 0, 0},
	} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile(c.name, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(t.Context(), c.name, Options{Names: c.names})
		switch {
		case c.want != "":
			checkError(t, err, c.want)
		case err != nil:
			t.Errorf("%q: %v", c.text, err)
		case s.P != c.p || s.N != c.n:
			t.Errorf("%q: %d x %d, want %d x %d", c.text, s.P, s.N, c.p, c.n)
		}
	}
}

func TestLoadNames(t *testing.T) {
	for text, want := range map[string]string{
		"one\r\n two words \nthree": "one|two words|three",
		"\ufeffa\nb\n\n":            "a|b",
		"12\nab\n":                  "12|ab",
		"7\n1\tb\t3\n0\ta\t2\n":     "a|b", // gensim's
		"2\n0\ta\t1\n0\tb\t1\n":     `error: names.txt: line 3: the words "a" and "b" have the same number, 0`,
		"2\n0\ta\t1\n2\tb\t1\n":     `error: names.txt: line 3: got "2", want the number of a word, from 0 to 1`,
		"2\n0\ta\t1\n1\tb\n":        `error: names.txt: line 3: got 2 fields, want 3 as in the lines above: a number, a word and a number of documents`,
		"a\n\nb":                    "error: names.txt: line 2 is blank, want a name on each line",
		"a\nb\xe9\n":                `error: names.txt: line 2: got b?, want a name in UTF-8; convert the file, from Windows-1252 or Latin-1 as it seems: iconv -f WINDOWS-1252 -t UTF-8`,
		"\n \n":                     "error: names.txt: is empty; want a name on each line",
	} {
		path := filepath.Join(t.TempDir(), "names.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names, err := LoadNames(t.Context(), path)
		got := strings.Join(names, "|")
		if err != nil {
			got = "error: " + strings.ReplaceAll(err.Error(), path, "names.txt")
		}
		if got != want {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
}
