package formats

import (
	"strings"
	"testing"
)

// What people have instead of a table is called by its name; tables that look like it
// are tables.
func TestSniffForeign(t *testing.T) {
	for head, want := range map[string]string{
		"<!DOCTYPE html>\n<html lang=\"de\">": "is a web page",
		"\n <HTML><head>":                     "is a web page",
		"\ufeff{\n  \"cells\": [":             "is JSON",
		"[{\"a\":1}]":                         "is JSON",
		"[[1, 2], [3, 4]]":                    "is JSON",
		"SQLite format 3\x00\x10\x00":         "is an SQLite database; take the rows of a query: symmom.Query, or --query",
		"\x89PNG\r\n\x1a\n\x00":               "is a picture",
		"<5,>7\n1,2\n":                        "",
		"{a},{b}\n1,2\n":                      "",
		"[1, 2]\n[3, 4]\n":                    "",
		"[cm],[kg]\n1,2\n":                    "",
		"\"{\"\"a\"\"}\",b\n1,2\n":            "",
	} {
		format, err := Sniff([]byte(head), "csv")
		switch {
		case want == "" && (err != nil || format != "csv"):
			t.Errorf("%q: %s, %v", head, format, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: %s, %v, want that it %s", head, format, err, want)
		}
	}
}
