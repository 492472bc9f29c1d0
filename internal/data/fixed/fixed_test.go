package fixed

import (
	"bufio"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Columns{
		"":                      nil,
		"auto":                  {},
		"1-4,5-10":              {{From: 0, To: 4}, {From: 4, To: 10}},
		"age=1-3, a=b = 5 ,2-2": {{"age", 0, 3}, {"a=b", 4, 5}, {From: 1, To: 2}},
	} {
		if got, ok := Parse(text); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"x", "0-3", "4-3", "1-4,", "1:4", "-3", "1-99999999999", "a="} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestReader(t *testing.T) {
	for _, c := range []struct{ text, columns, want, err string }{
		{"17068Ann\n18280Zoë\n", "1-3,4-5,6-8", "170|68|Ann\n182|80|Zoë\n", ""},
		{"12\n", "1-2,4-5", "12|\n", ""},                    // a short line
		{"Zoë12\nAnn34", "4-5,1-3", "12|Zoë\n34|Ann\n", ""}, // characters, not bytes
		{"a\"b  1\r\n\r\n     \n", "1-3,5-6", "\"a\"\"b\"|1\n\n\n", ""},
		{"\ufeff1  2\n", "auto", "1|2\n", ""},
		{"# a comment\n 1  2\n#2  3\n", "auto", "# a comment\n1|2\n#2|3\n", ""},
		{" id  size\n  1  1.25 and more\n", "auto", "id|size||\n1|1.25|and|more\n", ""},
		{"  12  34\n12345678\n", "auto", "", `x: line 1 has "12  34" in one column: columns that touch in other lines; give the positions of the columns`},
		{"1  2\n1\t2\n", "1,4", "1|2\n", "x: line 2 has a tab at position 2, of unknown width; replace tabs by blanks, as expand does, or give a delimiter if they separate the fields"},
		{strings.Repeat("1  2\n", sampleBytes/5+1) + "123 4\n", "auto", strings.Repeat("1|2\n", sampleBytes/5+1), `x: line 13109 has "23" beside the columns that the first lines show; give the positions of the columns`},
		{strings.Repeat("1  Ann\n", sampleBytes/7+1) + "2  Annabella\n", "auto", strings.Repeat("1|Ann\n", sampleBytes/7+1) + "2|Annabella\n", ""},
		{strings.Repeat(" \n", sampleBytes), "auto", "", "x: its first lines show no columns; give their positions"},
	} {
		columns, ok := Parse(c.columns)
		if !ok {
			t.Fatal(c.columns)
		}
		got, message := "", ""
		r, err := NewReader(bufio.NewReaderSize(iotest.HalfReader(strings.NewReader(c.text)), 1<<17), "x", columns)
		if err == nil {
			var out []byte
			out, err = io.ReadAll(r)
			got = strings.ReplaceAll(string(out), string(Delimiter), "|")
		}
		if err != nil {
			message = err.Error()
		}
		if got != c.want || message != c.err {
			t.Errorf("%.60q by %s: %.200q, %s", c.text, c.columns, got, message)
		}
	}
}

// Lines longer than the buffer are one.
func TestLongLines(t *testing.T) {
	text := strings.Repeat("7", 500) + "\n" + strings.Repeat("8", 500)
	r, err := NewReader(bufio.NewReaderSize(strings.NewReader(text), 16), "x", Columns{{From: 498, To: 500}})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := io.ReadAll(iotest.OneByteReader(r)); string(out) != "77\n88\n" {
		t.Errorf("%q, %v", out, err)
	}
}
