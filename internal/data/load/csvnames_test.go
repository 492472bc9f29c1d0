package load

import (
	"fmt"
	"strings"
	"testing"
)

func TestManyNamesInAMessage(t *testing.T) {
	names := make([]string, 12)
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i+1)
	}
	text := strings.Join(names, ",") + "\n" + strings.Repeat(",", 11) + "\n"
	_, err := readText(t, text, Options{})
	checkError(t, err, "x.csv: 12 missing values: v1 (1), v2 (1), v3 (1), v4 (1), v5 (1), v6 (1), v7 (1), v8 (1) and 4 more; drop those rows, fill with the column mean, or choose other columns")
}

// Blanks are of a name between quotation marks, as in Parquet files and what export writes of
// them, and not of others.
func TestBlanksInNames(t *testing.T) {
	for text, want := range map[string]string{
		"\" a \",b , c\n1,2,3\n":               " a |b|c",
		"\ufeff\" a\",\" \",\"c\n \"\n1,2,3\n": " a||c\n ",
		"\" a\"\tb \nr\t1\t2\n":                " a|b",
		"# a , b\n1,2\n":                       "a|b",
	} {
		s, err := readText(t, text, Options{Delimiter: map[bool]rune{true: '\t', false: ','}[strings.Contains(text, "\t")]})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := strings.Join(s.Names, "|"); got != want {
			t.Errorf("%q: names %q, want %q", text, got, want)
		}
	}
}
