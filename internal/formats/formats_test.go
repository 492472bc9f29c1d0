package formats

import (
	"strings"
	"testing"
)

// What people have instead of a table is called by its name; tables that look like it
// are tables.
func TestSniffForeign(t *testing.T) {
	for head, want := range map[string]string{
		"<!DOCTYPE html>\n<html lang=\"de\">":      "is a web page",
		"\n <HTML><head>":                          "is a web page",
		"\ufeff{\n  \"cells\": [":                  "is JSON",
		"[{\"a\":1}]":                              "is JSON",
		"[[1, 2], [3, 4]]":                         "is JSON",
		"SQLite format 3\x00\x10\x00":              "is an SQLite database; take the rows of a query: symmom.Query, or --query",
		"\x89PNG\r\n\x1a\n\x00":                    "is a picture",
		"<table border=\"1\" class=\"dataframe\">": "is a web page",
		"# Created by Octave 8.4.0, Fri Nov":       "is Octave's text; save it with save -v7",
		"X\n\x00\x00\x00\x03\x00\x04\x03\x01":      "is a file of R's saveRDS",
		"<?xml version='1.0'?>\n<data>":            "is XML",
		"@RELATION iris\n@ATTRIBUTE a REAL":        "is an ARFF file",
		"ORC\n\x06\x12\x04\b\x03P\x00":             "is an ORC file",
		"Obj\x01\x04\x14avro.codec":                "is an Avro file",
		"<stata_dta><header><release>118":          "is a Stata file",
		"\x04\x22\x4d\x18\x68\x40\x10\x00":         "is LZ4-compressed",
		"RIFF\x24\x3e\x00\x00WAVEfmt \x10\x00":     "is a sound file (WAV); write its samples as NPY",
		"fLaC\x00\x00\x00\x22\x10\x00":             "is a sound file (FLAC); convert it to WAV",
		"BZh91AY&SY\x1f\x8d\x06\xd4":               "is bzip2-compressed",
		"PARE\x15\x04\x15\x00":                     "is an encrypted Parquet file",
		"FEA1\x00\x00\x00\x00":                     "is a Feather file of version 1",
		"PARENT,CHILD\n1,2\n":                      "",
		"PARED;Gr\xf6\xdfe\n1;2\n":                 "",
		"FEA1\tFEA2\r\n1\t2\r\n":                   "",
		"BZh,x\n1,2\n":                             "",
		"RIFF 1,2\n":                               "",
		"<5,>7\n1,2\n":                             "",
		"ORCID,x\n1,2\n":                           "",
		"{a},{b}\n1,2\n":                           "",
		"[1, 2]\n[3, 4]\n":                         "",
		"[cm],[kg]\n1,2\n":                         "",
		"\"{\"\"a\"\"}\",b\n1,2\n":                 "",
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

// Files of svmlight without an extension are known by their first line, and no others.
func TestSniffPairs(t *testing.T) {
	for head, want := range map[string]string{
		"+1 3:1 11:1 14:1 19:1 39:1 42:1 55:1 64:1 67:1 73:1 75:1 76:1 80": "svmlight", // a1a of LIBSVM
		"-1 1:0.708333 2:1 3:1 4:-0.320755 5:-0.105023 6:-1 7:1 8:-0.419":  "svmlight", // heart_scale
		"2.5 7:.5 9:1e-3\n1 1:2":         "svmlight",
		"1 3:2\n1 3:1 11:1\n":            "csv", // one pair may be anything
		"7 08:30 17:00 18:15\n8 09:00 1": "csv", // times
		"1 12:30:00 13:30:00 14:30:00":   "csv",
		"1 3:1 2:0 4:4\n":                "csv", // results
		"a 3:1 11:1 14:1 19:1":           "csv",
		"1 3:1 x 14:1 19:1":              "csv",
		"1,2,3\n4,5,6\n":                 "csv",
		"":                               "csv",
	} {
		if got, err := Sniff([]byte(head), ""); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", head, got, err, want)
		}
		if got, _ := Sniff([]byte(head), "csv"); got != "csv" {
			t.Errorf("%q with the extension .csv: %s", head, got)
		}
	}
}
