package numerals

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// write writes a number as a locale does, with that many digits after the sign, or as
// many as it takes if that is negative.
func write(v float64, decimal, group string, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; group != "" && i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if fraction != "" {
		whole += decimal + fraction
	}
	return sign + whole
}

// TestLocales has tables in all usual ways of writing numbers, in files with
// semicolons: what is read is what was written, or it is refused. With a sign that is
// given nothing is refused.
func TestLocales(t *testing.T) {
	locales := [][2]string{{".", ""}, {".", ","}, {".", "'"}, {".", " "}, {".", "\u202f"}, {",", ""}, {",", "."}, {",", "'"}, {",", " "}, {",", "\u00a0"}}
	refused, right := 0, 0
	for seed := range uint64(20000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		locale := locales[rng.IntN(len(locales))]
		digits, size := rng.IntN(6)-1, []float64{1, 10, 1e3, 1e5, 1e7}[rng.IntN(5)]
		var values []float64
		var fields []string
		var e Evidence
		for range 1 + rng.IntN(12) {
			text := strconv.FormatFloat(size*rng.NormFloat64(), 'f', digits, 64)
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
			fields = append(fields, write(v, locale[0], locale[1], digits))
			e.Add(fields[len(fields)-1])
		}
		given := Given(rune(locale[0][0]), ';')
		found, note, err := e.Style(';')
		for i, field := range fields {
			if kind, v := given.Parse(field); kind != Number || v != values[i] {
				t.Fatalf("%q with %q given: %v, %v, want %v", field, locale[0], kind, v, values[i])
			}
			if err != nil {
				refused++
				continue
			}
			switch kind, v := found.Parse(field); {
			case kind != Number:
				refused++
			case v != values[i]:
				t.Fatalf("%q of %q read as %v, want %v; %+v", field, fields, v, values[i], found)
			default:
				right++
				if strings.ContainsAny(field, ", '") && note == "" {
					t.Fatalf("%q of %q read as %v without a note", field, fields, v)
				}
			}
		}
	}
	t.Logf("%d read, %d refused", right, refused)
	if right < 6*refused {
		t.Errorf("%d read, %d refused", right, refused)
	}
}

// TestParse reads fields of one style.
func TestParse(t *testing.T) {
	point, comma, plain := Given('.', ','), Given(',', ';'), Style{}
	for _, test := range []struct {
		style Style
		field string
		kind  Kind
		value float64
	}{
		{plain, "1.234", Number, 1.234}, {plain, "1,234", Doubtful, 0}, {plain, "1,23", Text, 0}, {plain,
			"1,234.5", Text, 0},
		{plain, " 5 ", Number, 5}, {plain, "1e999", TooLarge, 0},
		{point, "1,234.5", Number, 1234.5}, {point, "1,234,567", Number, 1234567}, {point, "12,34", Text,
			0}, {point, "0,123", Text, 0},
		{point, "1,2345", Text, 0}, {point, "1,234e2", Number, 123400}, {point, "1,234'567", Text,
			0}, {point, ".5", Number, .5}, {point, ".", Missing, 0}, {comma, ".", Missing, 0}, {point, "..", Text, 0},
		{comma, "1,5", Number, 1.5}, {comma, "1.5", Text, 0}, {comma, "1.234", Number, 1234}, {comma,
			"-1.234,5e-1", Number, -123.45},
		{comma, ",5", Number, .5}, {comma, "5,", Number, 5}, {comma, "1,5,5", Text, 0}, {comma, "1 234,5",
			Number, 1234.5}, {comma, "1\u00a0234", Number, 1234},
		{comma, "-", Text, 0}, {comma, ",", Text, 0}, {comma, "1,5e", Text, 0}, {comma, "7", Number,
			7}, {comma, "1.2.2020", Text, 0},
		{Style{Doubt: true}, "1.234", Doubtful, 0}, {Style{Doubt: true}, "1.2345", Number,
			1.2345}, {Style{Doubt: true}, "0.123", Number, .123},
	} {
		if kind, v := test.style.Parse(test.field); kind != test.kind || kind == Number && v != test.value {
			t.Errorf("%q in %+v: %v, %v, want %v, %v", test.field, test.style, kind, v, test.kind, test.value)
		}
	}
	for _, field := range []string{"", "NA", " n/a", "NaN", "null", "none", "<NA>"} {
		for _, style := range []Style{plain, point, comma, {Doubt: true}} {
			if kind, v := style.Parse(field); kind != Missing || v == v {
				t.Errorf("%q: %v, %v", field, kind, v)
			}
		}
	}
	// strconv reads these, and no other program that writes tables.
	for _, field := range []string{"2020_01", "1_0", "1e1_0", "-1_000.5", "0x1p4", "-0X1P-2", "+0x_1p4", "0x1p99999", "0x10"} {
		for _, style := range []Style{plain, point, comma, {Doubt: true}} {
			if kind, v := style.Parse(field); kind != Text {
				t.Errorf("%q: %v, %v", field, kind, v)
			}
		}
	}
	if kind, _ := comma.Parse("-inf"); kind != Infinite {
		t.Errorf("-inf: %v", kind)
	}
}
