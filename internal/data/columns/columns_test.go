package columns

import (
	"strings"
	"testing"
)

// A range is of numbers or of names, which may have hyphens and be numbers themselves.
func TestResolve(t *testing.T) {
	names := []string{"id", "pixel0", "pixel1", "pixel2", "a-b", "7", "twice", "twice", "", "e[0]", "e[1]", "e[2]", "l[0]", "l[0]"}
	for want, place := range map[string][2]int{
		"pixel1":           {2, 2},
		"2-4":              {1, 3},
		"2..4":             {1, 3},
		"pixel0 .. pixel2": {1, 3},
		"pixel1..a-b":      {2, 4},
		"4..2":             {-1, -1},
		"pixel0-pixel2":    {1, 3},
		" pixel0 - 7 ":     {1, 5},
		"pixel1-a-b":       {2, 4},
		"a-b":              {4, 4},
		"a-b-7":            {4, 5},
		"7":                {5, 5},
		"column 9":         {8, 8},
		"pixel2-pixel0":    {-1, -1},
		"pixel0-twice":     {-1, -1},
		"pixel0-":          {-1, -1},
		"pixel0-pixel9":    {-1, -1},
		"größe-pixel2":     {-1, -1},
		"2-pixel2-pixel1":  {-1, -1},
		"e":                {9, 11}, // a list
		"e[1]":             {10, 10},
		"pixel2..e":        {3, 11},
		"l":                {-1, -1}, // two of them
		"pixel":            {-1, -1},
	} {
		from, to, err := Resolve("x.csv", "column", want, names, PlacesOf(names), len(names))
		if err == nil && [2]int{from, to} != place || (err != nil) != (place[0] < 0) {
			t.Errorf("%q: %d to %d, %v, want %v", want, from, to, err, place)
		}
	}
}

// A message has the names that may be asked for.
func TestUnknown(t *testing.T) {
	names := []string{"", "b"}
	_, _, err := Resolve("x.csv", "column", "c", names, PlacesOf(names), len(names))
	if err == nil || !strings.HasSuffix(err.Error(), `unknown; the columns are "column 1", "b"`) {
		t.Error(err)
	}
}
