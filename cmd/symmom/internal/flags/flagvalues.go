// Package flags provides flag values that validate their arguments, so that invalid
// ones are usage errors that name the flag, before anything runs.
package flags

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"symmom/internal/text/words"
)

// Whole returns a value for a whole number of at least min.
func Whole(p *int, min int) pflag.Value { return whole{p, min} }

type whole struct {
	p   *int
	min int
}

func (v whole) String() string {
	if v.p == nil {
		return "0"
	}
	return strconv.Itoa(*v.p)
}
func (whole) Type() string { return "N" }
func (v whole) Set(s string) error {
	n, err := strconv.Atoi(s)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return fmt.Errorf("a whole number, at most %d", n)
	case err != nil || n < v.min:
		return fmt.Errorf("a whole number, at least %d", v.min)
	}
	*v.p = n
	return nil
}

// Seed returns a value for a seed. 0 is not one, since it means the default in the
// library.
func Seed(p *uint64) pflag.Value { return seed{p} }

type seed struct{ p *uint64 }

func (v seed) String() string {
	if v.p == nil {
		return "0"
	}
	return strconv.FormatUint(*v.p, 10)
}
func (seed) Type() string { return "N" }
func (v seed) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("a whole number, at most %d", n)
	case err != nil || n == 0:
		return errors.New("a whole number, at least 1")
	}
	*v.p = n
	return nil
}

// Bytes returns a value for an amount of memory, such as 4GB.
func Bytes(p *uint64) pflag.Value { return byteSize{p} }

type byteSize struct{ p *uint64 }

func (v byteSize) String() string {
	if v.p == nil || *v.p == 0 {
		return ""
	}
	return words.Bytes(float64(*v.p))
}
func (byteSize) Type() string { return "SIZE" }
func (v byteSize) Set(s string) error {
	number := strings.TrimRight(s, "kKmMgGtTiIbB ")
	unit, known := map[string]float64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
		"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}[strings.ToLower(strings.TrimSpace(s[len(number):]))]
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || !(x*unit >= 1 && x*unit < 1<<63) {
		return errors.New("an amount of memory, such as 500MB or 4GB")
	}
	*v.p = uint64(x * unit)
	return nil
}

// Real returns a value for a finite number from lo to hi; want says so in words.
func Real(p *float64, lo, hi float64, want string) pflag.Value { return real{p, lo, hi, want} }

type real struct {
	p      *float64
	lo, hi float64
	want   string
}

func (v real) String() string {
	if v.p == nil {
		return "0"
	}
	return strconv.FormatFloat(*v.p, 'g', -1, 64)
}
func (real) Type() string { return "X" }
func (v real) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < v.lo || x > v.hi {
		return errors.New(v.want)
	}
	*v.p = x
	return nil
}

// Sigma is a standard deviation, or 0 for one that is estimated from the data.
type Sigma struct{ Value float64 }

// Estimated is the text of a sigma that is estimated.
const Estimated = "estimated"

func (v *Sigma) String() string {
	if v.Value == 0 {
		return ""
	}
	return strconv.FormatFloat(v.Value, 'g', -1, 64)
}
func (*Sigma) Type() string { return "SIGMA" }
func (v *Sigma) Set(s string) error {
	if s == Estimated {
		v.Value = 0
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return errors.New("a number above 0, or nothing for an estimate")
	}
	v.Value = x
	return nil
}

// Reals returns a value for a list of positive numbers, separated by commas.
func Reals(p *[]float64) pflag.Value { return reals{p} }

type reals struct{ p *[]float64 }

