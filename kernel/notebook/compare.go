package notebook

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Difference is a cell whose outputs differ from those that were stored.
type Difference struct {
	Cell   int // its number, from 1
	Source string
	Lines  []string // "- stored" and "+ new", of the part that differs
}

// Compare compares the outputs of the cells that ran with those that they had before: what
// they printed, the text of results, errors, and which formats results have. Durations and
// addresses may be any, spaces and lines of progress do not count, and numbers may differ
// by tolerance times their size. Cells tagged nbval-ignore-output are left out, as is the
// cell that Inject adds.
func (nb *Notebook) Compare(tolerance float64) (all []Difference) {
	for _, c := range nb.Cells {
		if c.number == 0 || c.tagged("nbval-ignore-output", injected) {
			continue
		}
		if lines := changes(linesShown(c.before), linesShown(c.Outputs()), tolerance); len(lines) > 0 {
			all = append(all, Difference{c.number, c.Source(), lines})
		}
	}
	return all
}

// progressLine is what the kernel leaves of the progress of a call, if that was long.
var progressLine = regexp.MustCompile(`^(done|stopped): .*, [\d.]+ ?\S+$`)

// linesShown returns outputs as lines of text.
func linesShown(outputs []Output) (lines []string) {
	add := func(text string) { lines = append(lines, strings.Split(strings.TrimRight(Plain(text), "\n"), "\n")...) }
	for _, o := range outputs {
		data := object(o["data"])
		switch o.Type() {
		case "stream":
			add(o.Text("text"))
		case "error":
			add(o.Text("ename") + ": " + o.Text("evalue"))
		default:
			if plain := o.Data("text/plain"); !progressLine.MatchString(plain) {
				for _, format := range []string{"text/plain", "text/markdown", "text/latex"} {
					if data[format] != nil {
						add(o.Data(format))
					}
				}
				for _, format := range slices.Sorted(maps.Keys(data)) {
					if !strings.HasPrefix(format, "text/") || format == "text/html" {
						add("[" + format + "]")
					}
				}
			}
		}
	}
	return lines
}

// changes returns the lines from the first that differs to the last, the stored and the
// new ones.
func changes(stored, fresh []string, tolerance float64) (lines []string) {
	for len(stored) > 0 && len(fresh) > 0 && alike(stored[0], fresh[0], tolerance) {
		stored, fresh = stored[1:], fresh[1:]
	}
	for len(stored) > 0 && len(fresh) > 0 && alike(stored[len(stored)-1], fresh[len(fresh)-1], tolerance) {
		stored, fresh = stored[:len(stored)-1], fresh[:len(fresh)-1]
	}
	return append(few("- ", stored), few("+ ", fresh)...)
}

// few returns some lines, and how many there are more.
func few(mark string, of []string) (lines []string) {
	const most = 4
	for i, line := range of {
		if i == most && len(of) > most+1 {
			return append(lines, fmt.Sprintf("%s... and %d lines more", mark, len(of)-most))
		}
		lines = append(lines, mark+line)
	}
	return lines
}

var (
	// Durations as Go prints them, such as 1m2.5s and 3µs, and with words, such as 3.4 s;
	// addresses.
	changing = regexp.MustCompile(`\b(\d+h)?(\d+m)?\d+(\.\d+)?(ns|µs|μs|ms|s)\b|\b[\d.,]*\d (ns|µs|μs|ms|s|min|h|seconds?|minutes?|hours?)\b|\b0x[0-9a-f]{6,}\b`)
	numbers  = regexp.MustCompile(`[+-]?(\d[\d,]*)(\.\d+)?([eE][+-]?\d+)?`)
)

// alike compares two lines.
func alike(a, b string, tolerance float64) bool {
	if a == b {
		return true
	}
	a, b = changing.ReplaceAllString(a, "<>"), changing.ReplaceAllString(b, "<>")
	form := func(s string) string {
		if tolerance > 0 {
			s = numbers.ReplaceAllString(s, "#")
		}
		return strings.Join(strings.Fields(s), " ")
	}
	if form(a) != form(b) {
		return false
	}
	if tolerance == 0 {
		return true
	}
	x, y := numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)
	for i := range x {
		p, _ := strconv.ParseFloat(strings.ReplaceAll(x[i], ",", ""), 64)
		q, _ := strconv.ParseFloat(strings.ReplaceAll(y[i], ",", ""), 64)
		if math.Abs(p-q) > tolerance*max(math.Abs(p), math.Abs(q)) {
			return false
		}
	}
	return true
}
