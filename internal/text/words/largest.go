package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
		parts = append(parts, fmt.Sprintf("%s %.3g", isolated(name), values[i]))
	}
	return strings.Join(parts, ", ")
}

// isolated keeps a name that runs from right to left from turning the number behind it, whose
// minus would stand at its other end.
func isolated(name string) string {
	const first, end = "\u2068", "\u2069"
	if strings.ContainsFunc(name, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) {
		return first + name + end
	}
	return name
}
