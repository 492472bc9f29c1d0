package describe

import (
	"fmt"
	"maps"
	"slices"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Suspects warns of values that look like codes of missing values.
func Suspects(columns []Column) []diag.Warning {
	var list []string
	for _, c := range columns {
		for _, v := range slices.Sorted(maps.Keys(c.Suspects)) {
			list = append(list, fmt.Sprintf("%s in %s (%s)", diag.Value(v), diag.Short(c.Name), words.Plural(c.Suspects[v], "cell")))
		}
	}
	if list == nil {
		return nil
	}
	return []diag.Warning{diag.New(diag.Codes, "far from all other values, these look like codes of missing values: %s; if they are, declare them", diag.List(list)).With("NA")}
}
