package ktensor

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
)

// AbsoluteCosines returns |cos| of the angles between the columns of k and
// those of l, k.R x l.R row major. A zero column has cosine 0 with all.
func AbsoluteCosines(k, l *Kruskal) []float64 {
	c := make([]float64, k.R*l.R)
	for j := range k.R {
		a := k.Column(j)
		na := linalg.Norm2(a)
		for i := range l.R {
			b := l.Column(i)
			if nb := linalg.Norm2(b); na > 0 && nb > 0 {
				var s float64
				for t := range a {
					s += (a[t] / na) * (b[t] / nb)
				}
				c[j*l.R+i] = math.Min(1, math.Abs(s))
			}
		}
	}
	return c
}

// Match returns the one-to-one matching of rows with columns that maximizes
// the mean of the chosen entries of c (rows x cols), over min(rows, cols)
// pairs ordered by row, and that mean: equation Score of the paper.
func Match(c []float64, rows, cols int) (float64, [][2]int) {
	var pairs [][2]int
	if rows <= cols {
		cost := make([]float64, rows*cols)
		for i, v := range c {
			cost[i] = -v
		}
		for i, j := range assign(cost, rows, cols) {
			pairs = append(pairs, [2]int{i, j})
		}
	} else {
		cost := make([]float64, rows*cols)
		for i := range rows {
			for j := range cols {
				cost[j*rows+i] = -c[i*cols+j]
			}
		}
		byRow := make([]int, rows)
		for i := range byRow {
			byRow[i] = -1
		}
		for j, i := range assign(cost, cols, rows) {
			byRow[i] = j
		}
		for i, j := range byRow {
			if j >= 0 {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	var sum float64
	for _, p := range pairs {
		sum += c[p[0]*cols+p[1]]
	}
	if len(pairs) > 0 {
		sum /= float64(len(pairs))
	}
	return sum, pairs
}

// assign solves the linear assignment problem for an m x n cost matrix with
// m <= n and returns the column of each row. Shortest augmenting paths with
// dual variables (Jonker & Volgenant 1987), O(m^2 n).
func assign(cost []float64, m, n int) []int {
	// Rows and columns count from 1; column 0 is the root of each search.
	u, v := make([]float64, m+1), make([]float64, n+1)
	rowOf, way := make([]int, n+1), make([]int, n+1)
	minv, used := make([]float64, n+1), make([]bool, n+1)
	for i := 1; i <= m; i++ {
		rowOf[0] = i
		for j := range minv {
			minv[j], used[j] = math.Inf(1), false
		}
		j0 := 0
		for rowOf[j0] != 0 {
			used[j0] = true
			i0, delta, j1 := rowOf[j0], math.Inf(1), 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if d := cost[(i0-1)*n+j-1] - u[i0] - v[j]; d < minv[j] {
					minv[j], way[j] = d, j0
				}
				if minv[j] < delta {
					delta, j1 = minv[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if used[j] {
					u[rowOf[j]] += delta
					v[j] -= delta
				} else {
					minv[j] -= delta
				}
			}
			j0 = j1
		}
		for j0 != 0 {
			rowOf[j0] = rowOf[way[j0]]
			j0 = way[j0]
		}
	}
	col := make([]int, m)
	for j := 1; j <= n; j++ {
		if rowOf[j] != 0 {
			col[rowOf[j]-1] = j - 1
		}
	}
	return col
}

// MatchMeans matches the columns of found with those of truth, as many, so that the sum of
// squared distances is least. It returns the root of that sum relative to the norm of truth,
// and the pairs by true column.
func MatchMeans(truth, found mat.Matrix) (relative float64, pairs [][2]int) {
	_, r := truth.Dims()
	near := make([]float64, r*r)
	unit := math.Max(math.Max(mat.Max(truth), -mat.Min(truth)), math.Max(mat.Max(found), -mat.Min(found))) // so that squares stay in range
	if unit == 0 {
		unit = 1
	}
	var all float64
	for i := range r {
		t := mat.Col(nil, i, truth)
		for l := range t {
			t[l] /= unit
		}
		for j := range r {
			for l, v := range t {
				d := v - found.At(l, j)/unit
				near[i*r+j] -= d * d
			}
		}
		all += linalg.Dot(t, t)
	}
	_, pairs = Match(near, r, r)
	for _, p := range pairs {
		relative -= near[p[0]*r+p[1]]
	}
	return math.Sqrt(relative / all), pairs
}
