package load

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func readText(t *testing.T, text string, o Options) (*Set, error) {
	t.Helper()
	return Read(t.Context(), strings.NewReader(text), "x.csv", "csv", o)
}

// TestCSV reads tables of every dialect; nan in want marks nothing: sets are finite.
func TestCSV(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, text string
		o          Options
		want       [][]float64
		names      []string
	}{
		{name: "plain", text: "1,2\n3,4\n", want: [][]float64{{1, 2}, {3, 4}}},
		{name: "no newline at the end", text: "1,2\n3,4", want: [][]float64{{1, 2}, {3, 4}}},
		{name: "header", text: "a,b\n1,2\n", want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "CRLF", text: "a,b\r\n1,2\r\n3,4\r\n", want: [][]float64{{1, 2}, {3, 4}}, names: []string{"a", "b"}},
		{name: "BOM", text: "\ufeffa,b\n1,2\n", want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "BOM, CRLF, no header", text: "\ufeff1,2\r\n", want: [][]float64{{1, 2}}},
		{name: "blank lines", text: "\n\na,b\n\n1,2\n   \n3,4\n\n", want: [][]float64{{1, 2}, {3, 4}},
			names: []string{"a", "b"}},
		{name: "quoted", text: "\"a, the first\",\"b \"\"two\"\"\"\n\"1\",\"2\"\n",
			want: [][]float64{{1, 2}}, names: []string{"a, the first", `b "two"`}},
		{name: "newline in a name", text: "\"a\nb\",c\n1,2\n", want: [][]float64{{1, 2}}, names: []string{"a\nb", "c"}},
		{name: "spaces", text: " 1 , 2\n3 ,4 \n", want: [][]float64{{1, 2}, {3, 4}}},
		{name: "tabs", text: "a\tb\n1\t2\n", want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "semicolons", text: "a;b\n1;2\n", want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "bars", text: "1|2\n3|4\n", want: [][]float64{{1, 2}, {3, 4}}},
		{name: "runs of spaces", text: "  1   2  \n 30 4\n", want: [][]float64{{1, 2}, {30, 4}}},
		{name: "delimiter given", text: "1:2\n3:4\n", o: Options{Delimiter: ':'}, want: [][]float64{{1, 2}, {3, 4}}},
		{name: "delimiter in quotes", text: "\"a;b\",c\n1,2\n3,4\n", want: [][]float64{{1, 2}, {3, 4}},
			names: []string{"a;b", "c"}},
		{name: "names of rows, as R writes them", text: "\"a\" \"b\"\n\"1\" 1.5 2\n\"2\" 3 4\n", want: [][]float64{{1.5, 2}, {3, 4}}, names: []string{"a", "b"}},
		{name: "names of rows, as pandas writes them", text: "     a   b\nx  1.5  2\ny  3.0  4\n", want: [][]float64{{1.5, 2}, {3, 4}}, names: []string{"a", "b"}},
		{name: "names of rows, chosen", text: "a|b\n1|2|3\n4|5|6\n", o: Options{Columns: []string{"1", "b"}}, want: [][]float64{{1, 3}, {4, 6}}, names: []string{"", "b"}},
		{name: "decimal commas beside names of rows", text: "a;b\nx;2;3\ny;1,5;2\n", want: [][]float64{{2, 3}, {1.5, 2}}, names: []string{"a", "b"}},
		{name: "one column", text: "x\n1\n2\n", want: [][]float64{{1}, {2}}, names: []string{"x"}},
		{name: "one column, a name of two words", text: "my height\n1\n2\n", want: [][]float64{{1}, {2}},
			names: []string{"my height"}},
		{name: "one number", text: "7", want: [][]float64{{7}}},
		{name: "numbers of all kinds", text: "1e3,-2.5E-1,+4,.5,5.\n",
			want: [][]float64{{1000, -.25, 4, .5, 5}}},
		{name: "months as Go would write numbers", text: "id,x\n2020_01,1.5\n2020_02,2.5\n2021_11,3\n",
			want: [][]float64{{1.5}, {2.5}, {3}}, names: []string{"x"}},
		{name: "subnormal", text: "5e-324,1e-400\n", want: [][]float64{{5e-324, 0}}},
		{name: "names that are numbers", text: "2019,2020\n1,2\n", o: Options{Header: HeaderPresent},
			want: [][]float64{{1, 2}}, names: []string{"2019", "2020"}},
		{name: "text in an unselected column", text: "name,a,b\nada,1,2\nbob,3,4\n",
			o: Options{Columns: []string{"2-3"}}, want: [][]float64{{1, 2}, {3, 4}}, names: []string{"a", "b"}},
		{name: "labels without a header", text: "ada,1,2\nbob,3,4\n",
			o: Options{Columns: []string{"3", "2"}, Header: HeaderAbsent}, want: [][]float64{{2, 1}, {4, 3}}},
		{name: "a number asked for that is no column", text: "name,2019,2020\nada,1,2\nbob,3,4\n",
			o: Options{Columns: []string{"2020", "2"}}, want: [][]float64{{2, 1}, {4, 3}}, names: []string{"2020", "2019"}},
		{name: "weights asked for by year", text: "2019,2020\n1,2\n", o: Options{Weights: "2020"},
			want: [][]float64{{1}}, names: []string{"2019"}},
		{name: "quoted names that are numbers", text: "\"0\",\"inf\",\"1.234\"\n5,6,7\n8,9,10\n",
			want: [][]float64{{5, 6, 7}, {8, 9, 10}}, names: []string{"0", "inf", "1.234"}},
		{name: "quoted names in two lines", text: "\n\"a\nb\", \"2019\"\n\n1,2\n3,4\n",
			want: [][]float64{{1, 2}, {3, 4}}, names: []string{"a\nb", "2019"}},
		{name: "quoted where it must be", text: "\"1,5\";\"2\"\n\"3\";\"4,5\"\n", want: [][]float64{{1.5, 2}, {3, 4.5}}},
		{name: "whole numbers in no order above fractions", text: "5,4,7\n5.1,4.2,7.3\n",
			want: [][]float64{{5, 4, 7}, {5.1, 4.2, 7.3}}},
		{name: "the line of Excel", text: "\ufeffsep=;\r\n# by hand\r\na;b\r\n1;2\r\n", want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "the line of Excel, another sign given", text: "sep=;\n1|2\n", o: Options{Delimiter: '|'}, want: [][]float64{{1, 2}}},
		{name: "a column called sep=", text: "sep=,b\n1,2\n", want: [][]float64{{1, 2}}, names: []string{"sep=", "b"}},
		{name: "from 0 on and on", text: "0,1,2\n3,4,5\n", want: [][]float64{{0, 1, 2}, {3, 4, 5}}},
		{name: "header absent", text: "ada,1\nbob,3\n",
			o: Options{Columns: []string{"2"}, Header: HeaderAbsent}, want: [][]float64{{1}, {3}}},
		{name: "by name, another order", text: "a,b,c\n1,2,3\n", o: Options{Columns: []string{"c", "a"}},
			want: [][]float64{{3, 1}}, names: []string{"c", "a"}},
		{name: "name before number", text: "a,1,b\n1,2,3\n",
			o: Options{Columns: []string{"1"}, Header: HeaderPresent}, want: [][]float64{{2}},
			names: []string{"1"}},
		{name: "a name asked for makes a header", text: "a,2020\n1,2\n", o: Options{Columns: []string{"a"}},
			want: [][]float64{{1}}, names: []string{"a"}},
		{name: "all columns although one is called 1-2", text: "1-2,b\n1,2\n", want: [][]float64{{1, 2}},
			names: []string{"1-2", "b"}},
		{name: "comment sign before the header", text: "# a,b\n1,2\n", want: [][]float64{{1, 2}},
			names: []string{"a", "b"}},
		{name: "comments, the last the header", text: "# made by savetxt, twice\n#\n# a,b\n1,2\n3,4\n",
			want: [][]float64{{1, 2}, {3, 4}}, names: []string{"a", "b"}},
		{name: "comments of savetxt", text: "# don't \"parse; this\n# a b\n1.000e+00 2.000e+00\n",
			want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "comments, none a header", text: "# a,b\n# by hand\n1,2\n", want: [][]float64{{1, 2}}},
		{name: "comments and blank lines", text: "\ufeff\r\n## by hand\r\n \r\n  # a\tb\r\n\r\n1\t2\r\n",
			want: [][]float64{{1, 2}}, names: []string{"a", "b"}},
		{name: "comments above a header", text: "# x,y\n# Ada, Bob\na,b\n1,2\n", want: [][]float64{{1, 2}},
			names: []string{"a", "b"}},
		{name: "comments above labels", text: "# name,a\nada,1\nbob,2\n",
			o: Options{Columns: []string{"a"}}, want: [][]float64{{1}, {2}}, names: []string{"a"}},
		{name: "comments, header absent", text: "# a,b\n1,2\n", o: Options{Header: HeaderAbsent},
			want: [][]float64{{1, 2}}},
		{name: "comment with years", text: "# id,2020\n1,2\n", want: [][]float64{{1, 2}},
			names: []string{"id", "2020"}},
		{name: "comment of years, header present", text: "# 2019,2020\n1,2\n",
			o: Options{Header: HeaderPresent}, want: [][]float64{{1, 2}}, names: []string{"2019", "2020"}},
		{name: "a row put out of use", text: "#9,9\n1,2\n", want: [][]float64{{1, 2}}},
		{name: "comment longer than the sample",
			text: "# " + strings.Repeat("long; ", 20000) + "\n1;2\n3;4\n", want: [][]float64{{1, 2}, {3, 4}}},
		{name: "a column called #", text: "#,a\n7,1\n", want: [][]float64{{7, 1}}, names: []string{"#", "a"}},
		{name: "quoted, no comment", text: "\"# a\",b\n1,2\n", want: [][]float64{{1, 2}}, names: []string{"# a", "b"}},
		{name: "colors below", text: "color,x\n#ff0000,1\n#00ff00,2\n", o: Options{Columns: []string{"x"}},
			want: [][]float64{{1}, {2}}, names: []string{"x"}},
		{name: "#N/A is a value", text: "#N/A,1\n2,3\n", o: Options{Missing: MissingDrop}, want: [][]float64{{2, 3}}},
		{name: "missing in the first line is no header", text: "NA,1\n2,3\n",
			o: Options{Missing: MissingDrop}, want: [][]float64{{2, 3}}},
		{name: "empty fields between tabs", text: "1\t\t3\n4\t5\t6\n\t8\t9\n",
			o: Options{Missing: MissingDrop}, want: [][]float64{{4, 5, 6}}},
		{name: "long name", text: long + ",b\n1,2\n", want: [][]float64{{1, 2}}, names: []string{long, "b"}},
		{name: "decimal comma", text: "a;b\n1,5;2,5\n-3,5e2;,25\n7;NA\n", o: Options{Missing: MissingDrop},
			want: [][]float64{{1.5, 2.5}, {-350, .25}}, names: []string{"a", "b"}},
		{name: "decimal comma without a header", text: "1,5;2,5\n3;4\n", want: [][]float64{{1.5, 2.5}, {3, 4}}},
		{name: "decimal comma and thousands", text: "1.234,50;1.234\n12;1.234.567\n",
			want: [][]float64{{1234.5, 1234}, {12, 1234567}}},
		{name: "decimal comma elsewhere", text: "1,5;1.234\n12,25;-2.000\n",
			want: [][]float64{{1.5, 1234}, {12.25, -2000}}},
		{name: "decimal point elsewhere", text: "1.5;1.234\n12.25;-2.000\n",
			want: [][]float64{{1.5, 1.234}, {12.25, -2}}},
		{name: "thousands in quotes", text: "a,b\n\"1,234.5\",\"1,000\"\n\"12\",\"7\"\n",
			want: [][]float64{{1234.5, 1000}, {12, 7}}, names: []string{"a", "b"}},
		{name: "decimal comma in quotes", text: "a,b\n\"1,5\",\"2,25\"\n", want: [][]float64{{1.5, 2.25}},
			names: []string{"a", "b"}},
		{name: "Swiss", text: "1'234.50;2\n1’000;1.234\n", want: [][]float64{{1234.5, 2}, {1000, 1.234}}},
		{name: "French", text: "1 234,50;2\n1\u202f000;1\u00a0234\n", want: [][]float64{{1234.5, 2}, {1000, 1234}}},
		{name: "the sign is given", text: "1.234;2\n5.000;3\n", o: Options{Decimal: ','},
			want: [][]float64{{1234, 2}, {5000, 3}}},
		{name: "the other sign is given", text: "1.234;2\n5.000;3\n", o: Options{Decimal: '.'},
			want: [][]float64{{1.234, 2}, {5, 3}}},
		{name: "the comma is given, in quotes", text: "\"1,5\",\"2,5\"\n3,4\n", o: Options{Decimal: ','},
			want: [][]float64{{1.5, 2.5}, {3, 4}}},
		{name: "one column with a decimal comma", text: "1,5\n2,5\n", o: Options{Decimal: ','},
			want: [][]float64{{1.5}, {2.5}}},
		{name: "a column of text", text: "name,a,b\nada,1,2\nbob,3,4\n", want: [][]float64{{1, 2}, {3, 4}},
			names: []string{"a", "b"}},
		{name: "text, gaps and times", text: "a,name,b,when\n1,ada,2,2020-01-02\n3,,4,2020-01-03 10:30\n",
			want: [][]float64{{1, 2}, {3, 4}}, names: []string{"a", "b"}},
		{name: "names that are numbers beside text", text: "who,3,2,1\nx,5,6,7\n",
			o: Options{Header: HeaderPresent}, want: [][]float64{{5, 6, 7}}, names: []string{"3", "2", "1"}},
		{name: "labels that repeat", text: "ada,1,2\nbob,3,4\nada,5,6\n", want: [][]float64{{1, 2}, {3, 4}, {5, 6}}},
		{name: "labels and measurements", text: "ada,1.5,2\nbob,3,4\n", want: [][]float64{{1.5, 2}, {3, 4}}},
		{name: "text and weights", text: "name,a,w\nada,1,2\nbob,3,2\n", o: Options{Weights: "w"},
			want: [][]float64{{1}, {3}}, names: []string{"a"}},
		{name: "exponents of Fortran", text: "  0.1000D+01  0.25d2 1D-3\n  -.5D+00  35.0 2\n", want: [][]float64{{1, 25, .001}, {-.5, 35, 2}}},
		{name: "minus signs of typesetters", text: "a,b\n\u22125,2e\u22122\n3,\u22124.5\n", want: [][]float64{{-5, .02}, {3, -4.5}}, names: []string{"a", "b"}},
		{name: "Indian thousands", text: "a;b\n\"1,23,456\";2\n\"12,34,567.5\";3\n999;5\n", want: [][]float64{{123456, 2}, {1234567.5, 3}, {999, 5}}, names: []string{"a", "b"}},
		{name: "decimal commas between spaces", text: "1,5 2,25\n2,75 3,5\n", want: [][]float64{{1.5, 2.25}, {2.75, 3.5}}},
		{name: "commas, and a tab at each line end", text: "v,w\t\n1,1\t\n2,4\t\n", want: [][]float64{{1, 1}, {2, 4}}, names: []string{"v", "w"}},
		{name: "no-break space", text: "1\u00a0,2\n", want: [][]float64{{1, 2}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := readText(t, test.text, test.o)
			if err != nil {
				t.Fatal(err)
			}
			if s.P != len(test.want) || s.N != len(test.want[0]) {
				t.Fatalf("got %d x %d", s.P, s.N)
			}
			if got := slices.Concat(test.want...); !slices.Equal(s.Values, got) {
				t.Errorf("got %v, want %v", s.Values, got)
			}
			if !slices.Equal(s.Names, test.names) {
				t.Errorf("names %q, want %q", s.Names, test.names)
			}
		})
	}
}

