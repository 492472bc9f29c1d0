package flags

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Each text is taken, and printed as the value reads, or refused with what is wanted.
func TestValues(t *testing.T) {
	type word string
	var (
		wholeZero, seedZero, realZero, choiceZero pflag.Value = whole{}, seed{}, real{}, choice[word]{}
		n                                         int
		several                                   []int
		start, room                               uint64
		x                                         float64
		list                                      []float64
		w                                         word
		sigma                                     Sigma
	)
	count, share := Whole(&n, 1), Real(&x, 0, 1, "a number from 0 to 1")
	kinds := Choices(&w, []word{"auto", "none", "some"})
	kind := Choice(&w, []word{"auto", "none"})
	for _, c := range []struct {
		value      pflag.Value
		text, want string // what is printed then, or "! " and what is wanted
	}{
		{count, "3", "3"},
		{count, "0", "! a whole number, at least 1"},
		{count, "1.5", "! a whole number, at least 1"},
		{Seed(&start), "18446744073709551615", "18446744073709551615"},
		{count, "99999999999999999999", fmt.Sprintf("! a whole number, at most %d", math.MaxInt)},
		{count, "-99999999999999999999", "! a whole number, at least 1"},
		{Seed(&start), "99999999999999999999", "! a whole number, at most 18446744073709551615"},
		{Seed(&start), "0", "! a whole number, at least 1"},
		{Bytes(&room), "4GB", "4 GB"},
		{Bytes(&room), "1 kib", "1024 bytes"},
		{Bytes(&room), "2 parsecs", "! an amount of memory"},
		{Bytes(&room), "-1GB", "! an amount of memory"},
		{share, ".25", "0.25"},
		{share, "NaN", "! a number from 0 to 1"},
		{share, "1.1", "! a number from 0 to 1"},
		{Reals(&list), "1, 2,.5", "1,2,0.5"},
		{Reals(&list), "1,,2", "! positive numbers separated by commas"},
		{Reals(&list), "1,Inf", "! positive numbers separated by commas"},
		{kind, "NONE", "none"},
		{kind, "some", "! one of auto, none"},
		{kinds, "None", "none"},
		{kinds, "some, auto", "some,auto"},
		{kinds, "auto,auto", "! one or several of auto, none, some, each once"},
		{kinds, "auto,", "! one or several of auto, none, some, each once"},
		{Numbers(&several, "ranks"), "3..5", "3,4,5"},
		{Numbers(&several, "ranks"), "3-4", "3,4"},
		{Numbers(&several, "ranks"), "5", "5"},
		{Numbers(&several, "ranks"), "7..3", "! ranks such as 3..7"},
		{Numbers(&several, "numbers"), "0..3", "! numbers such as 3..7"},
		{Numbers(&several, "ranks"), "8,1..3, 2", "1,2,3,8"},
		{Numbers(&several, "ranks"), "1,", "! ranks such as 3..7, 1,2,4"},
		{Numbers(&several, "ranks"), "1..1000000000", "! ranks such as 3..7, 1,2,4"},
		{&sigma, ".3", "0.3"},
		{&sigma, Estimated, ""},
		{&sigma, "-1", "! a number above 0"},
	} {
		got := ""
		if err := c.value.Set(c.text); err != nil {
			got = "! " + err.Error()
		} else {
			got = c.value.String()
		}
		wrong, refused := strings.CutPrefix(c.want, "! ")
		if refused && !strings.HasPrefix(got, "! "+wrong) || !refused && got != c.want {
			t.Errorf("%s %q: %q, want %q", c.value.Type(), c.text, got, c.want)
		}
	}
	// pflag prints the zero value of a type, to see whether a default is one.
	for _, zero := range []pflag.Value{wholeZero, seedZero, realZero} {
		if got := zero.String(); got != "0" {
			t.Errorf("the zero value of %s prints %q", zero.Type(), got)
		}
	}
	for _, zero := range []pflag.Value{byteSize{}, reals{}, choiceZero, numbers{}} {
		if got := zero.String(); got != "" {
			t.Errorf("the zero value of %s prints %q", zero.Type(), got)
		}
	}
}
