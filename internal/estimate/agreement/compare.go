package agreement

import (
	"fmt"
	"slices"
)

// Compare counts the observations of each named group in each of r components, and leaves
// those of the group missing, if there is one, out of the index.
func Compare(name string, groups []string, missing int, of, components []int, r int) *Agreement {
	t := Count(of, components, len(groups), r)
	a := &Agreement{Name: name, Groups: groups, Counts: t, Labelled: len(of)}
	known := t
	if missing >= 0 && missing < len(t) {
		known = slices.Concat(t[:missing], t[missing+1:])
		for _, n := range t[missing] {
			a.Labelled -= n
		}
	}
	if a.Labelled == 0 {
		return &Agreement{Failure: fmt.Errorf("agreement: none of the observations has a label (%s)", name)}
	}
	a.AdjustedRand = known.AdjustedRand()
	return a
}
