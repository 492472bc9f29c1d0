package observations

import (
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"math"

	"github.com/zeebo/xxh3"

	"symmom/internal/linalg"
)

// Fingerprint identifies the numbers: "xxh3:" and the hexadecimal sum, of 128
// bits, over shape, values and weights. Names, source and format have no part
// in it, and equal weights are the same as none. It tells other data from the
// same, not forged ones. Cost: one pass, at the speed of memory.
func (s *Set) Fingerprint() string {
	h := newFingerprint(s.P, s.N)
	hashFloats(h, s.Values)
	var wide []float64
	for v := s.Values32; len(v) > 0; { // the same numbers have the same sum
		part := v[:min(1<<12, len(v))]
		if wide == nil {
			wide = make([]float64, len(part))
		}
		linalg.Widen(wide, part)
		hashFloats(h, wide[:len(part)])
		v = v[len(part):]
	}
	for _, w := range s.Weights {
		if w != s.Weights[0] {
			_, _ = io.WriteString(h, "weights")
			hashFloats(h, s.Weights)
			break
		}
	}
	return endFingerprint(h)
}

func newFingerprint(p, n int) hash.Hash {
	h := xxh3.New128()
	var head [16]byte
	binary.LittleEndian.PutUint64(head[:], uint64(p))
	binary.LittleEndian.PutUint64(head[8:], uint64(n))
	_, _ = io.WriteString(h, "symmom observations 1\n")
	h.Write(head[:])
	return h
}

func endFingerprint(h hash.Hash) string { return "xxh3:" + hex.EncodeToString(h.Sum(nil)) }

// JoinedFingerprint identifies data that were appended to others, given the
// fingerprints of both.
func JoinedFingerprint(base, added string) string {
	h := xxh3.New128()
	_, _ = io.WriteString(h, "symmom appended 1\n"+base+"\n"+added)
	return endFingerprint(h)
}

func hashFloats(h hash.Hash, v []float64) {
	if littleEndian {
		h.Write(bytesOf(v))
		return
	}
	var b [8]byte
	for _, x := range v {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
}
