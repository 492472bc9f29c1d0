package frame

import (
	"fmt"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
)

// Match says where each of the data's variables is in a result, "model" for example, with
// variables of the names found. They are matched by name; by place (nil) if one of them has
// column numbers for names. A warning says what was done about numbers that differ.
func Match(result string, found, data []string) (order []int, warnings []diag.Warning, refused *Refusal) {
	if len(found) == 0 || slices.Equal(found, data) {
		return nil, nil, nil
	}
	unnamed := numbered(found) && numbered(data)
	if order = placesIn(found, data); order != nil {
		if unnamed {
			warnings = append(warnings, diag.New(diag.Variables, "the %s's variables were put in the order of the data by their column numbers: %s", result, Variables(data)))
		}
		return order, warnings, nil
	}
	switch {
	case unnamed:
		return nil, []diag.Warning{diag.New(diag.Variables, "variables without names were matched by place: the %s's are %s, those of the data %s", result, Variables(found), Variables(data)).With("Columns")}, nil
	case numbered(found) || numbered(data):
		return nil, nil, nil
	}
	return nil, nil, &Refusal{"a " + result + " of the variables " + Variables(found), fmt.Sprintf("one of %s, as the data have; or choose the %s's", Variables(data), result), []string{"Columns"}}
}

// Reordered returns the numbers of variables in the order that Match found; numbers of
// others, or none, as they are.
func Reordered[T any](of []T, order []int) []T {
	if len(of) != len(order) {
		return of
	}
	return linalg.Picked(of, order)
}

// Reordered returns the kind with the noise of the variables in the order that Match found.
func (k *Kind) Reordered(order []int) *Kind {
	if k == nil || k.Noise == nil {
		return k
	}
	noise := *k.Noise
	noise.Variances, noise.Covariance = Reordered(noise.Variances, order), slices.Clone(Reordered(noise.Covariance, order))
	for i, row := range noise.Covariance {
		noise.Covariance[i] = Reordered(row, order)
	}
	c := *k
	c.Noise = &noise
	return &c
}

// Variables lists names in a message.
func Variables(names []string) string {
	short := make([]string, len(names))
	for i, name := range names {
		short[i] = diag.OneLine(diag.Short(name))
	}
	return diag.List(short)
}

// numbered reports whether names are all column numbers, which Session.Columns gives to
// variables without a name.
func numbered(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		digits, ok := strings.CutPrefix(name, "column ")
		return !ok || strings.Trim(digits, "0123456789") != ""
	})
}

// placesIn returns where in from each of names is; nil unless these are the same names,
// each there once.
func placesIn(from, names []string) []int {
	at := make(map[string]int, len(from))
	for i, name := range from {
		at[name] = i
	}
	if len(from) != len(names) || len(at) != len(names) {
		return nil
	}
	order := make([]int, len(names))
	seen := make([]bool, len(names))
	for i, name := range names {
		k, ok := at[name]
		if !ok || seen[k] {
			return nil
		}
		order[i], seen[k] = k, true
	}
	return order
}
