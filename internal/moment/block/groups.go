package block

import (
	"slices"

	"symmom/internal/math/linalg"
)

// The observations of a block are split into groups whose partial sums are added in
// order. The split depends only on the shape of the problem, so any number of threads
// gives the same bits.
const (
	MaxGroups    = 16
	minGroupRows = 512 // for data in memory, about: see evenGroups
	minBlockRows = 64  // for data that arrive in blocks

	MaxGroupBytes = 64 << 20 // for the partial sums of one worker
)

// Groups returns the number of groups in each block of x, for partial sums of size
// numbers each.
func Groups(x Source, size int) int {
	p, _ := x.Shape()
	rows, least := x.BlockRows(), minGroupRows
	if rows < p {
		least = minBlockRows
	}
	groups := max(1, min(MaxGroups, rows/least))
	for !slices.Contains(evenGroups, groups) {
		groups++
	}
	return max(1, min(groups, MaxGroupBytes/(8*size)))
}

// EvenGroups returns the largest number of groups, not above most, that threads share evenly.
func EvenGroups(most int) int {
	groups := max(1, min(MaxGroups, most))
	for !slices.Contains(evenGroups, groups) {
		groups--
	}
	return groups
}

// evenGroups are numbers of groups that two threads, and three or four, share evenly or
// nearly so: seven groups on two threads take as long as eight.
var evenGroups = []int{1, 2, 4, 6, 8, 12, MaxGroups}

// GroupStart returns the first observation of group g of a block of p observations.
// The size of every group except the last is a multiple of 8, which suits the kernels.
func GroupStart(g, groups, p int) int {
	if g == groups {
		return p
	}
	return g * p / groups &^ 7
}

// Reach returns the reach of the blocks of x, whose numbers have so many bytes.
func Reach(x Source, bytes int) linalg.Reach {
	_, n := x.Shape()
	return linalg.ReachOf(bytes * x.BlockRows() * n)
}
