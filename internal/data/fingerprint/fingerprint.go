// Package fingerprint identifies observations by a sum of 128 bits over their values,
// weights and shape.
package fingerprint

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"github.com/zeebo/xxh3"

	"symmom/internal/data/npy"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Digest is the fingerprint of the observations added so far. It is copied by
// assignment, and the copy can go on by itself.
type Digest struct{ h xxh3.Hasher }

// Add adds the values of further observations.
func (d *Digest) Add(v []float64) { hashFloats(&d.h, v) }

// Add32 adds values stored as float32. Their sum is that of the same numbers as
// float64.
func (d *Digest) Add32(v []float32) {
	var wide []float64
	for len(v) > 0 {
		part := v[:min(1<<12, len(v))]
		if wide == nil {
			wide = make([]float64, len(part))
		}
		linalg.Widen(wide, part)
		d.Add(wide[:len(part)])
		v = v[len(part):]
	}
}

// BeginWeights makes what is added next the weights of the observations.
func (d *Digest) BeginWeights() { d.begin("weights") }

// AddSparse adds sparse observations: the stored values, their shift and their scale.
// The same numbers stored with their zeros have a different sum.
func (d *Digest) AddSparse(x *block.Sparse) {
	d.BeginSparse()
	d.addRows(x)
	d.EndSparse(x.Scale, x.Shift)
}

// AddBlock adds observations of float64. Those of sparse blocks come between BeginSparse and
// EndSparse.
func (d *Digest) AddBlock(b block.Block) {
	if b.Sparse == nil {
		d.Add(b.V)
		return
	}
	d.addRows(b.Sparse)
}

// BeginSparse makes what is added next sparse observations.
func (d *Digest) BeginSparse() { d.begin("sparse") }

// EndSparse adds the scale and the shift of all.
func (d *Digest) EndSparse(scale, shift []float64) {
	d.begin("scale")
	d.Add(scale)
	d.begin("shift")
	d.Add(shift)
}

func (d *Digest) addRows(x *block.Sparse) {
	var row []float64
	var number [8]byte
	for l := range len(x.Start) - 1 {
		from, to := x.Start[l], x.Start[l+1]
		binary.LittleEndian.PutUint64(number[:], uint64(to-from))
		_, _ = d.h.Write(number[:])
		row = row[:0]
		for k := from; k < to; k++ {
			v := 0.
			if x.V32 != nil {
				v = float64(x.V32[k])
			} else {
				v = x.V[k]
			}
			row = append(row, float64(x.Index[k]), v)
		}
		d.Add(row)
	}
}

// Sum returns the fingerprint of p observations of n variables with these weights:
// "xxh3:" and 32 hexadecimal digits. Names, source and format have no part in it, and
// equal weights count as none. It distinguishes data, but is not safe against forgery.
func (d Digest) Sum(p, n int, weights []float64) string {
	for _, w := range weights {
		if w != weights[0] {
			d.BeginWeights()
			d.Add(weights)
			break
		}
	}
	var shape [16]byte
	binary.LittleEndian.PutUint64(shape[:], uint64(p))
	binary.LittleEndian.PutUint64(shape[8:], uint64(n))
	d.begin("symmom observations 2")
	_, _ = d.h.Write(shape[:])
	return text(&d)
}

// SumOf is Sum of observations that are not at hand, whose values d has: two passes if they
// have weights.
func (d Digest) SumOf(ctx context.Context, x block.Source, weighted bool) (string, error) {
	p, n := x.Shape()
	if !weighted {
		return d.Sum(p, n, nil), nil
	}
	var sum float64
	first, equal := 0., true
	if !x.Pass(ctx, func(b block.Block) {
		for l := range b.Rows {
			w := b.Weight(l)
			if sum == 0 {
				first = w
			}
			sum += w
			equal = equal && w == first
		}
	}) {
		return "", block.Stopped(ctx, x)
	}
	if equal {
		return d.Sum(p, n, nil), nil
	}
	d.BeginWeights()
	var nu []float64
	if !x.Pass(ctx, func(b block.Block) {
		nu = nu[:0]
		for l := range b.Rows {
			nu = append(nu, b.Weight(l)/sum)
		}
		d.Add(nu)
	}) {
		return "", block.Stopped(ctx, x)
	}
	return d.Sum(p, n, nil), nil
}

func text(d *Digest) string {
	sum := d.h.Sum128().Bytes()
	return "xxh3:" + hex.EncodeToString(sum[:])
}

// begin marks where numbers of another kind begin; the shape comes last, because it is
// not known earlier.
func (d *Digest) begin(what string) { _, _ = d.h.WriteString(what) }

// Joined identifies data that were appended to others with weights,
// given the fingerprints of both.
func Joined(base, added string) string {
	var d Digest
	d.begin("symmom appended 1\n" + base + "\n" + added)
	return text(&d)
}

func hashFloats(h hash.Hash, v []float64) {
	if npy.LittleEndian {
		h.Write(npy.BytesOf(v))
		return
	}
	var b [8]byte
	for _, x := range v {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
}
