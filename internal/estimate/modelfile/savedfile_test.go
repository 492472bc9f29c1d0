package modelfile

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestRoundTripAsJSON: the numbers that programs in other languages would read in another way are
// written in the one that all read alike.
func TestRoundTripAsJSON(t *testing.T) {
	kind := Kind{What: "thing", Format: "symmom-thing", Version: 1}
	type thing struct {
		Head
		X    []float64 `json:"x"`
		Y    float64   `json:"y"`
		Text []string  `json:"text"`
		None []string  `json:"none"`
	}
	minus := math.Copysign(0, -1)
	want := thing{kind.Head(), []float64{0, minus, 1, 5e-324, 1e21, -1e-7, math.MaxFloat64, minus}, minus, []string{"null", " -0", "-0,\n -0\n"}, nil}
	path := filepath.Join(t.TempDir(), "x.json")
	if err := kind.Write(t.Context(), path, want); err != nil {
		t.Fatal(err)
	}
	var got thing
	if err := kind.Read(t.Context(), path, &got, &got.Head); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for i, v := range append(want.X, want.Y) {
		if math.Signbit(v) != math.Signbit(append(got.X, got.Y)[i]) {
			t.Errorf("number %d lost its sign", i)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), " -0.0") != 3 || strings.Count(string(text), "-0") != 6 {
		t.Errorf("%v in\n%s", err, text)
	}
}

func TestNull(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":[1,2],"b":null}`: false, `{"a":["null"]}`: false, `[{"null":null}]`: false, `null`: false,
		`{"a":[1,null]}`: true, `{"a":[[1],[null]]}`: true, `{"a":{"b":[{"c":1},null]}}`: true,
	} {
		if (misread([]byte(text), &struct{}{}) != "") != want {
			t.Errorf("%s: want %v", text, want)
		}
	}
}
