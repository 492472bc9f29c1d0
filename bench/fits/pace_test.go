package main

import (
	"math"
	"strings"
	"testing"

	slowly "symmom/internal/test/slow"
)

// A race takes the time of every form and solver that is possible.
func TestRace(t *testing.T) {
	slowly.Test(t)
	r, err := runRace(t.Context(), 40)
	if err != nil || r.refused != "" {
		t.Fatal(err, r.refused)
	}
	for _, o := range r.all {
		if !(o.seconds > 0) || o.form == "" || math.Abs(o.f-r.all[0].f) > .01*r.all[0].f {
			t.Errorf("%s: %g s, %s form, f %g of ||X||^2, automatic %g", o.name, o.seconds, o.form, o.f, r.all[0].f)
		}
	}
}

// What is slow is written, and fits that are worse, or were ended, do not count.
func TestSlowRaces(t *testing.T) {
	best := racer{name: "a", seconds: 1, f: .5}
	q := ask(40)
	for _, c := range []struct {
		other racer
		slow  bool
	}{
		{racer{name: "b", seconds: .5, f: .5}, true}, {racer{name: "b", seconds: .5, f: .5 + 1e-8}, true}, {racer{name: "b", seconds: .5, f: .6}, false},
		{racer{name: "b", seconds: .7, f: .5}, false}, {racer{name: "b", seconds: math.Inf(1)}, false},
	} {
		r := &race{q: q, all: []racer{best, c.other}}
		if r.slow() != c.slow {
			t.Errorf("%+v: slow %t", c.other, r.slow())
		}
		var b strings.Builder
		if err := writeRaces(&b, []*race{r, {q: r.q, refused: "no"}}); err != nil || strings.Contains(b.String(), "**2.00**") != c.slow || !strings.Contains(b.String(), "1 fits of 10 starts") {
			t.Errorf("%v:\n%s", err, b.String())
		}
	}
}
