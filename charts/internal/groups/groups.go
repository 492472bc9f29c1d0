// Package groups divides observations into groups by their labels.
package groups

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Groups are the groups whose colours observations are drawn in.
type Groups struct {
	Label string   // what the groups are: "species"
	Names []string // of the groups with a colour
	Of    []int    // group of each observation drawn; -1: one of the rest
	Rest  string   // name of the rest
}

// most is the number of groups with a colour of their own, the largest ones.
const most = 12

// Of returns the groups of some observations by their labels, nil if there are no
// labels.
func Of(s *symmom.Session, index []int) *Groups {
	l := s.Labels()
	if l.Err() != nil {
		return nil
	}
	g := &Groups{Label: l.Name}
	order := make([]int, 0, len(l.Groups))
	for j := range l.Groups {
		if j != l.Missing {
			order = append(order, j)
		}
	}
	if small := len(order) - most; small > 1 {
		slices.SortStableFunc(order, func(a, b int) int { return l.Counts[b] - l.Counts[a] })
		order = order[:most]
		slices.Sort(order)
		g.Rest = words.Plural(len(l.Groups)-most, "other group")
	}
	if l.Missing >= 0 {
		if g.Rest != "" {
			g.Rest = fmt.Sprintf("%s and %s", l.Groups[l.Missing], words.Plural(len(l.Groups)-1-most, "other group"))
		} else {
			g.Rest = l.Groups[l.Missing]
		}
	}
	for _, j := range order {
		g.Names = append(g.Names, l.Groups[j])
	}
	for _, i := range index {
		g.Of = append(g.Of, slices.Index(order, l.Of[i]))
	}
	return g
}

// Matched returns the number of the column that each row of a matrix of likenesses, rows x cols,
// belongs with, so that they are as alike as can be, and numbers from cols on for the rows that
// belong with none.
func Matched(alike []float64, rows, cols int) []int {
	of := slices.Repeat([]int{-1}, rows)
	if cols > 0 {
		_, pairs := ktensor.Match(alike, rows, cols)
		for _, p := range pairs {
			if alike[p[0]*cols+p[1]] > 0 {
				of[p[0]] = p[1]
			}
		}
	}
	next := cols
	for i, c := range of {
		if c < 0 {
			of[i] = next
			next++
		}
	}
	return of
}

// Like returns, for each component, the number of the group that most of its observations are
// of, as Matched does. components are those of the observations.
func (g *Groups) Like(components []int, r int) []int {
	alike := make([]float64, r*len(g.Names))
	for l, j := range components {
		if k := g.Of[l]; j >= 0 && k >= 0 {
			alike[j*len(g.Names)+k]++
		}
	}
	return Matched(alike, r, len(g.Names))
}

// Weights returns the weights of some observations; nil if they are all equal, stay on
// disk, or leave nothing of these observations.
func Weights(s *symmom.Session, index []int) []float64 {
	all := s.Weights()
	if all == nil || !s.Weighted() {
		return nil
	}
	some, most := make([]float64, len(index)), 0.
	for i, at := range index {
		some[i] = all[at]
		most = max(most, some[i])
	}
	if most == 0 {
		return nil
	}
	return some
}

// Picked returns a session of some of the observations, with their weights and labels.
func Picked(s *symmom.Session, rows *mat.Dense, index []int) *symmom.Session {
	few, l := symmom.FromMatrix(rows), s.Labels()
	if w := Weights(s, index); w != nil {
		few = few.WithWeights(w)
	}
	if l.Err() != nil {
		return few
	}
	texts := make([]string, len(index))
	for i, at := range index {
		if g := l.Of[at]; g != l.Missing {
			texts[i] = l.Groups[g]
		}
	}
	return few.WithLabels(l.Name, texts)
}