func TestCSVErrors(t *testing.T) {
	tests := []struct {
		name, text string
		o          Options
		want       string
	}{
		{name: "empty", text: "", want: "x.csv: is empty; want a table with one observation a row"},
		{name: "blank", text: "\n \n\r\n", want: "x.csv: is empty; want a table with one observation a row"},
		{name: "only a BOM", text: "\ufeff", want: "x.csv: is empty; want a table with one observation a row"},
		{name: "only a header", text: "a,b\n",
			want: "x.csv: has a header but no observations; want at least one more line"},
		{name: "only comments", text: "# a,b\n# 1,2\n",
			want: "x.csv: has comments but no observations; want at least one line that does not begin with #"},
		{name: "lines below comments", text: "# by hand\n# a,b\n1,2\n3,4\n5\n",
			want: "x.csv: line 5: got 1 field, want 2 as in line 3; correct the line"},
		{name: "text below comments", text: "# a,b\n1,2.o\n3,4\n",
			want: `x.csv: line 2, column 2 (b): got "2.o", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "open quote below comments", text: "# a,b\n1,2\n\"3,4\n5,6\n",
			want: `x.csv: line 4: got a quoted field that begins on line 3 and is not closed, want quoted fields such as "a, b", with quotation marks inside doubled; correct the line`},
		{name: "comment below", text: "1,2\n3,4\n# the end\n",
			want: "x.csv: line 3: got 1 field, want 2 as in line 1; comments (#) may stand only above the first observation, so remove the line if it is one"},
		{name: "short line", text: "a,b\n1,2\n\n3\n",
			want: "x.csv: line 4: got 1 field, want 2 as in line 1; correct the line"},
		{name: "long line", text: "1,2\n3,4,5\n",
			want: "x.csv: line 2: got 3 fields, want 2 as in line 1; correct the line"},
		{name: "text", text: "a,b\n1,2\n3,tall\n",
			want: `x.csv: line 3, column 2 (b): got "tall", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "text after a quoted newline", text: "\"a\nb\",c\n1,2\n3,\"t\nl\"\n",
			want: `x.csv: line 4, column 2 (c): got "t\nl", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "text without a header", text: "1,2\n3,4\nx,5\n",
			want: `x.csv: line 3, column 1: got "x", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "neither header nor data", text: "1,2.o\n3,4\n",
			want: `x.csv: line 1, column 2: got "2.o", want a number: the line holds numbers too, so it may be a header or data; correct it, or say whether the first line is a header`},
		{name: "years", text: "2019,2020,2021\n22,9,21\n26,23,26\n22,21,22\n",
			want: `x.csv: line 1, column 1: got "2019", want a name, or an observation like those below: the line is unlike them, so it may be a header or data; say whether the first line is a header`},
		{name: "a blank cell between spaces", text: "a  b  c\n1.0 2.0 3.0\n1.5     3.5\n2.0 2.2 3.1\n",
			want: `x.csv: line 3: got 2 fields, want 3 as in line 1; correct the line: a missing value between spaces is NA, and numbers need a space between`},
		{name: "two delimiters", text: "1 234,5\n3 456,75\n", want: "x.csv: its fields may be separated by ',' or by ' '; say which"},
		{name: "a dash", text: "a,b\n1,2\n\u20133,4\n",
			want: `x.csv: line 3, column 1 (a): got "–3", want a number: U+2013 is not a minus sign; write - instead, or choose other columns`},
		{name: "numbers side by side", text: "a,b\n1.5-2.5,2\n3,4\n",
			want: `x.csv: line 2, column 1 (a): got "1.5-2.5", want one number: there is nothing between some; write a delimiter there, or choose other columns`},
		{name: "names that a program makes", text: "0,1,2\n4,4,1\n2,0,3\n",
			want: `x.csv: line 1, column 1: got "0", want a name, or an observation like those below: the line is unlike them, so it may be a header or data; say whether the first line is a header`},
		{name: "the same above names of rows", text: ",0,1\nada,1.0,2.5\nbob,3.0,4.5\n",
			want: `x.csv: line 1, column 2: got "0", want a name, or an observation like those below: the line is unlike them, so it may be a header or data; say whether the first line is a header`},
		{name: "decimal comma below", text: "1.5;2.5\n" + strings.Repeat("3.5;4.5\n", 1<<13) + "3,5;1\n",
			o:    Options{Header: HeaderAbsent},
			want: `x.csv: line 8194, column 1: got "3,5", want a number with a decimal point and no commas; correct it, or say which sign is the decimal one`},
		{name: "decimal point below", text: "1,5;2,5\n" + strings.Repeat("3,5;4,5\n", 1<<13) + "3.5;1\n",
			want: `x.csv: line 8194, column 1: got "3.5", want a number with a decimal comma and no points; correct it, or say which sign is the decimal one`},
		{name: "thousands below", text: "1.5;2.5\n" + strings.Repeat("3.5;4.5\n", 1<<13) + "3,500;1\n",
			want: `x.csv: line 8194, column 1: got "3,500", want a number that can be read in one way only: this may be 3.500 or 3500; say which sign is the decimal one`},
		{name: "a point or thousands", text: "a;b\n1.234;2\n5.678;3\n",
			want: `x.csv: line 2, column 1 (a): got "1.234", want a number that can be read in one way only: this may be 1.234 or 1234; say which sign is the decimal one`},
		{name: "a point or thousands, further down",
			text: "a;b\n1;2\n" + strings.Repeat("3;4\n", 1<<14) + "5.678;3\n",
			want: `x.csv: line 16387, column 1 (a): got "5.678", want a number that can be read in one way only: this may be 5.678 or 5678; say which sign is the decimal one`},
		{name: "a comma or thousands", text: "a\tb\n1,234\t2\n",
			want: `x.csv: line 2, column 1 (a): got "1,234", want a number that can be read in one way only: this may be 1.234 or 1234; say which sign is the decimal one`},
		{name: "one column with a decimal comma", text: "a\n1,5\n2,5\n",
			want: "x.csv: line 2: got 2 fields, want 1 as in line 1; correct the line, or say that the comma is the decimal sign"},
		{name: "points and commas", text: "a;b\n1,5;2.5\n",
			want: `x.csv: holds both "2.5" and "1,5"; say which is the decimal sign, or choose the columns where it is`},
		{name: "points and commas, each in two ways", text: "a;b\n1,500;2.500\n",
			want: `x.csv: holds both "2.500" and "1,500"; say which is the decimal sign`},
		{name: "names or a row", text: "name,2019,2020\nada,1,2\nbob,3,4\n",
			want: `x.csv: line 1, column 2: got "2019", want a name, or an observation like those below: the line is unlike them, so it may be a header or data; say whether the first line is a header`},
		{name: "names or a row, columns chosen", text: "name,2019,2020\nada,1,2\nbob,3,4\n", o: Options{Columns: []string{"2-3"}},
			want: `x.csv: line 1, column 2: got "2019", want a name, or an observation like those below: the line is unlike them, so it may be a header or data; say whether the first line is a header`},
		{name: "names above an index", text: ",0.5,1.5\n0,2,3\n1,2,3\n", o: Options{Columns: []string{"2-3"}},
			want: `x.csv: line 1, column 2: got "0.5", want a name, or an observation like those below: the line is unlike them, so it may be a header or data; say whether the first line is a header`},
		{name: "only the line of Excel", text: "sep=;\n", want: "x.csv: is empty; want a table with one observation a row"},
		{name: "below the line of Excel", text: "sep=;\na;b\n1;x\n2;3\n",
			want: `x.csv: line 3, column 2 (b): got "x", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "text and numbers in a column", text: "id,x\na1,1\n12,2\n",
			want: `x.csv: line 2, column 1 (id): got "a1", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "Latin-1", text: "Gr\xf6\xdfe,b\n1,2\n",
			want: `x.csv: line 1, column 1: got "Gr\xf6\xdfe", want a name in UTF-8; convert the file, from Windows-1252 or Latin-1 as it seems: iconv -f WINDOWS-1252 -t UTF-8`},
		{name: "Latin-1 in a value", text: "a,b\n1,2\n1,\xb52\n",
			want: `x.csv: line 3, column 2 (b): got "\xb52", want a number in UTF-8; convert the file, from Windows-1252 or Latin-1 as it seems: iconv -f WINDOWS-1252 -t UTF-8`},
		{name: "UTF-16 without a mark", text: "1\x00,\x002\x00\n\x00",
			want: "x.csv: is UTF-16LE text; save it as UTF-8"},
		{name: "UTF-16 without a mark, the other order", text: "\x001\x00,\x002\x00\n",
			want: "x.csv: is UTF-16BE text; save it as UTF-8"},
		{name: "UTF-32", text: "\xff\xfe\x00\x00a\x00\x00\x00", want: "x.csv: is UTF-32 text; save it as UTF-8"},
		{name: "wrong delimiter", text: "1:2\n3:4\n", o: Options{Header: HeaderAbsent},
			want: `x.csv: line 1, column 1: got "1:2", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "spaces where commas are wanted", text: "1 2\n3 4\n",
			o:    Options{Delimiter: ',', Header: HeaderAbsent},
			want: `x.csv: line 1, column 1: got "1 2", want one number: set the delimiter if it is not ','`},
		{name: "infinity", text: "a,b\n1,-Infinity\n",
			want: `x.csv: line 2, column 2 (b): got "-Infinity", want a finite number; correct the value, or make it a missing one (NA)`},
		{name: "overflow", text: "1,1e999\n",
			want: `x.csv: line 1, column 2: got "1e999", want a number that a float64 can hold (up to 1.8e308)`},
		{name: "long value", text: "a\n" + strings.Repeat("é", 50),
			want: `x.csv: line 2, column 1 (a): got "` + strings.Repeat("é", 40) + `"..., want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
		{name: "bare quote", text: "a,b\n1,2\"3\n",
			want: `x.csv: line 2: got a quotation mark in the wrong place, want quoted fields such as "a, b", with quotation marks inside doubled; correct the line`},
		{name: "open quote", text: "a,b\n\"1,2\n3,4\n",
			want: `x.csv: line 3: got a quoted field that begins on line 2 and is not closed, want quoted fields such as "a, b", with quotation marks inside doubled; correct the line`},
		{name: "delimiter", text: "1\n", o: Options{Delimiter: '"'},
			want: `x.csv: the delimiter '"' cannot separate fields; use a comma, a tab, a semicolon, a bar or a space`},
		{name: "old Mac", text: "a,b\r1,2\r3,4\r",
			want: "x.csv: its lines end in carriage returns only; convert them to newlines"},
		{name: "UTF-16", text: "\xff\xfea\x00,\x00", want: "x.csv: is UTF-16 text; save it as UTF-8"},
		{name: "binary", text: "\x00\x01\x02",
			want: `x.csv: is neither text nor NPY, NPZ, MATLAB, Parquet or Arrow: it begins with "\x00\x01\x02"; write the table in one of these formats, or as CSV`},
		{name: "HDF5", text: "\x89HDF\r\n\x1a\nmore",
			want: `x.csv: is an HDF5 file; write the array as NPY: python3 -c "import h5py, numpy; numpy.save('X.npy', h5py.File('FILE')['X'][()])"`},
		{name: "unknown column", text: "a,b\n1,2\n", o: Options{Columns: []string{"c"}},
			want: `x.csv: column "c": unknown; the columns are "a", "b"`},
		{name: "column twice", text: "a,b\n1,2\n", o: Options{Columns: []string{"1-2", "a"}},
			want: `x.csv: column 1 is selected twice, the second time by "a"; name each column once`},
		{name: "ambiguous name", text: "a,a\n1,2\n", o: Options{Columns: []string{"a"}},
			want: `x.csv: column "a": the header has this name 2 times; use the column's number`},
		{name: "name without a header", text: "1,2\n", o: Options{Columns: []string{"a"}},
			want: `x.csv: column "a": the source has no column names; use a number from 1 to 2 or a range such as 2-5`},
		{name: "number too large", text: "1,2\n", o: Options{Columns: []string{"3"}},
			want: `x.csv: column "3": out of range; the source has 2 columns, numbered from 1`},
		{name: "of one", text: "1\n2\n", o: Options{Columns: []string{"2"}},
			want: `x.csv: column "2": out of range; the source has 1 column, numbered from 1`},
		{name: "zero", text: "1,2\n", o: Options{Columns: []string{"0"}},
			want: `x.csv: column "0": out of range; the source has 2 columns, numbered from 1`},
		{name: "range too long", text: "1,2\n", o: Options{Columns: []string{"1-3"}},
			want: `x.csv: column "1-3": out of range; the source has 2 columns, numbered from 1`},
		{name: "backwards", text: "1,2\n", o: Options{Columns: []string{"2-1"}},
			want: `x.csv: column "2-1": the range runs backwards; want 1-2`},
		{name: "no columns", text: "1,2\n", o: Options{Columns: []string{}},
			want: "x.csv: no columns are left to be variables; select at least one besides weights and labels"},
		{name: "only weights", text: "w\n2\n", o: Options{Weights: "w"},
			want: "x.csv: no columns are left to be variables; select at least one besides weights and labels"},
		{name: "unknown weights", text: "a,b\n1,2\n", o: Options{Weights: "w"},
			want: `x.csv: weights column "w": unknown; the columns are "a", "b"`},
		{name: "weights a range", text: "a,b\n1,2\n", o: Options{Weights: "1-2"},
			want: `x.csv: weights column "1-2": want one column, got a range`},
		{name: "negative weight", text: "a,w\n1,2\n3,-4\n", o: Options{Weights: "w"},
			want: `x.csv: line 3, column 2 (w): got "-4", want a positive, finite weight`},
		{name: "zero weight", text: "a,w\n1,0\n", o: Options{Weights: "w"},
			want: `x.csv: line 2, column 2 (w): got "0", want a positive weight; leave the row out instead of giving it no weight`},
		{name: "NaN weight", text: "a,w\n1,NaN\n", o: Options{Weights: "w", Missing: MissingMean},
			want: `x.csv: line 2, column 2 (w): got "NaN", want a positive weight for each row; fill it in, or drop the row`},
		{name: "infinite weight", text: "a,w\n1,inf\n", o: Options{Weights: "w"},
			want: `x.csv: line 2, column 2 (w): got "inf", want a finite number; correct the value, or make it a missing one (NA)`},
		{name: "missing", text: "a,b,c\n1,,2\nNA,null,3\n",
			want: "x.csv: 3 missing values: a (1), b (2); drop those rows, fill with the column mean, or choose other columns"},
		{name: "array", text: "1\n", o: Options{Array: "a"},
			want: `x.csv: array "a" was requested, but only npz archives and MATLAB files have named arrays; this is csv`},
		{name: "names in one line", text: "\"a\nb\"\nx\n",
			want: `x.csv: line 3, column 1 (a b): got "x", want a number; correct it, name it as a code of missing values, or choose the columns that hold numbers`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readText(t, test.text, test.o)
			checkError(t, err, test.want)
		})
	}
}

