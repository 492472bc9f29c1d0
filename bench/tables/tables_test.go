package main

import (
	"slices"
	"strings"
	"testing"
)

func TestTablesAreReadAsMeantOrNotSilently(t *testing.T) {
	c := newCounts()
	const last = 250
	for seed := uint64(1); seed <= last; seed++ {
		f := made(seed)
		verdict, why, warned := judge(t.Context(), f)
		c.add(f, verdict, warned)
		if verdict == silent {
			t.Errorf("seed %d (%s, names: %s): %s\n%.300s", seed, f.Program, f.Truth.Header, why, f.Text)
		}
	}
	// Of what has names of words, or none, more is read than asked about.
	for _, kind := range []string{"words", "units", "none"} {
		of := c.groups["names: "+kind]
		if n := of[equal] + of[flagged]; n < 4*(of[asked]+of[refused]) {
			t.Errorf("names: %s: %v", kind, of)
		}
	}
	if c.warned > c.plain/20 {
		t.Errorf("%d of %d tables without names are read with a warning that they may have some", c.warned, c.plain)
	}
}

// gaps reports whether a cell is empty, whose row is dropped.
func (t *table) gaps() bool {
	return slices.ContainsFunc(t.Columns, func(c column) bool { return slices.Contains(c.Cells, "") })
}

// TestJudgeSeesOtherReadings: what is read otherwise is found, in all that is compared.
func TestJudgeSeesOtherReadings(t *testing.T) {
	seen := 0
	for seed := uint64(1); seed <= 60; seed++ {
		for name, spoil := range map[string]func(f *file){
			"a value":  func(f *file) { f.Truth.Columns[0].Cells[1] = "17.25" },
			"a row":    func(f *file) { f.Text += f.Text[strings.LastIndex(strings.TrimRight(f.Text, "\r\n"), "\n")+1:] },
			"a column": func(f *file) { f.Truth.Columns = f.Truth.Columns[1:] },
		} {
			f := made(seed)
			if verdict, _, _ := judge(t.Context(), f); verdict != equal || len(f.Truth.Columns) == 1 || f.Truth.Columns[0].Text || f.Truth.gaps() {
				continue
			}
			spoil(f)
			if verdict, why, _ := judge(t.Context(), f); verdict == equal {
				t.Errorf("seed %d: another %s is not seen: %s", seed, name, why)
			}
			seen++
		}
	}
	if seen < 30 {
		t.Errorf("only %d tables were spoilt", seen)
	}
}
