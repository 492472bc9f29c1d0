package load

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// array is an NPY file of the given numbers, p x n.
func array(kind, fortran string, p, n int, v []float64) []byte {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n", kind, fortran, p, n)
	var data []byte
	for i := range v {
		x := v[i]
		if fortran == "True" {
			x = v[i%p*n+i/p]
		}
		switch kind {
		case "<f4":
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		case ">f4":
			data = binary.BigEndian.AppendUint32(data, math.Float32bits(float32(x)))
		default:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
	}
	return npyFile(dict, data...)
}

func textOf(p, n int, v []float64) []byte {
	var b bytes.Buffer
	for j := range n {
		fmt.Fprintf(&b, "%sc%d", strings.Repeat(",", min(j, 1)), j+1)
	}
	for i, x := range v {
		b.WriteString(",\n"[1-min(i%n, 1):][:1])
		fmt.Fprint(&b, x)
	}
	return b.Bytes()
}

// Values read as float32 are those read as float64, rounded; all else is the
// same, whatever the format, the columns, the weights and what is missing.
func TestFloat32EqualsFloat64(t *testing.T) {
	slow.Test(t)
	const p, n = 1500, 7 // text is turned over in pieces of 4,096 values
	rng := rand.New(rand.NewPCG(60, 1))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = math.Abs(rng.NormFloat64()) + .1
	}
	gaps := append([]float64(nil), v...)
	for i := 5; i < len(gaps); i += 1001 {
		gaps[i] = math.NaN()
	}
	options := map[string]Options{
		"all":     {},
		"columns": {Columns: []string{"6", "2-3"}},
		"weights": {Columns: []string{"7", "1"}, Weights: "4"},
		"drop":    {Missing: MissingDrop, Weights: "2"},
		"mean":    {Missing: MissingMean},
	}
	for name, o := range options {
		x := v
		if o.Missing != MissingFail {
			x = gaps
		}
		files := map[string][]byte{"csv": textOf(p, n, x)}
		for _, kind := range []string{"<f4", ">f4", "<f8"} {
			for _, fortran := range []string{"True", "False"} {
				files["npy "+kind+" fortran "+fortran] = array(kind, fortran, p, n, x)
			}
		}
		for file, data := range files {
			for _, packed := range []bool{false, true} {
				what := fmt.Sprintf("%s, %s, gzip %v", name, file, packed)
				load := func(single bool) *Set {
					text := string(data)
					if packed {
						text = compressed(text)
					}
					o := o
					o.Float32 = single
					s, err := Read(t.Context(), strings.NewReader(text), "x", file[:3], o)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					return s
				}
				wide, s := load(false), load(true)
				if s.Values != nil || len(s.Values32) != s.P*s.N || s.Bytes()*2 != wide.Bytes() {
					t.Fatalf("%s: %d values and %d of float32 in %d bytes, float64 takes %d", what, len(s.Values), len(s.Values32), s.Bytes(), wide.Bytes())
				}
				for i, x := range wide.Values {
					if s.Values32[i] != float32(x) {
						t.Fatalf("%s: value %d is %g, want %g", what, i, s.Values32[i], x)
					}
				}
				same := file[:3] == "npy" && file[4:7] != "<f8" && o.Missing != MissingMean // all are float32 already
				if got := s.Fingerprint() == wide.Fingerprint(); got != same {
					t.Errorf("%s: the fingerprint is the same: %v", what, got)
				}
				again := *s
				again.Values, again.Values32 = s.Float64(), nil
				if again.Fingerprint() != s.Fingerprint() {
					t.Errorf("%s: the fingerprint is not that of the values", what)
				}
				wide.Values, s.Values32 = nil, nil
				if !reflect.DeepEqual(wide, s) {
					t.Errorf("%s:\n%+v, float64 gives\n%+v", what, s, wide)
				}
			}
		}
	}
}

