// Package words formats numbers and nouns for messages and tables.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count writes an integer with its thousands separated: 1,797.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes how many there are of something: 1 start, 2,000 starts, 3
// passes.
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "e"
	}
	return Count(n) + " " + noun + "s"
}

// Verb returns one if n is 1, several otherwise: 1 start is, 2 starts are.
func Verb(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Duration writes a time with three digits, in the unit that suits: 34.4 ms,
// 2.35 s, 2 min 05 s.
func Duration(d time.Duration) string {
	seconds := float64(d) / 1e9 // Seconds adds two numbers, and rounds twice
	// The limits are where the digits round up to the next unit.
	switch {
	case seconds < .9995:
		return fmt.Sprintf("%.3g ms", seconds*1e3)
	case seconds < 119.5:
		return fmt.Sprintf("%.3g s", seconds)
	}
	whole := int(math.Round(seconds))
	return fmt.Sprintf("%d min %02d s", whole/60, whole%60)
}

// Bytes writes an amount of memory: 640 bytes, 1.5 GB.
func Bytes(b float64) string {
	if b < 1e6 {
		return fmt.Sprintf("%.0f bytes", b)
	}
	units := []string{"MB", "GB", "TB", "PB", "EB"}
	i := 0
	for b /= 1e6; b >= 1000 && i < len(units)-1; i++ {
		b /= 1000
	}
	return fmt.Sprintf("%.4g %s", b, units[i])
}

// FileSize writes the size of a file: 640 B, 71.2 kB.
func FileSize(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	x, i := float64(n), 0
	for x >= 1000 && i < len(units)-1 {
		x, i = x/1000, i+1
	}
	if i == 0 {
		return strconv.FormatInt(n, 10) + " B"
	}
	return strconv.FormatFloat(x, 'f', 1, 64) + " " + units[i]
}

// Estimate writes four digits of an estimate, with its standard error unless that is 0.
func Estimate(value, stderr float64) string {
	if stderr == 0 {
		return fmt.Sprintf("%.4g", value)
	}
	return fmt.Sprintf("%.4g", value) + PlusMinus(stderr)
}

// PlusMinus writes a standard error after an estimate; one that is infinite is not known.
func PlusMinus(stderr float64) string {
	if math.IsInf(stderr, 1) {
		return " ± ?"
	}
	return fmt.Sprintf(" ± %.2g", stderr)
}

// Numbers writes at most limit of the values.
func Numbers(v []float64, limit int) string {
	parts := make([]string, 0, limit+1)
	for i, x := range v {
		if i == limit {
			parts = append(parts, fmt.Sprintf("... (%d in all)", len(v)))
			break
		}
		parts = append(parts, fmt.Sprintf("%.5g", x))
	}
	return strings.Join(parts, "  ")
}

// Aligned writes numbers of one unit with as many decimals as give the largest four digits, or
// with fewer if these are all that they have.
func Aligned(v []float64) []string {
	largest := 0.
	for _, x := range v {
		if a := math.Abs(x); !math.IsNaN(x) && !math.IsInf(x, 0) {
			largest = max(largest, a)
		}
	}
	out := make([]string, len(v))
	most := 3 - int(math.Floor(math.Log10(largest)))
	if largest > 0 && (most > 7 || most < -9) {
		for i, x := range v {
			out[i] = fmt.Sprintf("%.4g", x)
		}
		return out
	}
	for decimals := 0; ; decimals++ {
		exact := true
		for i, x := range v {
			out[i] = fmt.Sprintf("%.*f", decimals, x)
			if shown, err := strconv.ParseFloat(out[i], 64); err == nil {
				exact = exact && !(math.Abs(shown-x) > 1e-9*largest)
				if shown == 0 {
					out[i] = strings.TrimPrefix(out[i], "-")
				}
			}
		}
		if exact || decimals >= most {
			return out
		}
	}
}

// Percent formats a share with three digits, and with as many more as distinguish nearly all
// from all: 3.17%, 99.9994%, 17,213%.
func Percent(share float64) string {
	percent := 100 * share
	switch left := 100 - percent; {
	case math.Abs(percent) >= 1000 && math.Abs(percent) < 1e12:
		return Count(int(math.Round(percent))) + "%"
	case left > 1e-9 && left < .05: // nearer, rounding may have done it
		return fmt.Sprintf("%.*f%%", int(math.Ceil(-math.Log10(left))), percent)
	}
	return fmt.Sprintf("%.3g%%", percent)
}

// Value writes x with five digits, and whole numbers below a million million with all of
// theirs: they may be numbers of people, or days as 20261127.
func Value(x float64) string {
	if math.Abs(x) < 1e12 && x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprintf("%.5g", x)
}

// Brief writes x with three digits, and 12300 rather than 1.23e+04.
func Brief(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return Value(rounded)
}

// Spaced writes a name of a program, "line_search_failed", as words.
func Spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }
