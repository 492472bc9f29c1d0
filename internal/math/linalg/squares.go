package linalg

// AddSquares adds the squares of rows of as many elements as sums, which follow each other in
// v, to sums.
func AddSquares(sums, v []float64) {
	n := len(sums)
	if n == 0 {
		return
	}
	fours := len(v) / (4 * n)
	if active == generic {
		squaresGeneric(sums, v, fours)
	} else {
		squaresVectors(sums, v, fours)
	}
	for v = v[4*fours*n:]; len(v) >= n; v = v[n:] {
		for j, x := range v[:n] {
			sums[j] += x * x
		}
	}
}

// squaresGeneric adds the squares of so many times four rows in Go: with each of the sums,
// which are in memory too.
func squaresGeneric(sums, v []float64, fours int) {
	n := len(sums)
	for range fours {
		a, b, c, d := v[:n], v[n:2*n], v[2*n:3*n], v[3*n:4*n]
		for j := range sums {
			sums[j] += a[j]*a[j] + b[j]*b[j] + (c[j]*c[j] + d[j]*d[j])
		}
		v = v[4*n:]
	}
}
