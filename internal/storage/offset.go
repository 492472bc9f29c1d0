package storage

import (
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
	if t.centered {
		return make([]float64, t.N), 0
	}
	var x *obs.Dense
	var rows int
	if k := t.Sketch(); k != nil {
		x = k.Sample.Data()
		rows = x.P
	} else {
		x = t.Array().Dense()
		rows = min(x.P, offsetRows)
	}
	mean = make([]float64, x.N)
	var scratch []float64
	y := make([]float64, x.N)
	span := 0x1p-1022 // of which there is an inverse; mean and trace are of the observations divided by it
	var trace, total float64
	for i := range rows {
		l := i * x.P / rows
		v := x.Values(l, l+1, &scratch)
		if most := linalg.NormInf(v); most > span {
			linalg.Scale(span/most, mean)
			trace *= span / most * (span / most)
			span = most
		}
		copy(y, v)
		linalg.Scale(1/span, y)
		nu := 1.
		if x.Nu != nil {
			nu = x.Nu[l]
		}
		total += nu
		linalg.Axpy(nu, y, mean)
		trace += nu * linalg.Dot(y, y)
	}
	share = linalg.Dot(mean, mean) / total / trace
	linalg.Scale(span/total, mean)
	return mean, share
}
