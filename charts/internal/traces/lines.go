package traces

import (
	"slices"
	"time"
)

// Beginning returns the time at which a chart of the beginning ends: the longest time of the
// lines that end long before the others. It returns 0 if there is no such chart.
func Beginning(ends []time.Duration) time.Duration {
	const muchLonger = 4
	slices.Sort(ends)
	end, ratio := time.Duration(0), float64(muchLonger)
	for i := 1; i < len(ends); i++ {
		if q := float64(ends[i]) / float64(ends[i-1]); q >= ratio {
			end, ratio = ends[i-1], q
		}
	}
	return end + end/50
}

// Legend lists the names of lines once, those of the best in their order, then others sorted.
func Legend(best, others []string) []string {
	slices.Sort(others)
	var names []string
	for _, name := range slices.Concat(best, others) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
