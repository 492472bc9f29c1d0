package norm

import (
	"errors"
	"math"
)

// errNumbers is returned for numbers that no Extremes wrote.
var errNumbers = errors.New("damaged: its numbers do not add up")

// Numbers returns the collection for Join.
func (e *Extremes) Numbers() []float64 {
	out := append([]float64{float64(e.seen), e.total, e.scale}, e.squares[:]...)
	for _, r := range e.rows {
		out = append(append(out, float64(r.index), r.weight, r.key), r.v...)
	}
	return out
}

// Join adds the observations whose Numbers these are after those of e.
func (e *Extremes) Join(numbers []float64) error {
	const head = 3 + maxPower + 1
	if len(numbers) < head || (len(numbers)-head)%(3+e.n) != 0 {
		return errNumbers
	}
	scale := math.Max(e.scale, numbers[2])
	ratio := func(to *float64, from, scale float64, power int) {
		if from > 0 { // else it is 0 but for power 0
			*to *= math.Pow(from/scale, 2*float64(power))
		}
	}
	for k := range e.squares {
		more := numbers[3+k]
		ratio(&e.squares[k], e.scale, scale, k)
		ratio(&more, numbers[2], scale, k)
		e.squares[k] += more
	}
	for at := head; at < len(numbers); at += 3 + e.n {
		row := numbers[at : at+3+e.n]
		if len(e.rows) < e.most || row[2] > e.rows[e.least].key {
			e.keep(e.seen+int(row[0]), row[3:], row[1], row[2])
		}
	}
	e.seen, e.total, e.scale = e.seen+int(numbers[0]), e.total+numbers[1], scale
	return nil
}
