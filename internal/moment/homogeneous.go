package moment

// Homogeneous returns the third moment of observations with a constant t appended,
// with the noise removed, from their central moments: third unchanged, second (k x k,
// of the observations divided by the unit) with the noise removed. Its entries are
// those of order 3, t times those of order 2, 0 for order 1, and t^3.
func Homogeneous(third *Packed, second []float64, t float64) *Packed {
	k := third.n
	h := &Packed{d: 3, n: k + 1, unit: 1}
	at := 0
	for i := range k + 1 {
		for j := i; j <= k; j++ {
			for l := j; l <= k; l++ {
				switch {
				case l < k:
					h.x = append(h.x, third.x[at])
					at++
				case j < k:
					h.x = append(h.x, t*second[i*k+j])
				case i < k:
					h.x = append(h.x, 0)
				default:
					h.x = append(h.x, t*t*t)
				}
			}
		}
	}
	return h
}
