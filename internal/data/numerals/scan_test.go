package numerals

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// checkScan compares with strconv, alone and before other text, and reports whether
// the number was read.
func checkScan(t *testing.T, text string) bool {
	t.Helper()
	c, _ := Style{}.Scanner()
	for _, after := range []string{"", ",1.25,17,0.3712", "\r\n", ",", ".", "x", "7", "e", "_1", " ", "\xff"} {
		v, k := c.Scan([]byte(text + after))
		if k == 0 {
			continue
		}
		if after != "" && strings.Contains("0123456789.eE", after[:1]) && k > len(text) {
			continue // it goes on; compared in other texts
		}
		want, err := strconv.ParseFloat((text + after)[:k], 64)
		if err != nil || math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%q of %q: %v (%x), strconv %v (%x), %v", (text + after)[:k], text+after, v, math.Float64bits(v), want, math.Float64bits(want), err)
		}
	}
	v, k := c.Scan([]byte(text))
	if k != 0 && k != len(text) {
		if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "xX_pP") {
			t.Fatalf("%q: read up to %d, %v", text, k, v)
		}
	}
	return k == len(text) && k > 0
}

// TestScan compares Scan with strconv: all bits, and nearly all usual numbers are read.
func TestScan(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(5, 5))
	digits := func(k int) string {
		b := make([]byte, k)
		for i := range b {
			b[i] = '0' + byte(rng.IntN(10))
		}
		return string(b)
	}
	anyBits := func() float64 {
		for {
			if v := math.Float64frombits(rng.Uint64()); v-v == 0 {
				return v
			}
		}
	}
	for _, test := range []struct {
		name  string
		least float64 // share of those that are read
		make  func() string
	}{
		{"normal, shortest", .99, func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64) }},
		{"normal, 17 digits", .98, func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 17, 64) }},
		{"normal, %.18e of savetxt", .98, func() string { return fmt.Sprintf("%.18e", rng.NormFloat64()) }},
		{"normal, few digits", 1, func() string { return strconv.FormatFloat(100*rng.NormFloat64(), 'f', rng.IntN(8), 64) }},
		{"float32", .99, func() string { return strconv.FormatFloat(float64(float32(rng.NormFloat64())), 'g', -1, 32) }},
		{"any bits, shortest", .98, func() string { return strconv.FormatFloat(anyBits(), 'g', -1, 64) }},
		{"any bits, 17 digits", .98, func() string { return strconv.FormatFloat(anyBits(), 'e', 16, 64) }},
		{"any bits, 19 digits", .98, func() string { return strconv.FormatFloat(anyBits(), 'e', 18, 64) }},
		{"any bits, 25 digits", 0, func() string { return strconv.FormatFloat(anyBits(), 'e', 24, 64) }},
		{"subnormal", 0, func() string { return strconv.FormatFloat(math.Float64frombits(rng.Uint64()>>12), 'g', -1, 64) }},
		{"near the largest", 0, func() string { return digits(1) + "." + digits(16) + "e+30" + digits(1) }},
		{"whole", .98, func() string { return strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10) }},
		{"digits", .9, func() string {
			return []string{"", "-", "+"}[rng.IntN(3)] + digits(1+rng.IntN(3)) + "." + digits(1+rng.IntN(16))
		}},
		{"digits, exponent", .5, func() string {
			return digits(1+rng.IntN(9)) + "." + digits(1+rng.IntN(14)) + "eE"[rng.IntN(2):][:1] + []string{"", "-", "+"}[rng.IntN(3)] + strconv.Itoa(rng.IntN(360))
		}},
		{"zeros before", .9, func() string { return "0." + strings.Repeat("0", rng.IntN(8)) + digits(1+rng.IntN(12)) }},
		{"half way", 0, func() string { // between two floats, exactly or a little beside
			v := math.Abs(rng.NormFloat64())
			if rng.IntN(2) == 0 {
				v = float64(rng.Uint64()>>11) * math.Ldexp(1, rng.IntN(12)-6)
			}
			b := new(big.Float).SetPrec(200).SetFloat64(v)
			b.Add(b, new(big.Float).SetFloat64(math.Nextafter(v, math.Inf(1))))
			return b.Quo(b, big.NewFloat(2)).Text('g', 16+rng.IntN(6))
		}},
		{"noise", 0, func() string {
			b := make([]byte, rng.IntN(24))
			for i := range b {
				b[i] = "0123456789.eE+-,x_ \n\xff"[rng.IntN(21)]
			}
			return string(b)
		}},
	} {
		read := 0
		const trials = 40000
		for range trials {
			if checkScan(t, test.make()) {
				read++
			}
		}
		if share := float64(read) / trials; share < test.least {
			t.Errorf("%s: %.4f were read, want %.2f", test.name, share, test.least)
		}
	}
}

// TestScanPowers has each power of ten with mantissas of all lengths.
func TestScanPowers(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for e := -360; e <= 330; e++ {
		for range 200 {
			checkScan(t, fmt.Sprintf("%de%d", rng.Uint64()>>rng.IntN(64), e))
		}
	}
}

// TestScanComma has another decimal sign.
func TestScanComma(t *testing.T) {
	c, ok := Given(',', ';').Scanner()
	if !ok {
		t.Fatal("no scanner")
	}
	for text, want := range map[string]int{"-1,5;2": 4, "1.5": 1, "17": 2, "0,25e-1;": 7, ",5": 0, "5,": 0, "": 0, "-": 0, "5,e3": 0, "1e": 0, "1e+": 0} {
		if _, k := c.Scan([]byte(text)); k != want {
			t.Errorf("%q: length %d, want %d", text, k, want)
		}
	}
	if _, ok := (Style{Doubt: true}).Scanner(); ok {
		t.Error("a number that can be read in two ways has a scanner")
	}
}

// FuzzScan: what Scan reads, strconv reads with the same bits.
func FuzzScan(f *testing.F) {
	for _, text := range []string{"1", "-0.5", "0.8076765095211573", "9007199254740993", "1.7976931348623159e308", "2.2250738585072011e-308", "1e-400", "00.1e+05", "0x1p-2", "1_0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkScan(t, text) })
}

func BenchmarkScan(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 7))
	var text []byte
	for len(text) < 1<<16 {
		text = append(strconv.AppendFloat(text, rng.NormFloat64(), 'g', -1, 64), ',')
	}
	c, _ := Style{}.Scanner()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for rest := text; len(rest) > 0; {
			_, k := c.Scan(rest)
			if k == 0 {
				for k < len(rest) && rest[k] != ',' {
					k++
				}
			}
			rest = rest[k+1:]
		}
	}
}

func BenchmarkPowersOfTen(b *testing.B) {
	for b.Loop() {
		makePowers()
	}
}