// A value that a float32 cannot hold is an error that says where it is.
func TestFloat32Overflow(t *testing.T) {
	v := []float64{1, 2, 3, 4, 1e39, 6}
	tests := []struct {
		name, format string
		data         []byte
		o            Options
		want         string
	}{
		{"text", "csv", []byte("a,b\n1,2\n3,-1e39\n"), Options{},
			`x: line 3, column 2 (b): got "-1e39", want a number that a float32 can hold (up to 3.4e+38); keep`},
		{"array", "npy", array("<f8", "False", 3, 2, v), Options{},
			`x: row 3, column 1: got "1e+39", want a number that a float32 can hold`},
		{"chosen", "npy", array("<f8", "False", 3, 2, v), Options{Columns: []string{"2", "1"}},
			`x: row 3, column 1: got "1e+39", want a number that a float32`},
		{"Fortran", "npy", array("<f8", "True", 3, 2, v), Options{Columns: []string{"2", "1"}},
			`x: row 3, column 1: got "1e+39", want a number that a float32`},
		{"infinite", "npy", array("<f4", "False", 3, 2, v), Options{},
			`x: row 3, column 1: got "+Inf", want a finite number`},
		{"infinite text", "csv", []byte("1,2\n3,inf\n"), Options{},
			`x: line 2, column 2: got "inf", want a finite number`},
		{"beyond float64", "csv", []byte("1,2\n3,1e999\n"), Options{}, `want a number that a float64 can hold`},
		{"not chosen", "npy", array("<f8", "False", 3, 2, v), Options{Columns: []string{"2"}}, ""},
		{"a weight", "npy", array("<f8", "False", 3, 2, []float64{1e39, 2, 3e38, 4, 2e39, 6}), Options{Weights: "1"}, ""},
		{"the largest", "csv", []byte("1,3.4028235e38\n3,3.40282356e38\n"), Options{}, ""},
		{"rounds up", "csv", []byte("1,2\n3,3.4028236e38\n"), Options{}, `line 2, column 2: got "3.4028236e38"`},
	}
	for _, tt := range tests {
		tt.o.Float32 = true
		s, err := Read(t.Context(), bytes.NewReader(tt.data), "x", tt.format, tt.o)
		switch {
		case tt.want != "":
			checkErrorHas(t, err, tt.want)
		case err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case len(s.Values32) != s.P*s.N:
			t.Errorf("%s: %d values", tt.name, len(s.Values32))
		}
	}
	_, err := FromRows([][]float64{{1, 2}, {1e300, 4}}, Options{Float32: true})
	checkErrorHas(t, err, `rows: row 2, column 1: got "1e+300", want a number that a float32`)
	for _, text := range []string{array9(math.MaxInt >> 13), array9(0)} {
		if _, err := Read(t.Context(), strings.NewReader(compressed(text)), "x", "", Options{Float32: true}); err == nil {
			t.Error("an array that is not there was read")
		}
	}
}

