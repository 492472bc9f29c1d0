package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Largest names the three largest of the values, whatever their signs, the largest first.
// Those without a name are called by their columns.
func Largest(values []float64, names []string) string {
	const most = 3
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(values[b]), math.Abs(values[a])) })
	var parts []string
	for _, i := range order[:min(most, len(order))] {
		name := "column " + strconv.Itoa(i+1)
		if i < len(names) && names[i] != "" {
			name = names[i]
		}
		parts = append(parts, fmt.Sprintf("%s %.3g", name, values[i]))
	}
	return strings.Join(parts, ", ")
}
