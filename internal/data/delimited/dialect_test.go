package delimited

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDelimiter: the choice must not depend on where the sample was cut.
func TestDelimiter(t *testing.T) {
	for text, want := range map[string]rune{
		"1,2,3\n4,5\n":        ',', // ragged: the first line decides
		"1;2;3\n4;5\n":        ';',
		"a b,c d\n1,2\n":      ',',
		"1, 2, 3\n4, 5, 6\n":  ',',
		"1,5;2,5\n3,5;4,5\n":  ';',
		"a\tb,c\n1\t2,3\n":    '\t',
		"1\n2\n":              ',',
		"":                    ',',
		"1 2\n3 4 5\n":        ' ', // perhaps with names of rows
		"a b\nx 1 2\ny 3 4\n": ' ',
		"a b\nx 1 2\ny 3\n":   ' ', // the reader complains of the last
		"a  b  c\n1.0 2.0 3.0\n1.5     3.5\n2.0 2.2 3.1\n": ' ', // of a blank cell too
		"1,5 2,25\n2,75 3,5\n":                             ' ',
		"-1,5e+03   2\n 2,75e-01 3\n":                      ' ',
		"x y\n1,5 2,25\n":                                  ' ',
		"v,w\t\n1,1\t\n2,2\t\n":                            ',',
		"1 234,5;2\n3 456,75;3\n":                          ';',
		"\"1,23,456\";2\n999;5\n":                          ';',
		"ada lovelace,5\nbob b,6\n":                        ',',
		"2024-01-01 10:30,5\n2024-01-02 11:00,6\n":         ',',
		"x\t1,2,3\ny\t4,5,6\n":                             '\t',
		"Länge, mm;Breite, mm\n1,5;2,5\n":                  ';',
		"a b;c\nx;1;2\ny;3;4\n":                            ';',
		"\"x\ty\",2\n3,4\n":                                ',',
		"\"x\n;;;\ny\",2\n3,4\n":                           ',',
		strings.Repeat("1|2\n", 30) + "9;9":                '|', // beyond the sample of lines
	} {
		if got, rival := Delimiter([]byte(text), true, 0); got != want || rival != 0 {
			t.Errorf("%q: got %q, want %q (rival %q)", text, got, want, rival)
		}
	}
	for text, want := range map[string][2]rune{"1 234,5\n3 456,75\n": {',', ' '}, "Room 5,3\nRoom 6,4\n": {',', ' '}, "1,5\t\n2,5\t\n": {'\t', ','}} {
		if got, rival := Delimiter([]byte(text), true, 0); got != want[0] || rival != want[1] {
			t.Errorf("%q: %q and %q, want %q", text, got, rival, want)
		}
	}
	if got, rival := Delimiter([]byte("1 234,5\n3 456,75\n"), true, ','); got != ' ' || rival != 0 {
		t.Errorf("a comma that is the decimal sign: %q and %q", got, rival)
	}
	if got, _ := Delimiter([]byte("1;2\n3;4\n5"), false, 0); got != ';' {
		t.Errorf("a line that the sample cuts decided: got %q", got)
	}
}

func TestNamesRows(t *testing.T) {
	for text, want := range map[string]bool{
		"a;b\n1;2;3": true, "a;b\nx;2;3": true,
		"a;b\n1;2": false, "a;b\n1;2;3;4": false, "a;b\n1": false, "a\nx;2": false,
		"a;b\n1;2;":  false,                                          // delimiters at the ends of lines
		"1;2\n1;2;3": false, "a;2\n1;2;3": false, "a;\n1;2;3": false, // no names
	} {
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord, r.Comma = -1, ';'
		records, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if got := NamesRows(records[0], records[1], true); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if NamesRows(records[0], records[1], false) { // it may be in a number: a,b over x,1,5
			t.Errorf("%q: with commas", text)
		}
	}
}

