package norm

import "math"

// samplePairs holds the sums over the pairs of a sample from which an estimate of
// ||X||^2 and its standard error are computed.
type samplePairs struct {
	sums             []float64 // of an observation with the others
	counts           []int
	squares, fourths []float64 // of single pairs, by block of observations
}

func newSamplePairs(observations, blocks int) *samplePairs {
	return &samplePairs{make([]float64, observations), make([]int, observations), make([]float64, blocks), make([]float64, blocks)}
}

// add adds the pairs h of observation l, which belongs to a block, with those of index,
// except with itself, of index own.
func (s *samplePairs) add(l, block int, h []float64, index []int, own int) {
	var sum, squares, fourths float64 // in registers: other threads write beside the slices
	count := 0
	for k, v := range h {
		if index[k] == own {
			continue
		}
		count++
		square := v * v
		sum += v
		squares += square
		fourths += square * square
	}
	s.sums[l] += sum
	s.counts[l] += count
	s.squares[block] += squares
	s.fourths[block] += fourths
}

// estimate adds to e the mean over the pairs, of total weight apart, and the mean of
// the terms of single observations, alone, unless nil.
func (s *samplePairs) estimate(e *Estimate, apart float64, alone []float64, singles float64) {
	var sum, all, h2, h4 float64
	for i, v := range s.sums {
		sum += v
		all += float64(s.counts[i])
	}
	for i := range s.squares {
		h2 += s.squares[i]
		h4 += s.fourths[i]
	}
	if all == 0 { // the same observation was drawn every time
		if apart > 0 {
			e.StdErr = math.Inf(1)
		}
		return
	}
	mean := sum / all
	e.Value += apart*mean + singles
	// The influence of each observation on the estimate.
	var spread, i2, i4 float64
	for i, v := range s.sums {
		influence := 0.
		if alone != nil {
			influence = alone[i] - singles
		}
		if s.counts[i] > 0 {
			influence += 2 * apart * (v/float64(s.counts[i]) - mean)
		}
		spread += influence * influence
		i2 += influence * influence
		i4 += influence * influence * influence * influence
	}
	m := len(s.sums)
	e.StdErr = math.Sqrt(spread / float64(m) / float64(max(1, m-1)))
	e.Pairs = int(all / 2)
	// Few pairs are as bad as few observations.
	e.Carriers = math.Min(carriers(h2, h4, all)/2, carriers(i2, i4, float64(m)))
	e.StdErr *= student(e.Carriers)
}
