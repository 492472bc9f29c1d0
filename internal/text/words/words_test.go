package words

import (
	"math"
	"strings"
	"testing"
	"time"
)

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0), "0"}, {Count(12), "12"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Count(1234567), "1,234,567"},
		{Count(-12), "-12"}, {Count(-123), "-123"}, {Count(-1234), "-1,234"},
		{Plural(0, "start"), "0 starts"}, {Plural(1, "start"), "1 start"}, {Plural(2000, "start"), "2,000 starts"},
		{PlusMinus(.01234), " ± 0.012"}, {PlusMinus(0), " ± 0"}, {PlusMinus(math.Inf(1)), " ± ?"},
		{Plural(3, "pass"), "3 passes"}, {Plural(1, "pass"), "1 pass"},
		{Duration(seconds(0)), "0 ms"}, {Duration(seconds(.0000123)),
			"0.0123 ms"}, {Duration(seconds(.0004)), "0.4 ms"}, {Duration(seconds(.0123)), "12.3 ms"},
		{Duration(seconds(.344)), "344 ms"}, {Duration(seconds(.9994)), "999 ms"}, {Duration(seconds(.9996)), "1 s"},
		{Duration(seconds(2.345)), "2.35 s"}, {Duration(seconds(119.4)),
			"119 s"}, {Duration(seconds(119.6)), "2 min 00 s"},
		{Duration(seconds(125)), "2 min 05 s"}, {Duration(seconds(179.6)),
			"3 min 00 s"}, {Duration(seconds(7384)), "123 min 04 s"},
		{Value(100001), "100001"}, {Value(-20261127), "-20261127"}, {Value(100000.5), "1e+05"}, {Value(3.14159265), "3.1416"},
		{Value(0), "0"}, {Value(1e12), "1e+12"}, {Value(math.Inf(1)), "+Inf"}, {Value(math.NaN()), "NaN"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0%", 1: "100%", .0317: "3.17%", .5: "50%", .9991: "99.9%", .9996: "99.96%", .999994: "99.9994%", 1 - 1e-16: "100%", 1.0004: "100%",
		3.25: "325%", 172.13: "17,213%", -12.5: "-1,250%", 1e-9: "1e-07%", 3e15: "3e+17%"} {
		if got := Percent(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}

func TestAligned(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want string
	}{
		{[]float64{5.1, 3, -0.2}, "5.1 3.0 -0.2"},
		{[]float64{.70312, -.00001, .5}, "0.7031 0.0000 0.5000"},
		{[]float64{5906.337, 3}, "5906 3"},
		{[]float64{5906337, 3.5}, "5906337 4"},
		{[]float64{0, math.Copysign(0, -1)}, "0 0"},
		{[]float64{2e-9, 1e-12}, "2e-09 1e-12"},
		{[]float64{3e14, 1}, "3e+14 1"},
		{[]float64{math.NaN(), math.Inf(1), 1.5}, "NaN +Inf 1.5"},
		{nil, ""},
	} {
		if got := strings.Join(Aligned(c.in), " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestFileSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 640: "640 B", 71241: "71.2 kB", 1_168_000: "1.2 MB", 5_000_000_000: "5.0 GB"} {
		if got := FileSize(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	for x, want := range map[float64]string{1000: "1000", 12345: "12300", .98765: "0.988", 2: "2", 1e-7: "1e-07", math.Inf(1): "+Inf"} {
		if got := Brief(x); got != want {
			t.Errorf("%g: %s, want %s", x, got, want)
		}
	}
}
