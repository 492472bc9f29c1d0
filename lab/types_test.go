package lab

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestOwnTypesInCells declares a variable, a slice, a function and a struct of every type
// of the packages that a session imports. None is an alias of a type of another package, whose
// fields documentation would not show.
func TestOwnTypesInCells(t *testing.T) {
	s := newSession(t)
	for _, pkg := range []string{"symmom/symmom", "symmom/charts", "symmom/datasets"} {
		table := Library().Symbols[pkg+"/"+path.Base(pkg)]
		if len(table) < 5 {
			t.Fatalf("%s has %d names: this test looks at nothing", pkg, len(table))
		}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			v := table[name]
			if v.Kind() != reflect.Pointer || !v.IsNil() || strings.HasPrefix(name, "_") {
				continue
			}
			if v.Type().Elem().PkgPath() != pkg {
				t.Errorf("%s.%s is a type of %s: its documentation shows no fields", pkg, name, v.Type().Elem().PkgPath())
			}
			full := path.Base(pkg) + "." + name
			s.must(t, fmt.Sprintf("var v %[1]s\nw := []%[1]s{v}\nfunc f(x %[1]s) %[1]s { return x }\ntype holder struct{ X *%[1]s }\nlen(w) + len([]holder{{&v}})\n_ = f(v)", full))
		}
	}
	// Values that functions return, and constants.
	for cell, want := range map[string]string{
		"m := symmom.FromRows([][]float64{{1, 2}, {3, 5}}).Moment(3).Decompose(1)\nd := m.Model.Diagnostics()\nlen(d.Shares)": "1",
		"w := symmom.FromRows([][]float64{{0, 0}, {0, 0}}).Warnings()\nw[0].Code == symmom.WarnZero":                          "true",
		"p := symmom.PhaseNorm\np": "norm",
	} {
		if got := s.must(t, cell); got != want {
			t.Errorf("%s: %s, want %s", cell, got, want)
		}
	}
}
