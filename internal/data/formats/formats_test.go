package formats

import (
	"strings"
	"testing"
)

// sniff is Sniff with names of formats.
func sniff(head, guess string) (string, error) {
	f, err := Sniff([]byte(head), Called(guess))
	if f == nil {
		return "", err
	}
	return f.Name, err
}

// Files that are not tables are named by their format; tables that look like it
// are tables.
func TestSniffForeign(t *testing.T) {
	for head, want := range map[string]string{
		"<!DOCTYPE html>\n<html lang=\"de\">":                   "is a web page",
		"\n <HTML><head>":                                       "is a web page",
		"\ufeff{\n  \"cells\": [":                               "is JSON",
		"[{\"a\":1}]":                                           "is JSON",
		"[[1, 2], [3, 4]]":                                      "is JSON",
		"SQLite format 3\x00\x10\x00":                           "is an SQLite database; take the rows of a query: symmom.Query, or --query",
		"\x89PNG\r\n\x1a\n\x00":                                 "is a picture",
		"<table border=\"1\" class=\"dataframe\">":              "is a web page",
		"# Created by Octave 8.4.0, Fri Nov":                    "is Octave's text; save it with save -v7",
		"X\n\x00\x00\x00\x03\x00\x04\x03\x01":                   "is a file of R's saveRDS",
		"<?xml version='1.0'?>\n<data>":                         "is XML",
		"@RELATION iris\n@ATTRIBUTE a REAL":                     "is an ARFF file",
		"ORC\n\x06\x12\x04\b\x03P\x00":                          "is an ORC file",
		"Obj\x01\x04\x14avro.codec":                             "is an Avro file",
		"<stata_dta><header><release>118":                       "is a Stata file",
		"\x04\x22\x4d\x18\x68\x40\x10\x00":                      "is LZ4-compressed",
		"RIFF\x24\x3e\x00\x00WAVEfmt \x10\x00":                  "is a sound file (WAV); write its samples as NPY",
		"fLaC\x00\x00\x00\x22\x10\x00":                          "is a sound file (FLAC); convert it to WAV",
		"BZh91AY&SY\x1f\x8d\x06\xd4":                            "is bzip2-compressed",
		"PARE\x15\x04\x15\x00":                                  "is an encrypted Parquet file",
		"FEA1\x00\x00\x00\x00":                                  "is a Feather file of version 1",
		"t.csv" + strings.Repeat("\x00", 252) + "ustar\x0000":   "is a tar archive; unpack it, and give the table in it",
		"%1\r\n% 2\r\n\r\n@relation iris\r\n":                   "is an ARFF file",
		"% " + strings.Repeat("long ", 99) + "\n@Relation x\n":  "is an ARFF file",
		"A\n3\n262657\n197888\n5\nUTF-8\n787\n":                 "is a file of R's saveRDS; write the table with write.csv",
		"RDA3\nA\n3\n262657\n197888\n":                          "is a file of R's save; write the table with write.csv",
		"(lp0\n(lp1\nF0.5\naF1":                                 "is a Python pickle; save the array with numpy.save",
		"cnumpy._core.multiarray\n_reconstruct\np0\n(":          "is a Python pickle",
		"ccopy_reg\n_reconstructor\np0\n(c":                     "is a Python pickle",
		"]q\x00(]q\x01(G?":                                      "is a Python pickle",
		"$FL3@(#) SPSS DATA FILE":                               "is an SPSS file",
		"ASCII SPSS PORT FILE      ASCII":                       "is an SPSS file",
		"HEADER RECORD*******LIBRARY HEADER":                    "is a SAS transport file; write it as CSV",
		strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3\x14": "is a SAS file; write it as CSV",
		"CDF\x01\x00\x00\x00\x00":                               "is a NetCDF file; write the variable as NPY",
		"SIMPLE  =                    T /":                      "is a FITS file; write the array as NPY",
		"7z\xbc\xaf'\x1c\x00\x04":                               "is a 7-Zip archive; unpack it",
		"Rar!\x1a\x07\x01\x00":                                  "is a RAR archive; unpack it",
		"BM\x36\x00\x00\x00":                                    "is a picture",
		"<\x00\x00\x00\x00\x00\x00\x00{\"x\":{":                 "is a safetensors file; save the array with numpy.save",
		"\x00\x01\x02\x00":                                      "is neither text nor NPY, NPZ, MATLAB, Parquet or Arrow: it begins with \"\\x00\\x01\\x02\\x00\"; write the table in one of these formats, or as CSV",
		"A\n3\n4\n5\n":                                          "",
		"A\n3\n262657\n197887\n":                                "",
		"BMI,x\n1,2\n":                                          "",
		"GRIB,x\n1,2\n":                                         "",
		"% relation\n1,2\n":                                     "",
		"cell\nage\n1\n":                                        "",
		strings.Repeat("a,b\n", 64) + "ustar":                   "",
		"PARENT,CHILD\n1,2\n":                                   "",
		"PARED;Gr\xf6\xdfe\n1;2\n":                              "",
		"FEA1\tFEA2\r\n1\t2\r\n":                                "",
		"BZh,x\n1,2\n":                                          "",
		"RIFF 1,2\n":                                            "",
		"<5,>7\n1,2\n":                                          "",
		"ORCID,x\n1,2\n":                                        "",
		"{a},{b}\n1,2\n":                                        "",
		"[1, 2]\n[3, 4]\n":                                      "",
		"[cm],[kg]\n1,2\n":                                      "",
		"\"{\"\"a\"\"}\",b\n1,2\n":                              "",
	} {
		format, err := sniff(head, "csv")
		switch {
		case want == "" && (err != nil || format != "csv"):
			t.Errorf("%q: %s, %v", head, format, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: %s, %v, want that it %s", head, format, err, want)
		}
	}
}

// Files of MATLAB's version 4 have no signature, and are known by their header.
func TestSniffLevel4(t *testing.T) {
	for head, want := range map[string]string{
		"\x14\x00\x00\x00;\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00X\x00\x01\x02\x03":   "mat",
		"\x00\x00\x03\xe8\x00\x00\x00\x09\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x05some\x00\x01\x02": "mat",
		"\x00\x00\x00\x00\b\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00X\x00\x01\x02":      "mat",
		"\x14\x00\x00\x00;\x00\x00\x00\x03\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00X\x00\x01\x02\x03":   "",
		"\x14\x00\x00\x00;\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00XY\x01\x02\x03":      "",
		"\x5c\x01\x00\x00" + strings.Repeat("\x00", 60):                                                    "",
		strings.Repeat("\x00", 64): "",
	} {
		if got, err := sniff(head, ""); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %s, %v, want %s", head, got, err, want)
		}
	}
}

