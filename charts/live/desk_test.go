package live

import (
	"testing"

	"symmom/symmom"
)

// The warnings are those of the table as it is fitted: standardized, its columns are
// of one scale.
func TestWarningsOfTheShapedTable(t *testing.T) {
	s := symmom.FromRows([][]float64{{1, 2e6}, {2, 1e6}, {4, 5e6}, {3, 7e6}})
	for name, shape := range map[string]func(*symmom.Session, string) *symmom.Session{
		string(symmom.WarnScales): func(s *symmom.Session, _ string) *symmom.Session { return s },
		"":                        func(s *symmom.Session, _ string) *symmom.Session { return s.Standardize() },
	} {
		d := &Desk{Base: s, Shape: shape}
		if err := d.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got string
		for _, w := range d.Warnings() {
			got += string(w.Code)
		}
		if got != name {
			t.Errorf("warns of %q, want %q", got, name)
		}
	}
}
