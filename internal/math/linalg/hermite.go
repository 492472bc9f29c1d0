package linalg

// Hermite are the polynomials He_k(z; s_j) of variance s_j for each column of
// A, He_0 = 1, He_1 = z, He_(k+1) = z He_k - k s He_(k-1): the mean of He_k(z) is
// 0 for k >= 1 where z is normal with variance s.
type Hermite struct {
	D    int       // 2 or more
	S    []float64 // r variances
	Sums []float64 // r: sum nu He_(d-2), added to
}

// apply replaces the products z of rows rows, in panels of 8, with r columns by
// nu He_(d-1). Rows before from are not counted in the sums.
func (h *Hermite) apply(z []float64, column, row, next, r, rows, from int, nu []float64) {
	var weights [panel]float64
	for i := range weights {
		weights[i] = 1
	}
	for lo := 0; lo < rows; lo += panel {
		size := min(panel, rows-lo)
		if nu != nil {
			copy(weights[:], nu[lo:lo+size])
		}
		for j := range r {
			at := lo/panel*next + j*column
			h.Sums[j] += h.column(z[at:], row, h.S[j], weights[:size], max(0, from-lo))
		}
	}
}

// column does the products of one column with up to 8 rows, row apart. It
// returns the sum of nu He_(d-2).
func (h *Hermite) column(z []float64, row int, s float64, nu []float64, from int) (sum float64) {
	if h.D == 4 && row == 1 && from == 0 { // of cumulants, in the layout of the tiles
		z = z[:len(nu)]
		for i, w := range nu {
			x := z[i]
			low := x*x - s
			sum += w * low
			z[i] = w * (x * (low - 2*s))
		}
		return sum
	}
	at := 0
	for i, w := range nu {
		x := z[at]
		var low, high float64 // He_(d-2) and He_(d-1)
		switch h.D {
		case 2:
			low, high = 1, x
		case 3:
			low, high = x, x*x-s
		case 4:
			low = x*x - s
			high = x * (low - 2*s)
		default:
			low, high = 1, x
			for k := 1; k < h.D-1; k++ {
				low, high = high, x*high-float64(k)*s*low
			}
		}
		if i >= from {
			sum += w * low
		}
		z[at] = w * high
		at += row
	}
	return sum
}
