package describe

import (
	"fmt"
	"maps"
	"slices"

	"symmom/internal/faults"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// Suspects warns of values that look like codes of missing values.
func Suspects(columns []Column) []notice.Warning {
	var list []string
	for _, c := range columns {
		for _, v := range slices.Sorted(maps.Keys(c.Suspects)) {
			list = append(list, fmt.Sprintf("%s in %s (%s)", faults.Value(v), faults.Short(c.Name), words.Plural(c.Suspects[v], "cell")))
		}
	}
	if list == nil {
		return nil
	}
	return []notice.Warning{notice.New(notice.Codes, "far from all other values, these look like codes of missing values: %s; if they are, declare them", faults.List(list)).With("NA")}
}
