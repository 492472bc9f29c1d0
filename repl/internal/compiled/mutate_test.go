package compiled

import "math/rand/v2"

// Mutate writes to its arguments in many ways. It is also the source of a compiled cell.
func Mutate(seed uint64, a []float64, b []string, c [][]int, d []bool, e [][]string, f [][][]int8) (n int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range rng.IntN(6) {
		n++
		switch i := rng.IntN(5); rng.IntN(16) {
		case 0:
			for k := range a {
				a[k] += 1 / float64(k)
			}
		case 1:
			if i < len(a) {
				a[i] = -a[i]
			}
		case 2:
			if i < len(b) {
				b[i] += "!"
			}
		case 3:
			if i < len(c) {
				c[i] = append(c[i], 3)
			}
		case 4:
			if i < len(c) && len(c[i]) > 0 {
				c[i][len(c[i])-1] = n
			}
		case 5:
			if i < len(c) {
				c[i], c[0] = c[0], c[i]
			}
		case 6:
			if i < len(c) {
				c[i] = nil
			}
		case 7:
			if i < len(c) {
				c[i] = c[i][:0]
			}
		case 8:
			for k := range d {
				d[k] = !d[k]
			}
		case 9:
			if i < len(e) && i < len(e[i]) {
				e[i][i] = "e"
			}
		case 10:
			if i < len(e) {
				e[i] = []string{}
			}
		case 11:
			if i < len(f) {
				f[i] = append(f[i], []int8{1, 2})
			}
		case 12:
			if i < len(f) && len(f[i]) > 0 && len(f[i][0]) > 1 {
				f[i][0][1]++
			}
		case 13:
			if i < len(f) && len(f[i]) > 0 {
				f[i][0] = f[i][0][len(f[i][0])/2:]
			}
		case 14: // a copy of the header alone
			a = append(a, 1)
		}
	}
	return n
}
