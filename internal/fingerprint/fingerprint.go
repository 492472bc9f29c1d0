package observations

import (
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"github.com/zeebo/xxh3"

	"symmom/internal/linalg"
	"symmom/internal/npy"
	"symmom/internal/obs"
)

// Digest is the fingerprint of observations as far as they have come. It is
// copied by assignment, and goes on from there.
type Digest struct{ h xxh3.Hasher }

// Add takes in the values of further observations.
func (d *Digest) Add(s *Set) {
	hashFloats(&d.h, s.Values)
	var wide []float64
	for v := s.Values32; len(v) > 0; { // the same numbers have the same sum
		part := v[:min(1<<12, len(v))]
		if wide == nil {
			wide = make([]float64, len(part))
		}
		linalg.Widen(wide, part)
		hashFloats(&d.h, wide[:len(part)])
		v = v[len(part):]
	}
}

// AddSparse takes in sparse observations: what is stored of them, and how it is
// shifted and scaled. The same numbers with their zeros have another sum.
func (d *Digest) AddSparse(x *obs.Sparse) {
	d.begin("sparse")
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
		hashFloats(&d.h, row)
	}
	d.begin("scale")
	hashFloats(&d.h, x.Scale)
	d.begin("shift")
	hashFloats(&d.h, x.Shift)
}

// Fingerprint is that of p observations of n variables with these weights. The
// digest can go on.
func (d Digest) Fingerprint(p, n int, weights []float64) string {
	for _, w := range weights {
		if w != weights[0] {
			d.begin("weights")
			hashFloats(&d.h, weights)
			break
		}
	}
	return d.end(p, n)
}

// begin marks where numbers of another kind begin.
func (d *Digest) begin(what string) { _, _ = d.h.WriteString(what) }

// end ends with the shape, which is not known before all observations are.
func (d *Digest) end(p, n int) string {
	var shape [16]byte
	binary.LittleEndian.PutUint64(shape[:], uint64(p))
	binary.LittleEndian.PutUint64(shape[8:], uint64(n))
	d.begin("symmom observations 2")
	_, _ = d.h.Write(shape[:])
	sum := d.h.Sum128().Bytes()
	return "xxh3:" + hex.EncodeToString(sum[:])
}

// Fingerprint identifies the numbers: "xxh3:" and the hexadecimal sum, of 128
// bits, over values, weights and shape. Names, source and format have no part
// in it, and equal weights are the same as none. It tells other data from the
// same, not forged ones. Cost: one pass, at the speed of memory.
func (s *Set) Fingerprint() string {
	var d Digest
	d.Add(s)
	return d.Fingerprint(s.P, s.N, s.Weights)
}

// JoinedFingerprint identifies data that were appended to others with weights,
// given the fingerprints of both.
func JoinedFingerprint(base, added string) string {
	var d Digest
	d.begin("symmom appended 1\n" + base + "\n" + added)
	sum := d.h.Sum128().Bytes()
	return "xxh3:" + hex.EncodeToString(sum[:])
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
