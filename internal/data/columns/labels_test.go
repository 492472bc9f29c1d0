package columns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestReader(t *testing.T) {
	r := &Reader{Name: "kind"}
	for _, field := range []string{"b", " a ", "10", "NA", "9", "", "b", "a"} {
		if err := r.Add([]byte(field)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.AddNumber(2.5); err != nil {
		t.Fatal(err)
	}
	c := r.Column(nil)
	if want := []string{"2.5", "9", "10", "a", "b", Missing}; !slices.Equal(c.Names, want) {
		t.Errorf("names %q, want %q", c.Names, want)
	}
	if want := []uint16{4, 3, 2, 5, 1, 5, 4, 3, 0}; !slices.Equal(c.Codes, want) {
		t.Errorf("codes %d, want %d", c.Codes, want)
	}
	if want := []int{1, 1, 1, 2, 2, 2}; !slices.Equal(c.Counts(), want) {
		t.Errorf("counts %d, want %d", c.Counts(), want)
	}
	if c.MissingGroup() != 5 || c.Of(3) != Missing || c.Name != "kind" {
		t.Errorf("missing group %d, %q", c.MissingGroup(), c.Of(3))
	}

	// Rows that are dropped have no group.
	if c := r.Column([]int{1, 6, 7}); !slices.Equal(c.Names, []string{"a", "b"}) || !slices.Equal(c.Codes, []uint16{0, 1, 0}) || c.MissingGroup() != -1 {
		t.Errorf("kept: %+v", c)
	}
	for _, l := range []int{3, 5, 8} {
		r.Drop(l)
	}
	if c := r.Column(nil); !slices.Equal(c.Names, []string{"9", "10", "a", "b"}) || !slices.Equal(c.Codes, []uint16{3, 2, 1, 0, 3, 2}) {
		t.Errorf("dropped: %+v", c)
	}
}

func TestReaderRefuses(t *testing.T) {
	r := &Reader{}
	for i := range Most {
		if err := r.Add(fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add([]byte("999")); err != nil {
		t.Errorf("one that is known: %v", err)
	}
	if err := r.AddText([]byte("x")); err == nil || !strings.Contains(err.Error(), "labels name groups") {
		t.Errorf("one too many: %v", err)
	}
	if err := new(Reader).Add([]byte("\xff")); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("not UTF-8: %v", err)
	}
}

func TestAppend(t *testing.T) {
	of := func(labels ...string) *Column {
		r := &Reader{Name: "kind"}
		for _, l := range labels {
			if err := r.AddText([]byte(l)); err != nil {
				t.Fatal(err)
			}
		}
		return r.Column(nil)
	}
	for _, c := range []struct {
		a    *Column
		p    int
		b    *Column
		m    int
		want string
	}{
		{of("b", "", "b"), 3, of("a", "b"), 2, "b (missing) b a b"},
		{of("b"), 1, nil, 2, "b (missing) (missing)"},
		{nil, 2, of("a"), 1, "(missing) (missing) a"},
	} {
		got, err := Append(c.a, c.p, c.b, c.m)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for l := range got.Codes {
			all = append(all, got.Of(l))
		}
		if s := strings.Join(all, " "); s != c.want || got.Name != "kind" {
			t.Errorf("%s: %q, want %q", got.Name, s, c.want)
		}
	}
	if got, err := Append(nil, 1, nil, 1); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
