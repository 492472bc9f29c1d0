package boxed

import (
	"reflect"
	"testing"
)

// TestPlainValuesAreWrittenAsTheyAre: package json gets large values without boxes
// themselves, and others as copies.
func TestPlainValuesAreWrittenAsTheyAre(t *testing.T) {
	type anys = map[string]any
	box := BoxedValue{Type: &Type{Layout: &Layout{}}, Value: 3}
	self := anys{}
	self["x"] = []anys{self}
	for name, c := range map[string]struct {
		x    any
		same bool
	}{
		"no box":            {anys{"a": []any{1, "x", nil, anys{"b": []float64{1}}}, "c": []anys{{"d": [2]any{}}}}, true},
		"a box":             {anys{"a": []any{1, anys{"b": box}}}, false},
		"an array of one":   {anys{"a": [2]any{1, box}}, false},
		"of other maps":     {anys{"a": map[int][]anys{3: {{"b": box}}}}, false},
		"a pointer to one":  {anys{"a": &[]any{box}}, false},
		"an unnamed struct": {anys{"a": struct{ X any }{box}}, false},
	} {
		like, err := Format("JSON").Likeness(c.x)
		if same := reflect.ValueOf(like).Pointer() == reflect.ValueOf(c.x).Pointer(); err != nil || same != c.same {
			t.Errorf("%s: the same value: %t, want %t (%v)", name, same, c.same, err)
		}
	}
	if _, err := Format("JSON").Likeness(self); err == nil {
		t.Error("a map that contains itself is no error")
	}
}