func TestCSVNotes(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,a\n1,2,3\n4,5,7\n":      `1 name is repeated: "a" (2); select these columns by number`,
		",a,b\n0,1,5\n1,2,7\n2,7,1":  "column 1 has no name and counts the rows: it looks like an index, not a variable; choose the other columns",
		",a,b\n0,1,5\n1,2,7\n3,7,1":  "column 1 alone has no name: it may be an index, not a variable; choose the other columns",
		",,b\n5,1,5\n1,2,7\n3,7,1":   "",
		"a,b\n0,1\n1,2\n":            "",
		"4,3\n1,5\n5,1\n":            `"4,3" is read as two numbers; if the comma is the decimal sign, set it`,
		"1,9.5\n2,2.5\n3,7.5\n4,3.5": "column 1 has no name and counts the rows: it looks like an index, not a variable; choose the other columns",
		"Id,b\n7,1\n8,2\n9,3\n10,4\n11,3\n12,2\n13,1\n14,0\n15,5\n16,2\n": `Id counts the rows: it looks like an index, not a variable; choose the other columns`,
		"Id,b\n7,1\n8,2\n9,3\n10,4\n11,3\n12,2\n13,1\n14,0\n15,5\n17,2\n": "Id holds whole numbers that grow from row to row: it may be an index, not a variable; choose the other columns",
		"who,a,when\nada,1,2020-01-02\nbob,2,3.4.2020\n":                  `2 columns without numbers left out: who (text such as "ada"), when (times such as "2020-01-02")`,
		"zip,a\n100,10\n007,20\n":                                         `whole numbers that begin with 0 may be codes, such as postal ones, and no variables: zip ("007"); choose the other columns`,
		"00.5,01\n3,04\n007,0\n":                                          `whole numbers that begin with 0 may be codes, such as postal ones, and no variables: column 2 ("01"); choose the other columns`,
		"a,b\n0,1.5\n-07,00.5\n":                                          "",
		"\"a\",\"b\"\n\"1\",1.5,2\n\"2\",3,4.5\n":                         `1 column without numbers left out: column 1 (the names of the rows)`, // R's write.table
		"a;b\n1,5;2\n7;3\n":                                               `numbers are read with a decimal comma, as in "1,5"`,
		"a;b\n1.500,5;200\n7;3\n":                                         `numbers are read with a decimal comma, as in "1.500,5", and with separated thousands, as in "1.500,5"`,
		"a\tb\n1.500\t2\n7\t3\n":                                          `"1.500" is read with a decimal point; if it is a separator of thousands, say that the decimal sign is a comma`,
		"a\tb\n1.5\t2\n7.125\t3\n":                                        "",
		"\n0\n1.5\n2.25\n":                                                `line 2 is read as an observation: if its numbers, such as "0", are names of columns, say that the first line is a header`,
		"0\n1.5\n2\n":                                                     "",
		"\"1,500.5\",200\n\"7\",3\n":                                      `numbers are read with a decimal point, and with separated thousands, as in "1,500.5"`,
	} {
		s, err := readText(t, text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := joined(s.Warnings, "|"); got != want {
			t.Errorf("%q: warnings %q, want %q", text, got, want)
		}
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := OpenStream(t.Context(), path, Options{}, nil); err != nil || joined(s.Warnings, "|") != want {
			t.Errorf("%q: of a stream %q, want %q (%v)", text, joined(s.Warnings, "|"), want, err)
		}
	}
}

