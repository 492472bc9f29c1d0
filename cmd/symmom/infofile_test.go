package main

import (
	"testing"

	"symmom/cmd/symmom/internal/objects"
	"symmom/internal/data/describe"
)

// Sparse files can have millions of columns: what is made of them is not as many pieces.
func TestManyColumns(t *testing.T) {
	d := &describe.Table{Rows: 3, Columns: make([]describe.Column, 5000)}
	for i := range d.Columns {
		d.Columns[i] = describe.Column{Name: "x", Kind: "number", Max: float64(i)}
	}
	d.Columns[7].OddRow, d.Columns[7].OddValue = 2, "inf"
	var s objects.Info
	if n := testing.AllocsPerRun(3, func() { s.AddFile(d) }); n > 1 { // the list
		t.Errorf("%g allocations for %d columns", n, len(d.Columns))
	}
	for i, c := range s.File {
		if *c.Min != 0 || *c.Max != objects.Number(i) || (c.OddValue != nil) != (i == 7) || i == 7 && *c.OddValue != "inf" {
			t.Fatalf("column %d: %+v", i, c)
		}
	}
}
