package load

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var nan = math.NaN()

func TestMissingSpellings(t *testing.T) {
	for _, word := range []string{"", "NA", "na", "N/A", "#N/A", "NaN", "nan", "NAN", "-nan", "<NA>", "null", "NULL", "None", " NA ",
		".", " . ", "?", `\N`, "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "#N/A N/A"} {
		s, err := readText(t, "a,b\n1,2\n"+word+",4\n", Options{Missing: MissingDrop})
		if err != nil {
			t.Errorf("%q: %v", word, err)
		} else if s.P != 1 || s.Dropped != 1 {
			t.Errorf("%q: %d rows left, %d dropped", word, s.P, s.Dropped)
		}
	}
	for _, word := range []string{"missing", "-", "nana", "x", "..", "??", ".a", `\`, `\n`, "#DIV/0!", "1.#INF"} {
		if _, err := readText(t, "a,b\n1,2\n"+word+",4\n", Options{Missing: MissingDrop}); err == nil {
			t.Errorf("%q passed for a missing value", word)
		}
	}
}

func TestMissingTreatments(t *testing.T) {
	rows := [][]float64{{1, nan, 3}, {2, 5, 4}, {nan, nan, 5}, {6, 7, 9}}
	_, err := FromRows(rows, Options{})
	var missing *MissingError
	if !errors.As(err, &missing) {
		t.Fatalf("got %v", err)
	}
	if want := []ColumnCount{{Column: 1, Count: 1}, {Column: 2, Count: 2}}; !slices.Equal(missing.Counts, want) {
		t.Errorf("counts %v, want %v", missing.Counts, want)
	}
	checkError(t, err, "rows: 3 missing values: column 1 (1), column 2 (2); drop those rows, fill with the column mean, or choose other columns")

	s, err := FromRows(rows, Options{Missing: MissingDrop})
	if err != nil {
		t.Fatal(err)
	}
	if s.P != 2 || s.Dropped != 2 || s.Filled != 0 || !slices.Equal(s.Values, []float64{2, 5, 4, 6, 7, 9}) {
		t.Errorf("drop: %+v", s)
	}
	s, err = FromRows(rows, Options{Missing: MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	if s.P != 4 || s.Dropped != 0 || s.Filled != 3 || !slices.Equal(s.Values, []float64{1, 6, 3, 2, 5, 4, 3, 6, 5, 6, 7, 9}) {
		t.Errorf("mean: %+v", s)
	}
	if rows[0][1] == rows[0][1] {
		t.Error("the caller's rows were changed")
	}

	// The selection and the number of its source column go into the message.
	_, err = FromRows(rows, Options{Columns: []string{"3", "2"}})
	checkErrorHas(t, err, "2 missing values: column 2 (2);")
	if _, err = FromRows(rows, Options{Columns: []string{"3"}}); err != nil {
		t.Errorf("nothing is missing in column 3: %v", err)
	}
	_, err = FromRows([][]float64{{1, nan}, {nan, 2}}, Options{Missing: MissingDrop})
	checkError(t, err, "rows: each of the 2 rows has a missing value, so dropping them leaves nothing; fill with the column mean, or choose other columns")
	_, err = FromRows([][]float64{{1, nan}, {3, nan}}, Options{Missing: MissingMean})
	checkError(t, err, "rows: column 2 has no value at all, so it has no mean; leave the column out")
	_, err = FromRows([][]float64{{1, nan}}, Options{})
	checkErrorHas(t, err, "rows: 1 missing value: column 2 (1);")
	_, err = FromRows([][]float64{{nan, 1}, {1, math.Inf(1)}}, Options{Missing: MissingDrop})
	checkErrorHas(t, err, `rows: row 2, column 2: got "+Inf"`)
}

// The mean of values near the largest float64 does not overflow.
func TestMissingMeanOfLargeValues(t *testing.T) {
	const big = math.MaxFloat64
	s, err := FromRows([][]float64{{big}, {-big}, {big}, {nan}}, Options{Missing: MissingMean})
	if err != nil {
		t.Fatal(err)
	}
	// Three steps of rounding in the running mean: a few units in the last place.
	if got := s.Values[3]; !(math.Abs(got-big/3) <= 4*0x1p-53*big) {
		t.Errorf("mean %v, want %v", got, big/3.)
	}
}

// TestMissingProperty: dropping equals leaving the rows out beforehand, with the
// weights too, and filling changes nothing else.
func TestMissingProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		p, n := 2+rng.IntN(20), 1+rng.IntN(5)
		var rows, whole [][]float64
		weights, left := make([]float64, p), []float64(nil)
		for i := range p {
			row, ok := make([]float64, n), true
			for j := range row {
				row[j] = rng.NormFloat64()
				if i > 0 && rng.IntN(8) == 0 {
					row[j], ok = nan, false
				}
			}
			weights[i] = rng.ExpFloat64() + .01
			rows = append(rows, row)
			if ok {
				whole, left = append(whole, row), append(left, weights[i])
			}
		}
		want, err := FromRows(whole, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := FromRows(rows, Options{Missing: MissingDrop})
		if err != nil {
			t.Fatal(err)
		}
		if want, err = want.WithWeights(left); err != nil {
			t.Fatal(err)
		}
		for _, w := range [][]float64{left, weights} { // for the rows left, and for those of the source
			g, err := got.WithWeights(w)
			if err != nil {
				t.Fatal(err)
			}
			if g.Fingerprint() != want.Fingerprint() || g.Dropped != p-len(whole) {
				t.Fatalf("%v: got %+v, want %+v", rows, g, want)
			}
		}
		filled, err := FromRows(rows, Options{Missing: MissingMean})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for j, v := range row {
				if v == v && filled.Values[i*n+j] != v {
					t.Fatalf("filling changed row %d, column %d", i+1, j+1)
				}
			}
		}
	}
}

func TestMissingString(t *testing.T) {
	for m, want := range map[Missing]string{MissingFail: "error", MissingDrop: "drop", MissingMean: "mean"} {
		if m.String() != want {
			t.Errorf("%d is called %q, want %q", m, m, want)
		}
	}
}

// TestMissingStops: looking for missing values honours the context.
func TestMissingStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	tab := &table{source: "x", p: 2, n: 1, values: []float64{1, nan}}
	if _, err := tab.set(ctx, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	s := &Set{Info: Info{P: 2, N: 1}, Values: tab.values}
	if _, err := tab.treatMissing(ctx, s, Options{Missing: MissingDrop}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
