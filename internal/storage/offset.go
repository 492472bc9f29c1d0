package storage

import (
	"math"

	"symmom/internal/linalg"
	"symmom/internal/obs"
)

// offsetRows is the number of observations that Offset reads.
const offsetRows = 4096

// Offset returns the share of the mean in the trace of the second moment, computed
// from some evenly spaced observations if there are many, or from a sample of a
// stream.
func (t *Table) Offset() float64 {
	_, share := t.about()
	return share
}

// about also returns the mean of these observations.
func (t *Table) about() (mean []float64, share float64) {
	x := t.few()
	var scratch []float64
	mean = make([]float64, x.N)
	var span, trace, total float64
	for l := range x.P {
		span = math.Max(span, linalg.NormInf(x.Values(l, l+1, &scratch)))
	}
	for l := range x.P {
		nu := 1.
		if x.Nu != nil {
			nu = x.Nu[l]
		}
		for i, v := range x.Values(l, l+1, &scratch) {
			v /= span // in range, whatever the unit
			mean[i] += nu * v
			trace += nu * v * v
		}
		total += nu
	}
	share = linalg.Dot(mean, mean) / total / trace
	linalg.Scale(span/total, mean)
	return mean, share
}

// few returns at most offsetRows observations, without a pass over a stream.
func (t *Table) few() *obs.Dense {
	if k := t.Sketch(); k != nil {
		return k.Sample.Data()
	}
	return t.Array().Dense().Spaced(offsetRows)
}