// TestCSVRoundTrip writes random numbers in random dialects and wants the same
// bits back; many rows, so that the table grows and the buffers are refilled.
func TestCSVRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 60 {
		p, n := 1+rng.IntN(3000), 1+rng.IntN(6)
		want := make([]float64, p*n)
		for i := range want {
			want[i] = math.Float64frombits(rng.Uint64())
			for want[i]-want[i] != 0 {
				want[i] = math.Float64frombits(rng.Uint64())
			}
		}
		delimiter := []string{",", "\t", ";", "|", " "}[rng.IntN(5)]
		newline := []string{"\n", "\r\n"}[rng.IntN(2)]
		quote := []string{"", "\""}[rng.IntN(2)]
		var b bytes.Buffer
		if rng.IntN(2) == 0 {
			for j := range n {
				fmt.Fprintf(&b, "%s%sname%d%s", map[bool]string{true: "", false: delimiter}[j == 0], quote, j, quote)
			}
			b.WriteString(newline)
		}
		for i, v := range want {
			if i%n > 0 {
				b.WriteString(delimiter)
			}
			b.WriteString(quote + strconv.FormatFloat(v, 'g', -1, 64) + quote)
			if i%n == n-1 {
				b.WriteString(newline)
			}
		}
		s, err := Read(t.Context(), bytes.NewReader(b.Bytes()), "", "", Options{})
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		if s.P != p || s.N != n || !slices.Equal(s.Values, want) {
			t.Fatalf("trial %d: %d x %d with delimiter %q came back as %d x %d", trial, p, n, delimiter, s.P, s.N)
		}
	}
}
