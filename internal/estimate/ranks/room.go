package ranks

import (
	"math"

	"symmom/internal/system/memory"
)

// copies is how often the drawn observations are in memory: as they are, in halves,
// permuted, and as what of these is no longer needed.
const copies = 5

// Room refuses to look at p observations of n variables if what is drawn of them would not
// fit in memory; limit is that of the options, 0 for none.
func Room(p, n int, streamed bool, limit uint64) error {
	remedy, options := "choose fewer columns, or allow more memory", []string{"Columns", "MemoryLimit"}
	if !streamed {
		remedy, options = "stream the table, "+remedy, append([]string{"Stream"}, options...)
	}
	drawn := math.Min(float64(p)*float64(n), drawnNumbers)
	return memory.Check("rank: halves and permutations of the observations", copies*8*drawn, limit, remedy, options...)
}
