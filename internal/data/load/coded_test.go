package load

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/columns"
	"symmom/internal/test/slow"
)

// In tables of text a code is what an empty cell is: the same numbers, weights, labels and
// counts come of both, on all ways of reading them.
func TestCodesOfText(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(17, 1))
	refused, reported := 0, 0
	for seed := range 300 {
		n, p := 3+rng.IntN(4), 3+rng.IntN(60)
		decimal := []string{".", ","}[rng.IntN(2)]
		list, err := columns.Parse([]string{"-99", "c1=7", "c2-c3=refused", "=x=y", "-0.5", "NA", "-99.0", "c1=-99"})
		if err != nil || len(list) != 5 {
			t.Fatal(list, err)
		}
		cells := map[string][]int{} // by code, how many of each column
		var coded, empty strings.Builder
		rows := func(header bool) {
			line := make([]string, n)
			bare := make([]string, n)
			for j := range line {
				line[j] = strings.Replace(fmt.Sprintf("%.3f", 1+rng.Float64()), ".", decimal, 1)
				if bare[j] = line[j]; header {
					line[j] = fmt.Sprintf("c%d", j+1)
					bare[j] = line[j]
					continue
				}
				of := map[string]string{"-99": "-99", " -99.00": "-99", "-9.9e1": "-99", "x=y": "=x=y", "-.5": "-0.5"}
				if j == 0 {
					of["7"], of["7.0"] = "c1=7", "c1=7"
				} else if j < 3 {
					of["refused"] = "c2-c3=refused"
				}
				if rng.IntN(12) == 0 {
					fields := make([]string, 0, len(of))
					for field := range of {
						fields = append(fields, field)
					}
					slices.Sort(fields)
					field := fields[rng.IntN(len(fields))]
					if cells[of[field]] == nil {
						cells[of[field]] = make([]int, n)
					}
					cells[of[field]][j]++
					line[j], bare[j] = strings.Replace(field, ".", decimal, 1), ""
					if rng.IntN(3) == 0 {
						line[j] = `"` + line[j] + `"`
					}
				}
			}
			coded.WriteString(strings.Join(line, ";") + "\n")
			empty.WriteString(strings.Join(bare, ";") + "\n")
		}
		rows(true)
		for range p {
			rows(false)
		}
		o := Options{Missing: Missing(rng.IntN(3)), Float32: rng.IntN(2) == 0, Decimal: rune(decimal[0]), Delimiter: ';', piece: []int{-1, 0, 20}[rng.IntN(3)]}
		switch rng.IntN(4) {
		case 0:
			o.Weights = "c1"
		case 1:
			o.Labels = "c2"
		case 2:
			o.Labels = "c1"
		}
		want, wrong := readText(t, empty.String(), o)
		o.Codes = list
		got, err := readText(t, coded.String(), o)
		if wrong != nil {
			refused++
			if err == nil || strings.ReplaceAll(err.Error(), "got \"-99\"", "got \"\"") != wrong.Error() && !strings.Contains(err.Error(), "weight") {
				t.Fatalf("seed %d: %v, want %v\n%s", seed, err, wrong, &coded)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, &coded)
		}
		if got.Fingerprint() != want.Fingerprint() || got.Dropped != want.Dropped || got.Filled != want.Filled || fmt.Sprint(got.Labels) != fmt.Sprint(want.Labels) {
			t.Fatalf("seed %d, %+v: %v %v, want %v %v\n%s", seed, o, got.Float64(), got.Info, want.Float64(), want.Info, &coded)
		}
		notes := strings.Join(texts(got.Notes), "\n")
		for _, code := range list {
			total := 0
			for _, k := range cells[code.String()] {
				total += k
			}
			if total == 0 {
				if i := strings.Index(notes, "not among"); i < 0 || !strings.Contains(notes[max(0, i-100):], fmt.Sprintf("%q", code)) {
					t.Fatalf("seed %d: no note of %s: %s", seed, code, notes)
				}
				continue
			}
			reported++
			if !strings.Contains(notes, fmt.Sprintf("%q in %d cell", code, total)) {
				t.Fatalf("seed %d: %s in %v: %s\n%s", seed, code, cells[code.String()], notes, &coded)
			}
			for j, k := range cells[code.String()] {
				if k > 0 && !strings.Contains(notes, fmt.Sprintf("c%d: %d", j+1, k)) {
					t.Fatalf("seed %d: %s in %v: %s", seed, code, cells[code.String()], notes)
				}
			}
		}
		if o.Missing == MissingMean || o.Float32 {
			continue
		}
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(coded.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		checkStream(t, path, o, got)
	}
	if refused < 20 || reported < 300 {
		t.Errorf("%d refused, %d codes reported", refused, reported)
	}
}