// array9 is the head of an array of 9 x n numbers of which none is there.
func array9(n int) string {
	return string(npyFile(fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (9, %d), }\n", n)))
}

// Reading as float32 takes the memory of the result, whatever the file has.
func TestFloat32Memory(t *testing.T) {
	const p, n = 40000, 50
	v := make([]float64, p*n)
	for i := range v {
		v[i] = float64(i % 97)
	}
	for _, kind := range []string{"<f4", "<f8"} {
		path := writeFile(t, "x.npy", string(array(kind, "False", p, n, v)))
		before := allocated()
		s, err := Load(t.Context(), path, Options{Float32: true})
		if err != nil {
			t.Fatal(err)
		}
		// 4 bytes each, and buffers of 512 and 256 kB, and little else.
		if got := allocated() - before; got > uint64(s.Bytes())+2<<20 || s.Bytes() != 4*p*n {
			t.Errorf("%s: %d bytes for a result of %d", kind, got, s.Bytes())
		}
	}
}

// Standardized columns are those of float64 to rounding, 6e-8 relative, of
// values of up to 4; the weights count.
func TestFloat32Standardize(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	rows := make([][]float64, 300)
	w := make([]float64, len(rows))
	for i := range rows {
		rows[i] = []float64{1000 * rng.NormFloat64(), 5 + rng.NormFloat64(), 3, 1e-30 * rng.Float64()}
		w[i] = 1 + rng.Float64()
	}
	var both [2]*Set
	for i := range both {
		s, err := FromRows(rows, Options{Float32: i == 1})
		if err == nil {
			s, err = s.WithWeights(w)
		}
		if err == nil {
			both[i], _, err = s.Standardize(t.Context(), false)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range both[0].Values {
		if got := float64(both[1].Values32[i]); !(math.Abs(got-want) <= 1e-5) {
			t.Errorf("value %d: %g, want %g", i, got, want)
		}
	}
	warnings := fmt.Sprint(both[1].Warnings)
	if want := fmt.Sprint(both[0].Warnings); strings.ReplaceAll(warnings, " as float32", "") != want {
		t.Errorf("warnings %s, float64 gives %s", warnings, want)
	}
}

// Values that float32 cannot hold give a warning, also in tables derived later; others give
// none.
func TestFloat32Loses(t *testing.T) {
	const p = 3000
	rng := rand.New(rand.NewPCG(61, 1))
	for _, c := range []struct {
		name string
		of   func(i int) float64
		want string
	}{
		{"normal", func(int) float64 { return 100 + rng.NormFloat64() }, ""},
		{"few ones", func(i int) float64 { return float64(max(0, i-p+2)) }, ""},
		{"two labels", func(i int) float64 { return float64(1 - i%2*2) }, ""},
		{"constant", func(int) float64 { return .1 }, "one column is constant as float32: column 2"},
		{"small", func(int) float64 { return 1e-30 * rng.NormFloat64() }, ""},
		{"some tiny", func(int) float64 { return math.Exp(-100 * rng.Float64()) }, ""},
		{"tiny", func(int) float64 { return 1e-44 * rng.NormFloat64() }, "float32 rounds column 2 to multiples of about 1.4e-45,"},
		{"nothing", func(int) float64 { return 1e-46 * rng.Float64() }, "one column is constant as float32: column 2"},
		{"far", func(int) float64 { return 1e7 + rng.NormFloat64() }, "float32 rounds column 2 to multiples of about 1, and its values are spread over only 1"},
		{"farther", func(int) float64 { return 1e9 + rng.NormFloat64() }, "one column is constant as float32: column 2"},
	} {
		rows, sum, squares := make([][]float64, p), 0., 0.
		for i := range rows {
			v := c.of(i)
			rows[i] = []float64{rng.NormFloat64(), v}
			lost := (v - float64(float32(v)))
			sum, squares = sum+(v-rows[0][1])/p, squares+(v-rows[0][1])*(v-rows[0][1])/p
			// A rounding is at most half a step, and a warning is given from a thousandth of the deviation.
			if i == p-1 && c.want == "" && !(math.Abs(lost) <= 1e-3*math.Sqrt(squares-sum*sum)) {
				t.Fatalf("%s: %g is lost", c.name, lost)
			}
		}
		x, err := FromRows(rows, Options{Float32: true})
		if err != nil {
			t.Fatal(err)
		}
		centered, _, err := x.Standardize(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		standardized, _, err := x.Standardize(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Set{x, centered, standardized} {
			warnings := fmt.Sprint(s.Warnings)
			if s == standardized {
				warnings = strings.ReplaceAll(warnings, " and was set to 0", "")
			}
			if s == centered && strings.Contains(c.want, "constant") {
				continue // it has one of zeros
			}
			if c.want == "" && (strings.Contains(warnings, "float32")) || !strings.Contains(warnings, c.want) {
				t.Errorf("%s: warnings %s, want %q", c.name, warnings, c.want)
			}
		}
		if x, err = FromRows(rows, Options{}); err != nil || strings.Contains(fmt.Sprint(x.Warnings), "float32") {
			t.Errorf("%s: float64 warns %q, %v", c.name, x.Warnings, err)
		}
	}
}
