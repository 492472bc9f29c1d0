package main

import (
	"strings"
	"testing"
)

// All kinds of small tables can be drawn, of each number of variables.
func TestSmallTables(t *testing.T) {
	for _, c := range cells() {
		for seed := range uint64(4) {
			if !c.small {
				continue
			}
			if s := c.draw(seed); s.Err() != nil {
				t.Errorf("%s, seed %d: %v", c.name, seed, s.Err())
			}
		}
	}
}

// A run replaces the sections that it has cells of, and keeps the others.
func TestSections(t *testing.T) {
	run := func(command, before string, cells ...*cell) string {
		var b strings.Builder
		p := page{orders: []int{3}, tables: [][]*cell{cells}, command: command}
		if err := p.write(&b, before); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	large, little := &cell{name: "mixture", rank: 2, right: 3, wrong: []string{"seed 4: 1"}}, &cell{name: "noise", small: true, unsure: 5}
	all := run("all", "", large, little)
	for _, want := range []string{"## Order 3\n\nBy `all`: 4 tables, 1 wrong.", "## Small tables, order 3\n\nBy `all`: 5 tables, 0 wrong.", "| noise | 5 | - | 5 | 0 |"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	again := run("small", all, &cell{name: "mixture"}, little)
	if want := strings.Replace(all, "order 3\n\nBy `all`", "order 3\n\nBy `small`", 1); again != want {
		t.Errorf("got\n%s\nwant\n%s", again, want)
	}
}