func TestIsTime(t *testing.T) {
	for text, want := range map[string]bool{
		"2020-01-02": true, "2020-01-02T10:30:00Z": true, "2.3.1990": true, "10:30": true, "3/4/20 10:30": true,
		"1.0  2.0  3.0": false, "-1.5-2.5 3.5": false, "1::661::3": false, "1::1193::5::978300760": false, "2024-01-01T10:30:00.5+01:00": true, "01.02.1999": true, "1-2/1999": false,
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

func TestIsHeader(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2":                        "header",
		"a,b\nx,2":                        "header",
		"1,2\n3,4":                        "data",
		"a,1\n1.5,2\n2.5,3":               "doubt 0",
		"1,2.o":                           "doubt 1",
		"k,2019\nAT,1\nDE,2":              "data, or a name at 1",
		"AT,2019\nAT,1\nDE,2":             "data", // labels repeat
		"s-1,9,3\ns-2,5,7\ns-3,2,2":       "data", // names of rows, and counts
		"n0,5,5\nn1,2,7\nn2,3,4":          "data, or a name at 1",
		"AT,8900\nBE,11500\nCH,8700":      "data",
		"c,2019,2020\nAT,1.5,2\nDE,3.5,4": "doubt 1",
		"AT,20.5\nBE,1\nDE,2":             "data",
		"2020-01-02,7\nx,1\ny,2":          "data, or a name at 1",
		"2019,2020\n1.0,2.5":              "doubt 0",
		"2020,2019\n-1.0,2.5":             "doubt 0",
		"2019,2019\n1.0,2.5":              "data, or a name at 0",
		"2019,2020\n1.0,2":                "doubt 0",
		"2019,2020\n1.0,x":                "doubt 0",
		"2019,2020\n1.0,\n,2.5":           "doubt 0",
		"0\n1.5\n2.25":                    "data, or a name at 0",
		"0\n1e3\n\n-2.25":                 "data, or a name at 0",
		" 7\n+1.5":                        "data, or a name at 0",
		",0\na,1.5\nb,2.25":               "data, or a name at 1",
		"5,4,7\n1.5,2.5,3.5":              "data, or a name at 0",
		"0\n1.5\n2":                       "data",
		"0\n1.5\nx":                       "data, or a name at 0",
		"0.0\n1.5":                        "data",
		"-1\n1.5":                         "data, or a name at 0",
		"0\n\n":                           "data, or a name at 0",
		"0":                               "data",
		"5.0,6\n1.5,2.5":                  "data, or a name at 0",
		"+5,6\n1.5,2.5":                   "data, or a name at 0",
		",2019,2020\n7,1.0,2.5":           "doubt 1",
		"0,1,2\n1,0,1":                    "doubt 0",
		"0,1,2\n4,4,1":                    "doubt 0",
		"0,1,2\n3,4,5":                    "data",
		"0,1\n1,0":                        "data, or a name at 0",
		",0.5,7\n0,1,2\n1,2,2":            "doubt 1",
		",0.5,7\n0,1,2\n2,2,2":            "doubt 1",
		"asked,1\n1.5,2":                  "header",
		// Above whole numbers, and above decimals some of which are whole.
		"10,20,30,40\n22,9,21,25\n26,23,26,17\n22,31,22,23":                           "doubt 0",
		"101,102\n5,110\n7,90\n120,95\n3,118":                                         "data, or a name at 0",
		"101,102,103\n5,9,3\n7,9,2\n12,9,3":                                           "doubt 0",
		"2019,2020\n3.4,1\n1,3.8\n4.5,2":                                              "doubt 0",
		"2022,2021\n3,1\n1,3\n4,2":                                                    "doubt 0",
		"400.5,401.0,401.5\n.1,.2,.1\n.2,.2,.1":                                       "doubt 0",
		"18,25,40,65\n22,9,21,25\n26,23,26,17\n22,21,22,23\n14,20,20,28\n21,21,18,16": "doubt 0",
		"1.0,2.0,3.0\n4,4,1\n2,0,3\n7,5,1":                                            "data, or a name at 0", // as convert writes it
		"1,2,3\n4,5,6\n7,8,9":                                                         "data",
		"1,3,7\n2,4,9\n3,6,12\n5,9,13":                                                "data", // sorted both ways
		"5,4,3\n5,4,4\n3,2,3\n1,2,2\n3,3,4\n2,1,1":                                    "data",
		"12.5,3.25,7\n11.5,2.5,6.25\n13.5,2.25,7.5":                                   "data",
		"day,5,7\n2024-01-01,5,6\n2024-01-02,6,7":                                     "doubt 1",
		",,ada\n1,2,bob\n3,4,ada":                                                     "data", // nothing but a label
	} {
		var lines [][]string
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, strings.Split(line, ","))
		}
		f := First{Record: lines[0], Below: lines[1:]}
		r, at, _ := f.Read(func(name string) bool { return name == "asked" })
		got := map[Reading]string{Values: "data", Perhaps: "data, or a name at ", Either: "doubt ", Names: "header"}[r]
		if r == Perhaps || r == Either {
			got += string(rune('0' + at))
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		f.Quoted = true
		if r, _, _ := f.Read(func(string) bool { return false }); r != Names {
			t.Errorf("%q: quoted names are no header", text)
		}
	}
}

