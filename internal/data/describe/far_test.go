package describe

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"symmom/internal/data/columnar"
	"symmom/internal/data/load"
)

// The columns of a Parquet file on the web are described as they are, and not each of them
// asked for by itself.
func TestFarColumns(t *testing.T) {
	const columns, rows, parts = 60, 9000, 3 // chunks too large for one request to bring several of them by itself
	rng := rand.New(rand.NewPCG(9, 2))
	names := make([]string, columns)
	for j := range names {
		names[j] = fmt.Sprint("v", j)
	}
	var file bytes.Buffer
	w, err := columnar.NewWriter(&file, "parquet", names, false)
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for range parts {
		part := make([]float64, rows*columns)
		for i := range part {
			switch part[i] = rng.NormFloat64(); rng.IntN(3000) {
			case 0:
				part[i] = math.NaN()
			case 1:
				part[i] = math.Inf(1)
			}
		}
		if err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		values = append(values, part...)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("ETag", `"one"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.Bytes()))
	}))
	defer s.Close()
	got, err := File(t.Context(), s.URL+"/x.parquet", load.Options{})
	if err != nil || got.Rows != rows*parts || len(got.Columns) != columns {
		t.Fatal(got, err)
	}
	for j, c := range got.Columns {
		want := Column{Name: names[j], Min: math.Inf(1), Max: math.Inf(-1)}
		for i := range rows * parts {
			switch v := values[i*columns+j]; {
			case v != v:
				want.Missing++
			case math.IsInf(v, 0):
				if want.NotFinite++; want.NotFinite == 1 {
					want.OddRow = i + 1
				}
			default:
				want.Min, want.Max = min(want.Min, v), max(want.Max, v)
			}
		}
		if c.Name != want.Name || c.Kind != Number || c.Missing != want.Missing || c.NotFinite != want.NotFinite || c.OddRow != want.OddRow || c.Min != want.Min || c.Max != want.Max {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
	// one for the size, two for the first bytes and the last, and of each part one for
	// eight columns
	if most := int64(3 + parts*(columns+7)/8 + parts); asked.Load() > most {
		t.Errorf("%d requests, want at most %d", asked.Load(), most)
	}
}
