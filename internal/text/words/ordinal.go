package words

import (
	"fmt"
	"math"
	"strconv"
)

// Ordinal writes "3rd".
func Ordinal(d int) string {
	suffix := "th"
	switch {
	case d%100 >= 11 && d%100 <= 13:
	case d%10 == 1:
		suffix = "st"
	case d%10 == 2:
		suffix = "nd"
	case d%10 == 3:
		suffix = "rd"
	}
	return strconv.Itoa(d) + suffix
}

// Power writes n^d, exactly while that is readable.
func Power(n, d int) string {
	if v := math.Pow(float64(n), float64(d)); v < 1e15 {
		return Count(int(v))
	}
	return fmt.Sprintf("%d^%d", n, d)
}
