// Package agreement compares two groupings of observations.
package agreement

// Table counts the observations that are in group i of one and j of the other way.
type Table [][]int

// Count makes the table of a groups by b groups; an observation whose group is below 0
// in one of them is left out.
func Count(of, by []int, a, b int) Table {
	t := make(Table, a)
	for i := range t {
		t[i] = make([]int, b)
	}
	for l, i := range of {
		if j := by[l]; i >= 0 && j >= 0 {
			t[i][j]++
		}
	}
	return t
}

// AdjustedRand is the adjusted Rand index of Hubert & Arabie (1985): 1 if both ways are
// the same, 0 on average by chance,
//
//	(sum_ij C(n_ij,2) - E) / ((A + B)/2 - E),  E = A B / C(n,2),
//
// with A and B the sums of C(.,2) over the row and column sums. It is 1 as well if both
// have one group, or each observation is one of its own. As scikit-learn does, it
// computes with pairs of ordered observations.
func (t Table) AdjustedRand() float64 {
	var n, both, rows, columns float64
	var sums []float64 // of the columns
	for _, row := range t {
		if sums == nil {
			sums = make([]float64, len(row))
		}
		sum := 0.
		for j, k := range row {
			x := float64(k)
			both += x * x
			sum += x
			sums[j] += x
		}
		rows += sum * sum
		n += sum
	}
	for _, x := range sums {
		columns += x * x
	}
	// Pairs of observations that are together in both, in one, in neither.
	together := both - n
	first, second := rows-both, columns-both
	apart := n*n - first - second - both
	if first == 0 && second == 0 {
		return 1
	}
	return 2 * (together*apart - first*second) / ((together+second)*(second+apart) + (together+first)*(first+apart))
}