func (v reals) String() string {
	if v.p == nil {
		return ""
	}
	parts := make([]string, len(*v.p))
	for i, x := range *v.p {
		parts[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strings.Join(parts, ",")
}
func (reals) Type() string { return "X,X,.." }
func (v reals) Set(s string) error {
	*v.p = nil
	for part := range strings.SplitSeq(s, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return errors.New("positive numbers separated by commas, such as 1,2,2")
		}
		*v.p = append(*v.p, x)
	}
	return nil
}

// Choice returns a value for one of a few words.
func Choice[T ~string](p *T, words []T) pflag.Value { return choice[T]{p, words} }

type choice[T ~string] struct {
	p     *T
	words []T
}

func (v choice[T]) String() string {
	if v.p == nil {
		return ""
	}
	return string(*v.p)
}
func (choice[T]) Type() string { return "WORD" }
func (v choice[T]) Set(s string) error {
	for _, w := range v.words {
		if strings.EqualFold(s, string(w)) {
			*v.p = w
			return nil
		}
	}
	return errors.New("one of " + strings.Join(Plain(v.words), ", "))
}

// Choices returns a value for one or several of a few words, each once: "diag,full".
func Choices[T ~string](p *T, words []T) pflag.Value { return choices[T]{p, words} }

type choices[T ~string] choice[T]

func (v choices[T]) String() string { return choice[T](v).String() }
func (choices[T]) Type() string     { return "WORD" }
func (v choices[T]) Set(s string) error {
	var chosen []string
	for part := range strings.SplitSeq(s, ",") {
		var word T
		if err := (choice[T]{&word, v.words}).Set(strings.TrimSpace(part)); err != nil || slices.Contains(chosen, string(word)) {
			return errors.New("one or several of " + strings.Join(Plain(v.words), ", ") + ", each once")
		}
		chosen = append(chosen, string(word))
	}
	*v.p = T(strings.Join(chosen, ","))
	return nil
}

// Plain converts words of a type to strings.
func Plain[T ~string](words []T) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return out
}

// Numbers returns a value for several numbers of something, "ranks", ascending: "1..4", "1-4",
// "1,2,4", "5" or a list of these.
func Numbers(list *[]int, of string) pflag.Value { return numbers{list, of} }

// mostNumbers is more than any comparison gets to.
const mostNumbers = 1_000_000

type numbers struct {
	list *[]int
	of   string
}

func (v numbers) String() string {
	if v.list == nil {
		return ""
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*v.list), " ", ","), "[]")
}
func (numbers) Type() string { return "A..B" }
func (v numbers) Set(s string) error {
	var all []int
	for part := range strings.SplitSeq(s, ",") {
		first, last, found := strings.Cut(part, "..")
		if !found {
			first, last, found = strings.Cut(part, "-")
		}
		if !found {
			last = first
		}
		from, wrong := strconv.Atoi(strings.TrimSpace(first))
		to, err := strconv.Atoi(strings.TrimSpace(last))
		if wrong != nil || err != nil || from < 1 || to < from || to-from >= mostNumbers || len(all) > mostNumbers {
			return fmt.Errorf("%s such as 3..7, 1,2,4 or 5, the first at least 1, and no more than %s", v.of, words.Count(mostNumbers))
		}
		for r := from; r <= to; r++ {
			all = append(all, r)
		}
	}
	slices.Sort(all)
	*v.list = slices.Compact(all)
	return nil
}

// ImageSize returns a value for rows and columns of pixels: "8x8".
func ImageSize(rows, cols *int) pflag.Value { return imageSize{rows, cols} }

type imageSize struct{ rows, cols *int }

func (v imageSize) String() string {
	if v.rows == nil || *v.rows == 0 {
		return ""
	}
	return fmt.Sprintf("%dx%d", *v.rows, *v.cols)
}
func (imageSize) Type() string { return "RxC" }
func (v imageSize) Set(s string) error {
	rows, cols, _ := strings.Cut(strings.ToLower(s), "x")
	r, errR := strconv.Atoi(rows)
	c, errC := strconv.Atoi(cols)
	if errR != nil || errC != nil || r < 1 || c < 1 || r > 1<<15 || c > 1<<15 {
		return errors.New("rows and columns of pixels, such as 8x8")
	}
	*v.rows, *v.cols = r, c
	return nil
}