// In every format a code is what NaN is, in the values that are read, also of a float32 that
// is nearest to it.
func TestCodesOfNumbers(t *testing.T) {
	const p, n = 40, 3
	rng := rand.New(rand.NewPCG(5, 2))
	values, gaps := make([]float64, p*n), make([]float64, p*n)
	counts := map[string]int{}
	for i := range values {
		values[i] = 1 + rng.Float64()
		gaps[i] = values[i]
		j := i % n
		switch rng.IntN(9) {
		case 0:
			values[i], gaps[i] = -99.9, math.NaN()
			counts["-99.9"]++
		case 1:
			if values[i] = 8; j == 1 {
				gaps[i] = math.NaN()
				counts["2=8"]++
			} else {
				gaps[i] = 8
			}
		}
	}
	list, err := columns.Parse([]string{"-99.9", "2=8", "refused", "3=4"})
	if err != nil {
		t.Fatal(err)
	}
	without := everyFormat(t, gaps, p, n)
	for name, data := range everyFormat(t, values, p, n) {
		for _, o := range []Options{{}, {Float32: true}, {Columns: []string{"3", "2"}}, {Columns: []string{"2"}, Float32: true, Labels: "1"}} {
			o.Missing, o.Sparse = MissingDrop, true
			format := name
			if format == "quoted" {
				format = "csv"
			}
			want, err := Read(t.Context(), bytes.NewReader(without[name]), "x", format, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			o.Codes = list
			got, err := Read(t.Context(), bytes.NewReader(data), "x", format, o)
			if err != nil {
				t.Fatalf("%s, %+v: %v", name, o, err)
			}
			if want.Sparse != nil || got.Dropped == 0 || !slices.Equal(got.Float64(), want.Float64()) || got.Dropped != want.Dropped {
				t.Fatalf("%s, %+v: %v %v, want %v %v", name, o, got.Float64(), got.Info, want.Float64(), want.Info)
			}
			notes := strings.Join(texts(got.Notes), "\n")
			if o.Columns == nil {
				for code, k := range counts {
					if !strings.Contains(notes, fmt.Sprintf("%q in %d cell", code, k)) {
						t.Errorf("%s: %s in %d cells: %s", name, code, k, notes)
					}
				}
			}
			if !strings.Contains(notes, `"refused", "3=4" are not among`) {
				t.Errorf("%s: %s", name, notes)
			}
		}
	}
	// An infinity that is a code is none; one in float32 is the nearest number.
	list, err = columns.Parse([]string{"inf", "-99.9"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(t.Context(), bytes.NewReader(array("<f4", "False", 2, 2, []float64{1, 2, math.Inf(1), -99.9})), "x", "", Options{Codes: list, Missing: MissingDrop})
	if err != nil || s.P != 1 || s.Dropped != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	// A code of a column that is not there is an error with the names.
	list, _ = columns.Parse([]string{"agee=-99"})
	_, err = readText(t, "age,income\n1,2\n3,4\n", Options{Codes: list})
	checkErrorHas(t, err, `column of a code of missing values "agee": unknown; the columns are "age", "income"`)
}

// A text code does not make a column one of text, nor a line of numbers a header.
func TestCodesAreNoText(t *testing.T) {
	list, err := columns.Parse([]string{"refused", "sex=-9"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = readText(t, "age,sex,income\nrefused,f,1,5\n", Options{Codes: list})
	checkErrorHas(t, err, "got 4 fields, want 3")
	s, err := readText(t, "age;sex;income\nrefused;f;1,5\n3;-9;refused\n4;m;2,25\n", Options{Codes: list, Missing: MissingDrop})
	if err != nil || s.N != 2 || !slices.Equal(s.Values, []float64{4, 2.25}) {
		t.Errorf("%+v, %v", s, err)
	}
	list = list[:1]
	s, err = readText(t, "1,refused,2\n3,4,5\n6,7,8\n", Options{Codes: list, Missing: MissingDrop})
	if err != nil || !slices.Equal(s.Values, []float64{3, 4, 5, 6, 7, 8}) {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = readText(t, "refused,sex\n3,4\n6,7\n", Options{Codes: list})
	if err != nil || s.Names[0] != "refused" {
		t.Errorf("%+v, %v", s, err)
	}
}
