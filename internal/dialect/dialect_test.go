package dialect

import (
	"strings"
	"testing"
)

// TestDelimiter: the choice must not depend on where the sample was cut.
func TestDelimiter(t *testing.T) {
	for text, want := range map[string]rune{
		"1,2,3\n4,5\n":                      ',', // ragged: the first line decides
		"1;2;3\n4;5\n":                      ';',
		"a b,c d\n1,2\n":                    ',',
		"1, 2, 3\n4, 5, 6\n":                ',',
		"1,5;2,5\n3,5;4,5\n":                ';',
		"a\tb,c\n1\t2,3\n":                  '\t',
		"1\n2\n":                            ',',
		"":                                  ',',
		"1 2\n3 4 5\n":                      ',',
		"\"x\ty\",2\n3,4\n":                 ',',
		"\"x\n;;;\ny\",2\n3,4\n":            ',',
		strings.Repeat("1|2\n", 30) + "9;9": '|', // beyond the sample of lines
	} {
		if got := Delimiter([]byte(text), true, false); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := Delimiter([]byte("1;2\n3;4\n5"), false, false); got != ';' {
		t.Errorf("a line that the sample cuts decided: got %q", got)
	}
}

func TestIsTime(t *testing.T) {
	for text, want := range map[string]bool{
		"2020-01-02": true, "2020-01-02T10:30:00Z": true, "2.3.1990": true, "10:30": true, "3/4/20 10:30": true,
		"": false, "1.5": false, "-3": false, "1-2": false, "ada": false, "3 apples": false,
	} {
		if got := IsTime(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestUTF16(t *testing.T) {
	for text, want := range map[string]string{
		"1\x00,\x002\x00": "UTF-16LE", "\x001\x00,\x002": "UTF-16BE", "1,2": "", "": "", "\x00": "", "\x00\x00\x00\x00": "",
	} {
		if got := UTF16([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
