package charts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"symmom/symmom"
)

// Labels of observations determine the colours, and the means have none.
func TestRecoveryInColoursOfLabels(t *testing.T) {
	s, truth, _ := threeClusters()
	s = s.WithLabels("kind", []string{"x", "y", "x", "", "x", hostile})
	f := RecoveryOf([]Recovered{{"rank 3", truth}}, truth, RecoveryOptions{Observations: s, Plane: axes(4, 0, 3)})
	must(t, f.Err())
	if !strings.Contains(f.Caption, "Colours are the groups of kind.") {
		t.Error(f.Caption)
	}
	o := chartsOf(t, f)[0]
	names := map[string]string{}
	for _, series := range o.Series {
		names[fmt.Sprint(series.ID)] = series.Name
	}
	l := s.Labels()
	for j, group := range l.Groups {
		if got := len(o.series(fmt.Sprintf("data-%d", j))); got != l.Counts[j] || names[fmt.Sprintf("data-%d", j)] != group {
			t.Errorf("group %s has %d marks of the name %q, want %d", group, got, names[fmt.Sprintf("data-%d", j)], l.Counts[j])
		}
	}
	// A grid names them above each panel.
	grid := RecoveryOf([]Recovered{{"rank 1", truth}, {"rank 2", truth}}, truth, RecoveryOptions{Observations: s, Plane: axes(4, 0, 3)})
	for _, o := range chartsOf(t, grid) {
		if got := o.Legend.Data; !slices.Contains(got, "x") || !slices.Contains(got, "y") {
			t.Errorf("legend %q of a grid", got)
		}
	}
	// Labels given explicitly take precedence.
	if f := RecoveryOf([]Recovered{{"rank 3", truth}}, truth, RecoveryOptions{Observations: s, Labels: make([]int, 6), Plane: axes(4, 0, 3)}); !strings.Contains(f.Caption, "Colours are the components") {
		t.Error(f.Caption)
	}
}

// If there are many groups, the largest have a colour.
func TestManyGroups(t *testing.T) {
	const p = 200
	rows, labels := make([][]float64, p), make([]string, p)
	for l := range p {
		rows[l] = []float64{float64(l % 20), float64(l % 7), 1}
		if l >= 10 {
			labels[l] = fmt.Sprintf("g%02d", min(l%20, 30))
		}
		if l > 150 {
			labels[l] = "g03"
		}
	}
	s := symmom.FromRows(rows).WithLabels("kind", labels)
	fit := s.Mixture(2, symmom.MixtureOptions{Starts: 1})
	f := Mixture(fit, MixtureOptions{Labels: true})
	must(t, f.Err())
	o := chartsOf(t, f)[0]
	drawn, series := 0, 0
	rest := ""
	for _, s := range o.Series {
		if strings.HasPrefix(fmt.Sprint(s.ID), "data-") {
			series++
			drawn += len(s.Data)
			rest = s.Name
		}
	}
	if drawn != p || series != 13 || rest != "(missing) and 8 other groups" {
		t.Errorf("%d marks in %d series, the last is %q", drawn, series, rest)
	}
	if !strings.Contains(f.Caption, "their groups of kind") {
		t.Error(f.Caption)
	}
	// the components, which look alike, have one entry of the legend; the pointer tells them apart
	if l := o.Legend.Data; len(l) != 14 || l[0] != "components" || slices.Contains(l, "component 1") {
		t.Errorf("legend %q", l)
	}
	page := f.Page()
	for _, want := range []string{`"name":"component 1, mean, weight `, `"name":"component 2"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if err := Mixture(symmom.FromRows(rows).Mixture(2), MixtureOptions{Labels: true}).Err(); !errors.Is(err, symmom.ErrNoLabels) {
		t.Error(err)
	}
}

// A page about labelled observations uses their colours.
func TestReportOnLabels(t *testing.T) {
	s, _, _ := threeClusters()
	s = s.WithLabels("kind", []string{"rose", "rose", "lily", "", "lily", "lily"})
	page := ReportOn(s, ReportOptions{From: 1, To: 2}).Page()
	for _, part := range []string{"Colours are the groups of kind.", "lily", "(missing)"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page has no %q", part)
		}
	}
}