func TestQuotes(t *testing.T) {
	for text, want := range map[string][2]bool{
		"\"a\",\"1\"\n":                {true, true},
		"\"a,b\",\"1,5\"\n":            {true, false},
		"\"a,b\",\"1\"\n":              {true, true},
		"\"a\",1\n":                    {false, false},
		"\n\n \"a\nb\", \"\", \"é\"\n": {true, true},
		"é,\"1\"\n":                    {false, false},
		"\"é\",\"\"\"\"\n":             {true, true},
	} {
		r := csv.NewReader(strings.NewReader(text))
		r.TrimLeadingSpace = true
		record, err := r.Read()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if all, idle := Quotes(record, Quoted(r, record, []byte(text)), ','); all != want[0] || idle != want[1] {
			t.Errorf("%q: %v, %v, want %v", text, all, idle, want)
		}
	}
}

func TestSeparator(t *testing.T) {
	for text, want := range map[string]int{
		"sep=;\na;b\n": 6, "SEP=,\r\n1,2": 7, "\"sep=\t\"\n": 8, "sep=;": 0, "sep=\n1": 0, "sep=a\n": 0, "sep=;;\n": 0, "a\n": 0, "": 0,
	} {
		if d, size := Separator([]byte(text)); size != want || size > 0 && !strings.ContainsRune(text, d) {
			t.Errorf("%q: %q, %d, want %d", text, d, size, want)
		}
	}
}

func TestMayBeOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		name string
		rows int
		line func() string
		want bool
	}{
		{"decimals of a length", 500, func() string { return fmt.Sprintf("%.1f", 3*r.NormFloat64()) }, true},
		{"significant digits", 500, func() string { return fmt.Sprintf("%.4f", 100*r.Float64()+1)[:5] }, true},
		{"grades", 500, func() string { return []string{"1.0", "1.3", "1.7", "2.0", "2.3", "3.7", "4.0"}[r.IntN(7)] }, true},
		{"heights", 500, func() string { return fmt.Sprintf("%.2f", 1.75+.08*r.NormFloat64()) }, true},
		{"few answers", 20, func() string { return fmt.Sprintf("%d.%d", 1+r.IntN(5), 1+r.IntN(5)) }, true},
		{"answers", 500, func() string { return fmt.Sprintf("%d.%d", 1+r.IntN(5), 1+r.IntN(5)) }, false},
		{"ages", 500, func() string { return fmt.Sprintf("%d.%d", 20+r.IntN(5), 18+r.IntN(70)) }, false},
		{"counts", 50, func() string { return fmt.Sprintf("%d.%d", r.IntN(30), r.IntN(30)) }, false},
		{"negative", 50, func() string { return fmt.Sprintf("%d.-1", r.IntN(30)) }, false},
	} {
		var records [][]string
		for range test.rows {
			whole, fraction, _ := strings.Cut(test.line(), ".")
			records = append(records, []string{whole, fraction})
		}
		if got := MayBeOne(records); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}
