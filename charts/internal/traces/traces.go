// Package traces selects the data of fits that charts show.
package traces

import (
	"fmt"
	"math"
	"slices"

	"symmom/symmom"
)

// Thin chooses at most limit of n indices, including the first and the last. Half
// of them are evenly spaced and half in geometric progression, because the axis may
// be logarithmic and the beginning is steep.
func Thin(n, limit int) []int {
	at := make([]int, 0, min(n, limit))
	if n <= limit {
		for i := range n {
			at = append(at, i)
		}
		return at
	}
	half := limit / 2
	for k := range half {
		share := float64(k) / float64(max(1, half-1))
		at = append(at, int(math.Round(share*float64(n-1))), int(math.Round(math.Pow(float64(n), share)))-1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// Names names several fits by what differs between them.
func Names(fits []*symmom.Fit) []string {
	differs := func(get func(*symmom.Fit) string) bool {
		return slices.ContainsFunc(fits, func(f *symmom.Fit) bool { return get(f) != get(fits[0]) })
	}
	parts := []func(*symmom.Fit) string{
		func(f *symmom.Fit) string { return fmt.Sprintf("order %d", f.Order) },
		func(f *symmom.Fit) string { return fmt.Sprintf("rank %d", f.Rank) },
		func(f *symmom.Fit) string { return string(f.Form) },
		func(f *symmom.Fit) string {
			if f.Samples == 0 {
				return ""
			}
			return fmt.Sprintf("s = %d", f.Samples)
		},
		func(f *symmom.Fit) string { return string(f.Solver) },
		func(f *symmom.Fit) string { return fmt.Sprintf("seed %d", f.Seed) },
	}
	names, seen := make([]string, len(fits)), map[string]int{}
	for i, f := range fits {
		for _, part := range parts {
			if differs(part) && part(f) != "" {
				if names[i] != "" {
					names[i] += ", "
				}
				names[i] += part(f)
			}
		}
		if names[i] == "" {
			names[i] = "fit"
		}
		seen[names[i]]++
		if n := seen[names[i]]; n > 1 || names[i] == "fit" {
			names[i] = fmt.Sprintf("%s #%d", names[i], n)
		}
	}
	return names
}

// SweepNames names several sweeps by what differs between their data or fits.
func SweepNames(sweeps []*symmom.Sweep) []string {
	names := make([]string, len(sweeps))
	if len(sweeps) < 2 {
		return names
	}
	var firsts []*symmom.Fit
	sources := map[string]bool{}
	for i, s := range sweeps {
		if s == nil || len(s.Fits) == 0 || s.Fits[0] == nil {
			for k := range names {
				names[k] = fmt.Sprintf("sweep %d", k+1)
			}
			return names
		}
		f := s.Fits[0]
		firsts = append(firsts, f)
		if f.Model != nil {
			names[i] = f.Model.Origin.Source
		}
		sources[names[i]] = names[i] != ""
	}
	if len(sources) == len(sweeps) && !sources[""] {
		return names
	}
	same := *firsts[0] // the rank is the x axis, and distinguishes nothing
	for i := range firsts {
		c := *firsts[i]
		c.Rank = same.Rank
		firsts[i] = &c
	}
	return Names(firsts)
}