// Files of svmlight without an extension are known by their first line, and no others.
func TestSniffPairs(t *testing.T) {
	for head, want := range map[string]string{
		"+1 3:1 11:1 14:1 19:1 39:1 42:1 55:1 64:1 67:1 73:1 75:1 76:1 80": "svmlight", // a1a of LIBSVM
		"-1 1:0.708333 2:1 3:1 4:-0.320755 5:-0.105023 6:-1 7:1 8:-0.419":  "svmlight", // heart_scale
		"2.5 7:.5 9:1e-3\n1 1:2": "svmlight",
		"# " + strings.Repeat("of it ", 50) + "\n\n#\n1 3:1 11:1 # row\n": "svmlight",
		"\r\n1 qid:7 3:1 11:1\r\n":                                        "svmlight",
		"# times\n7 08:30 17:00 18:15\n":                                  "csv",
		"1 3:1 # 11:1\n":                                                  "csv",
		"#\n":                                                             "csv",
		"1 3:2\n1 3:1 11:1\n":                                             "csv", // one pair may be anything
		"7 08:30 17:00 18:15\n8 09:00 1":                                  "csv", // times
		"1 12:30:00 13:30:00 14:30:00":                                    "csv",
		"1 3:1 2:0 4:4\n":                                                 "csv", // results
		"a 3:1 11:1 14:1 19:1":                                            "csv",
		"1 3:1 x 14:1 19:1":                                               "csv",
		"1,2,3\n4,5,6\n":                                                  "csv",
		"":                                                                "csv",
	} {
		if got, err := sniff(head, ""); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", head, got, err, want)
		}
		if got, _ := sniff(head, "csv"); got != "csv" {
			t.Errorf("%q with the extension .csv: %s", head, got)
		}
	}
}
