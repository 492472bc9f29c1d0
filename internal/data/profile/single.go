package profile

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
)

const (
	// coarse is the number of float32 steps in the spread of a column below which fewer
	// than three of its digits are left.
	coarse = 1e3
	// looked is how many values of a column are looked at before all of them are.
	looked = 1000
)

// step32 is the distance between two float32 near v.
func step32(v float64) float64 {
	_, exp := math.Frexp(v)
	return math.Ldexp(1, max(exp-24, -149))
}

// Rounded warns of columns that lose much as float32: those far from 0 for their spread,
// and those of tiny values. It needs the values as read, since others, centered for
// example, do not show the loss.
func (pr *Profile) Rounded(s Table) []diag.Warning {
	if !s.Single {
		return nil
	}
	first, more := "", 0
	for j := range s.N {
		if _, constant := slices.BinarySearch(pr.Constant, j); constant {
			continue
		}
		size := pr.RootMeanSquare(s, j)
		step, spread := step32(size), size
		if pr.Largest == nil && spread >= coarse*step {
			spread = spreadOf(s, j, max(1, s.P/looked))
		}
		if pr.Largest == nil && spread < coarse*step {
			spread = spreadOf(s, j, 1)
		}
		switch {
		case spread >= coarse*step:
		case first == "":
			first = fmt.Sprintf("%s to multiples of about %.3g, and its values are spread over only %.3g", diag.Short(s.Label(j)), step, spread)
		default:
			more++
		}
	}
	switch {
	case first == "":
		return nil
	case more > 0:
		first += fmt.Sprintf(" (the like holds for %d more)", more)
	}
	return []diag.Warning{diag.New(diag.Rounding, "float32 rounds %s: keep the values as float64", first).With("Float32")}
}

// spreadOf returns the standard deviation of every step-th value of a column, without
// weights.
func spreadOf(s Table, j, step int) float64 {
	var sum, squares, k float64
	for i := 0; i < s.P; i += step {
		v := s.At(i, j) - s.At(0, j)
		sum, squares, k = sum+v, squares+v*v, k+1
	}
	return math.Sqrt(math.Max(0, squares/k-sum/k*sum/k))
}

// Beyond warns of columns that a source has exactly and that reach as far as float64 does
// not tell whole numbers from their neighbours.
func (pr *Profile) Beyond(s Table, exact func(j int) bool) []diag.Warning {
	var names []string
	for j := range s.N {
		// A square is no larger than the sum.
		if s.Single || !exact(j) || pr.Squares[j] < numerals.Exact*numerals.Exact {
			continue
		}
		far := pr.Largest != nil && pr.Largest[j] >= numerals.Exact
		for i := 0; pr.Largest == nil && i < s.P && !far; i++ {
			far = math.Abs(s.At(i, j)) >= numerals.Exact
		}
		if far {
			names = append(names, diag.Short(s.Label(j)))
		}
	}
	if names == nil {
		return nil
	}
	return []diag.Warning{diag.New(diag.Rounding, "whole numbers from 2^53 on are rounded to the 16 digits or so of a float64, and may be equal then: %s", diag.List(names))}
}
