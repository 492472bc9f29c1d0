package load

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"symmom/internal/data/export"
	"symmom/internal/data/npy"

	"gonum.org/v1/gonum/mat"
)

// 80 MB: beyond the caches, and quick to make.
const benchRows, benchColumns = 100_000, 100

func benchMatrix() *mat.Dense {
	rng := rand.New(rand.NewPCG(1, 1))
	v := make([]float64, benchRows*benchColumns)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return mat.NewDense(benchRows, benchColumns, v)
}

func benchLoad(b *testing.B, path string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(b.Context(), path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadNPY(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.npy")
	if err := export.WriteNPY(path, benchMatrix()); err != nil {
		b.Fatal(err)
	}
	benchLoad(b, path)
}

func BenchmarkLoadNPYFortran(b *testing.B) {
	var c bytes.Buffer
	if err := npy.Write(&c, benchMatrix().T()); err != nil {
		b.Fatal(err)
	}
	data := bytes.Replace(c.Bytes(), []byte("False"), []byte("True "), 1)
	data = bytes.Replace(data, shapeText(benchColumns, benchRows), shapeText(benchRows, benchColumns), 1)
	path := filepath.Join(b.TempDir(), "x.npy")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.Fatal(err)
	}
	benchLoad(b, path)
}

func BenchmarkLoadNPYFloat32(b *testing.B) {
	data := npyFile(fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d)}", benchRows, benchColumns))
	for _, v := range benchMatrix().RawMatrix().Data {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	path := filepath.Join(b.TempDir(), "x.npy")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.Fatal(err)
	}
	benchLoad(b, path)
}

func BenchmarkLoadCSV(b *testing.B) {
	var text bytes.Buffer
	m := benchMatrix()
	for i := range benchRows / 10 {
		for j, v := range m.RawRowView(i) {
			if j > 0 {
				text.WriteByte(',')
			}
			fmt.Fprint(&text, v)
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(b.TempDir(), "x.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	benchLoad(b, path)
}

func BenchmarkWriteNPY(b *testing.B) {
	m := benchMatrix()
	path := filepath.Join(b.TempDir(), "x.npy")
	b.SetBytes(8 * benchRows * benchColumns)
	for b.Loop() {
		if err := export.WriteNPY(path, m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	s, err := FromMatrix(benchMatrix(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(8 * benchRows * benchColumns)
	for b.Loop() {
		s.Fingerprint()
	}
}
