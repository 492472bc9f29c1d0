package obs

// The observations of a block are split into groups whose partial sums are
// added in order. The split depends on the shape of the problem alone, so any
// number of threads gives the same bits.
const (
	MaxGroups    = 16
	minGroupRows = 512 // of data in memory
	minBlockRows = 64  // of data that come in blocks

	MaxGroupBytes = 64 << 20 // of partial sums of one worker
)

// Groups returns the number of groups of each block of x, for partial sums of so
// many numbers each.
func Groups(x Source, size int) int {
	p, _ := x.Shape()
	rows, least := x.BlockRows(), minGroupRows
	if rows < p {
		least = minBlockRows
	}
	return max(1, min(MaxGroups, rows/least, MaxGroupBytes/(8*size)))
}

// GroupStart returns the first observation of group g of a block of p; all groups
// but the last have a multiple of 8 of them, which suits the kernels.
func GroupStart(g, groups, p int) int {
	if g == groups {
		return p
	}
	return g * p / groups &^ 7
}
