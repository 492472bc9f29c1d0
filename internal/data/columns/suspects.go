package columns

import "math"

// Suspects finds numbers in a column that look like codes of missing values: those that
// programs and people use, three times or more and far from all other values.
type Suspects struct {
	counts    map[float64]int
	rest      int // other values,
	low, high float64
}

// Add looks at a value.
func (s *Suspects) Add(v float64) { s.AddColumn([]float64{v}, 1) }

// AddColumn looks at the first of values and those that follow it at a stride. Values that are
// not finite are left out.
func (s *Suspects) AddColumn(values []float64, stride int) {
	low, high, rest := s.low, s.high, s.rest
	if rest == 0 {
		low, high = math.Inf(1), math.Inf(-1)
	}
	for ; len(values) > 0; values = values[min(stride, len(values)):] {
		v := values[0]
		if !(math.Abs(v) < leastUsual) && (v-v != 0 || s.usual(v)) {
			continue
		}
		rest++
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	s.low, s.high, s.rest = low, high, rest
}

// usual counts a value that is used as a code, and reports whether it is.
func (s *Suspects) usual(v float64) bool {
	if !usual(v) {
		return false
	}
	if s.counts == nil {
		s.counts = map[float64]int{}
	}
	s.counts[v]++
	return true
}

// leastUsual is the size of the least of the numbers that are used as codes.
const leastUsual = 7

// usual reports whether a number is one of those that are used as codes: 99, 98 and 97, 88 and
// 77 of any length, below 0 of one digit too, and what fills grids of the earth.
func usual(v float64) bool {
	size := math.Abs(v)
	if size < leastUsual {
		return false
	}
	if size >= 1e7 {
		switch float32(v) {
		case 1e20, 9.969209968386869e36, -math.MaxFloat32:
			return true
		}
		return false
	}
	n := int(size)
	if float64(n) != size {
		return false
	}
	last := n % 10
	if last < 7 || n < 10 && v > 0 {
		return false
	}
	same, nines := true, true
	for n /= 10; n > 0; n /= 10 {
		same, nines = same && n%10 == last, nines && n%10 == 9
	}
	return same || nines
}

// Found returns the values that look like codes, and how many times each is there. 4 and 2
// spreads of the others are a margin: years, prices and counts reach out as far as one.
func (s *Suspects) Found() map[float64]int {
	const least, others = 3, 10
	var found map[float64]int
	for v, k := range s.counts {
		spread := s.high - s.low
		far := v > s.high && v-s.high >= 4*spread || v < s.low && s.low-v >= 2*spread || v < 0 && s.low >= 0
		if k >= least && s.rest >= others && spread > 0 && far {
			if found == nil {
				found = map[float64]int{}
			}
			found[v] = k
		}
	}
	return found
}
