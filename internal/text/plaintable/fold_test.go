package plaintable

import (
	"os"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		width            int
	}{
		{"no terminal", strings.Repeat("word ", 40), strings.Repeat("word ", 40), 0},
		{"fits", strings.Repeat("x", 40), strings.Repeat("x", 40), 40},
		{"prose", "symmom: warning: only one of the starts found this", "symmom: warning: only one of the starts\n  found this", 40},
		{"a note", "  a note that is indented and too long to fit", "  a note that is indented and too long\n    to fit", 40},
		{"a path", "no " + strings.Repeat("/path", 9), "no\n  " + strings.Repeat("/path", 9), 40},
		{"a name and text", "  warning    only one of the starts found this fit of yours",
			"  warning    only one of the starts\n             found this fit of yours", 40},
		{"a piece that fits on a line of its own", "  best start  ▇▅▁▁▁▁▁▁  relative error from 2 to 1",
			"  best start  ▇▅▁▁▁▁▁▁\n              relative error from 2 to 1", 40},
		{"numbers", "  lambda  0.21725  0.21485  0.21458  0.21435  0.2123",
			"  lambda  0.21725  0.21485  0.21458\n          0.21435  0.2123", 40},
		{"text behind numbers", "  eigenvalues of it: 52200  185.13  131.87; 1 stands out, which suggests rank 1",
			"  eigenvalues of it: 52200  185.13\n    131.87; 1 stands out, which suggests\n    rank 1", 40},
		{"wide characters", "東京東京東京東京東京 東京東京東京東京東京東", "東京東京東京東京東京\n  東京東京東京東京東京東", 40},
		{"a matrix", "⎡1.1  2.2  3.3  4.4  5.5  6.6  7.7  8.8⎤", "⎡1.1  2.2  3.3  4.4  5.5  6.6  7.7  8.8⎤", 40},
		{"code", "\tx := " + strings.Repeat("a + ", 12), "\tx := " + strings.Repeat("a + ", 12), 40},
		{"letters of no width", "e\u0301" + strings.Repeat(" e\u0301", 20), "e\u0301" + strings.Repeat(" e\u0301", 19) + "\n  e\u0301", 40},
		{"two of them first", "\u2068\u2069" + strings.Repeat("x ", 20) + "y", "\u2068\u2069" + strings.Repeat("x ", 19) + "x\n  y", 40},
		{"names that run from right to left", "\u2068שם\u2069 and" + strings.Repeat(" x", 18), "\u2068שם\u2069 and" + strings.Repeat(" x", 17) + "\n  x", 40},
	} {
		if got := Text(c.text, c.width); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

const mixtures = `Gaussian mixtures compared
  components  parameters  log-likelihood         BIC  above lowest  starts at best  doubts
           2          83       30281.484  -59971.104        23,152         4 of 21  few starts
           5         209       42306.632  -83122.906             0        12 of 21
  the lowest BIC is that of 5 components`

func TestFoldedTable(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		width            int
	}{
		{"columns without room", mixtures, `Gaussian mixtures compared
  components  parameters  log-likelihood         BIC
           2          83       30281.484  -59971.104
           5         209       42306.632  -83122.906

  components  above lowest  starts at best  doubts
           2        23,152         4 of 21  few starts
           5             0        12 of 21
  the lowest BIC is that of 5 components`, 60},
		{"words of the last one", `  evidence    rank        why
  spectrum       5  sure  5 eigenvalues of the second moment stand out
  stagnation     5  sure  each lowers it`, `  evidence    rank        why
  spectrum       5  sure  5 eigenvalues of the
                          second moment stand
                          out
  stagnation     5  sure  each lowers it`, 48},
		{"numbers on the right of the last one", `  column                       mean  minimum  missing
  x                            1.25      -10        0
  y                            2.25      -10    1,000`, `  column                       mean  minimum
  x                            1.25      -10
  y                            2.25      -10

  column  missing
  x             0
  y         1,000`, 46},
		{"lines of numbers", `  weights         0.2  0.2  0.2  0.2  0.2
  norms of means  1.0009  0.99846  1.0065  1.0013`, `  weights         0.2  0.2  0.2  0.2
                  0.2
  norms of means  1.0009  0.99846
                  1.0065  1.0013`, 40},
		{"a column that is too wide", `  a  a text that is wider than the whole terminal is  c
  b  short                                             d`, `  a  a text that is wider than the whole
     terminal is  c
  b  short
     d`, 40},
	} {
		if got := Text(c.text, c.width); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// No line is wider than asked for, and no word is lost or torn apart.
func FuzzText(f *testing.F) {
	f.Add(mixtures, 50)
	f.Add("  best start      █▅▄▄▄▂▂▁▁▁▁▁  relative error from 2.73 to 0.0195 in 11 iterations", 60)
	f.Fuzz(func(t *testing.T, text string, width int) {
		folded := Text(text, width)
		if width < 40 {
			if folded != text {
				t.Fatalf("width %d", width)
			}
			return
		}
		longest := 0
		for _, w := range strings.Fields(text) {
			longest = max(longest, uniseg.StringWidth(w))
		}
		for l := range strings.SplitSeq(folded, "\n") {
			if !strings.ContainsAny(l, "\t\x1b\r⎡⎢⎣") && longest < width/2-hanging && uniseg.StringWidth(l) > width {
				t.Errorf("%q is wider than %d", l, width)
			}
		}
		have := map[string]bool{}
		for _, w := range strings.Fields(folded) {
			have[w] = true
		}
		for _, w := range strings.Fields(text) {
			if !have[w] {
				t.Errorf("lost %q", w)
			}
		}
	})
}

func TestWidth(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if n := Width(null) + Width(&strings.Builder{}); n != 0 {
		t.Errorf("no terminal has %d columns", n)
	}
}
