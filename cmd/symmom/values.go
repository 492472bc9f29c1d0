package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/internal/words"
)

// The flag values below check their arguments, so that a value that can never be
// valid is wrong usage, with the flag named, before anything runs.

// whole is a whole number of at least min.
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
	if err != nil || n < v.min {
		return fmt.Errorf("a whole number, at least %d", v.min)
	}
	*v.p = n
	return nil
}

// seedValue is a seed. 0 is not one, since it stands for the default in the
// library.
type seedValue struct{ p *uint64 }

func (v seedValue) String() string {
	if v.p == nil {
		return "0"
	}
	return strconv.FormatUint(*v.p, 10)
}
func (seedValue) Type() string { return "N" }
func (v seedValue) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n == 0 {
		return errors.New("a whole number, at least 1")
	}
	*v.p = n
	return nil
}

// byteSize is an amount of memory, such as 4GB.
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

// real is a finite number from lo to hi.
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

// sigma is a standard deviation, or estimated.
type sigma struct{ value float64 }

// estimated is the value of --sigma for a sigma estimated from the data.
const estimated = "estimated"

func (v *sigma) String() string {
	if v.value == 0 {
		return ""
	}
	return strconv.FormatFloat(v.value, 'g', -1, 64)
}
func (*sigma) Type() string { return "SIGMA" }
func (v *sigma) Set(s string) error {
	if s == estimated {
		v.value = 0
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 0) || math.IsInf(x, 0) {
		return errors.New("a number above 0, or nothing for an estimate")
	}
	v.value = x
	return nil
}

// reals is a list of positive numbers, separated by commas.
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

// choice is one of a few words.
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
	return errors.New("one of " + strings.Join(plain(v.words), ", "))
}

// plain converts words of a type to strings.
func plain[T ~string](words []T) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return out
}

// rankRange is "3..7", "3-7" or "5".
type rankRange struct{ from, to *int }

func (v rankRange) String() string {
	if v.from == nil || *v.from == 0 {
		return ""
	}
	return fmt.Sprintf("%d..%d", *v.from, *v.to)
}
func (rankRange) Type() string { return "A..B" }
func (v rankRange) Set(s string) error {
	first, last, found := strings.Cut(s, "..")
	if !found {
		first, last, found = strings.Cut(s, "-")
	}
	if !found {
		last = first
	}
	a, errA := strconv.Atoi(strings.TrimSpace(first))
	b, errB := strconv.Atoi(strings.TrimSpace(last))
	if errA != nil || errB != nil || a < 1 || b < a {
		return errors.New("ranks such as 3..7, 3-7 or 5, the first at least 1")
	}
	*v.from, *v.to = a, b
	return nil
}

const groupKey = "symmom_group"

// flagGroup adds flags to a command under a heading in its help.
func flagGroup(cmd *cobra.Command, heading string, define func(*pflag.FlagSet)) {
	fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	fs.SortFlags = false
	define(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[groupKey] = []string{heading}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(fs)
}

// require marks flags that a command requires.
func require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		f := cmd.Flags().Lookup(name)
		f.Annotations[cobra.BashCompOneRequiredFlag] = []string{"true"}
		f.Usage += " (required)"
	}
}

// requiredFlags returns an error for missing flags, with the command's first
// example as a model.
func requiredFlags(cmd *cobra.Command, _ []string) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 && !f.Changed {
			missing = append(missing, "--"+f.Name)
		}
	})
	if len(missing) == 0 {
		return nil
	}
	return usagef("%s needs %s, as in: %s", cmd.Name(), strings.Join(missing, " and "), firstExample(cmd))
}

// examples returns the command lines in a command's help, with continuation lines
// joined.
func examples(cmd *cobra.Command) []string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(cmd.Example, "\\\n", "")) {
		if line = strings.Join(strings.Fields(line), " "); strings.HasPrefix(line, "symmom ") {
			out = append(out, line)
		}
	}
	return out
}

// firstExample returns an example of how to write the command.
func firstExample(cmd *cobra.Command) string {
	for _, line := range examples(cmd) {
		if strings.HasPrefix(line, cmd.CommandPath()+" ") {
			return line
		}
	}
	return cmd.UseLine()
}
