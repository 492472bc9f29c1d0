package support

import (
	"bytes"
	"image"
	"math"
	"math/big"
	"reflect"
	"strings"

	gonum "gonum.org/v1/gonum/mat"
)

// A single large allocation of compiled code cannot be interrupted. So functions and
// methods whose results may be much larger than what they are given are checked before they
// run.

// replaceAll implements strings.ReplaceAll and, with n, strings.Replace.
func replaceAll(s, from, to string, n int) string {
	most := float64(len(s)) // occurrences
	if from != "" {
		most = float64(len(s) / len(from))
	}
	if len(to) > len(from) && float64(len(s))+(1+most)*float64(len(to)-len(from)) >= 1<<20 { // else counting takes longer
		count := strings.Count(s, from)
		if n >= 0 {
			count = min(count, n)
		}
		mustFit("a string", float64(len(s))+float64(count)*float64(len(to)-len(from)))
	}
	return strings.Replace(s, from, to, n)
}

// texts are functions of strings and bytes.
func texts() map[string]map[string]any {
	return map[string]map[string]any{
		"strings/strings": {
			"ReplaceAll": func(s, from, to string) string { return replaceAll(s, from, to, -1) },
			"Replace":    replaceAll,
			"Join": func(list []string, sep string) string {
				mustFit("a string", float64(len(list))*float64(len(sep)))
				return strings.Join(list, sep)
			},
		},
		"bytes/bytes": {
			"ReplaceAll": func(s, from, to []byte) []byte { return replaceBytes(s, from, to, -1) },
			"Replace":    replaceBytes,
		},
	}
}

func replaceBytes(s, from, to []byte, n int) []byte {
	if more := len(to) - len(from); more > 0 && float64(len(s)+1)*float64(more) >= 1<<20 {
		count := bytes.Count(s, from)
		if n >= 0 {
			count = min(count, n)
		}
		mustFit("a slice", float64(len(s))+float64(count)*float64(more))
	}
	return bytes.Replace(s, from, to, n)
}

// images are the constructors of package image, and the bytes of a pixel.
var images = map[string]struct {
	make  any
	pixel float64
}{
	"NewRGBA": {image.NewRGBA, 4}, "NewRGBA64": {image.NewRGBA64, 8}, "NewNRGBA": {image.NewNRGBA, 4}, "NewNRGBA64": {image.NewNRGBA64, 8},
	"NewAlpha": {image.NewAlpha, 1}, "NewAlpha16": {image.NewAlpha16, 2}, "NewGray": {image.NewGray, 1}, "NewGray16": {image.NewGray16, 2},
	"NewCMYK": {image.NewCMYK, 4}, "NewPaletted": {image.NewPaletted, 1}, "NewYCbCr": {image.NewYCbCr, 3}, "NewNYCbCrA": {image.NewNYCbCrA, 4},
}

func imageMakers() map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for name, m := range images {
		f := reflect.ValueOf(m.make)
		out[name] = reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
			r := args[0].Interface().(image.Rectangle)
			mustFit("an image", m.pixel*math.Max(0, float64(r.Dx()))*math.Max(0, float64(r.Dy())))
			return f.Call(args)
		})
	}
	return out
}

// reflected are functions of package reflect that allocate.
var reflected = map[string]any{
	"MakeSlice": func(t reflect.Type, length, capacity int) reflect.Value {
		if t.Kind() == reflect.Slice {
			mustFit("a slice", float64(max(capacity, 0))*float64(t.Elem().Size()))
		}
		return reflect.MakeSlice(t, length, capacity)
	},
	"MakeMapWithSize": func(t reflect.Type, n int) reflect.Value {
		if t.Kind() == reflect.Map {
			mustFit("a map", float64(max(n, 0))*float64(t.Key().Size()+t.Elem().Size()))
		}
		return reflect.MakeMapWithSize(t, n)
	},
	"MakeChan": func(t reflect.Type, n int) reflect.Value {
		if t.Kind() == reflect.Chan {
			mustFit("a channel", float64(max(n, 0))*float64(t.Elem().Size()))
		}
		return reflect.MakeChan(t, n)
	},
	"New": func(t reflect.Type) reflect.Value {
		if t != nil {
			mustFit("a value", float64(t.Size()))
		}
		return reflect.New(t)
	},
}

// sized are methods, by their names in lower/sync.go.
func sized() map[string]any {
	matrix := func(rows, columns int) { mustFit("a matrix", 8*float64(rows)*float64(columns)) }
	rows := func(a gonum.Matrix) int { n, _ := a.Dims(); return n }
	columns := func(a gonum.Matrix) int { _, n := a.Dims(); return n }
	return map[string]any{
		"DenseMul":   func(m *gonum.Dense, a, b gonum.Matrix) { matrix(rows(a), columns(b)); m.Mul(a, b) },
		"DenseOuter": func(m *gonum.Dense, alpha float64, x, y gonum.Vector) { matrix(x.Len(), y.Len()); m.Outer(alpha, x, y) },
		"DenseKronecker": func(m *gonum.Dense, a, b gonum.Matrix) {
			mustFit("a matrix", 8*float64(rows(a))*float64(columns(a))*float64(rows(b))*float64(columns(b)))
			m.Kronecker(a, b)
		},
		"DenseGrow": func(m *gonum.Dense, r, c int) gonum.Matrix {
			if r >= 0 && c >= 0 {
				matrix(rows(m)+r, columns(m)+c)
			}
			return m.Grow(r, c)
		},
		"DenseProduct": func(m *gonum.Dense, factors ...gonum.Matrix) {
			if n := len(factors); n > 0 {
				matrix(rows(factors[0]), columns(factors[n-1]))
			}
			m.Product(factors...)
		},
		"DenseSolve": func(m *gonum.Dense, a, b gonum.Matrix) error { matrix(columns(a), columns(b)); return m.Solve(a, b) },
		"SymOuterK": func(s *gonum.SymDense, alpha float64, x gonum.Matrix) {
			matrix(rows(x), rows(x))
			s.SymOuterK(alpha, x)
		},
		"SVDFactorize": func(svd *gonum.SVD, a gonum.Matrix, kind gonum.SVDKind) bool {
			if kind&gonum.SVDFullU != 0 {
				matrix(rows(a), rows(a))
			}
			if kind&gonum.SVDFullV != 0 {
				matrix(columns(a), columns(a))
			}
			return svd.Factorize(a, kind)
		},
		"QRQTo": func(qr *gonum.QR, dst *gonum.Dense) { matrix(rows(qr), rows(qr)); qr.QTo(dst) },
		"LQQTo": func(lq *gonum.LQ, dst *gonum.Dense) { matrix(columns(lq), columns(lq)); lq.QTo(dst) },

		"BigLsh": func(z, x *big.Int, n uint) *big.Int {
			if x.Sign() != 0 {
				mustFit("an integer", (float64(x.BitLen())+float64(n))/8)
			}
			return z.Lsh(x, n)
		},
		"BigSetBit": func(z, x *big.Int, i int, b uint) *big.Int {
			mustFit("an integer", float64(i)/8)
			return z.SetBit(x, i, b)
		},
		"BigExp": func(z, x, y, m *big.Int) *big.Int {
			if (m == nil || m.Sign() == 0) && y.Sign() > 0 && x.BitLen() > 1 {
				e, _ := new(big.Float).SetInt(y).Float64()
				mustFit("an integer", float64(x.BitLen()-1)*e/8)
			}
			return z.Exp(x, y, m)
		},
		"BufferGrow":  func(b *bytes.Buffer, n int) { mustFit("a buffer", float64(b.Len())+float64(n)); b.Grow(n) },
		"BuilderGrow": func(b *strings.Builder, n int) { mustFit("a string", float64(b.Len())+float64(n)); b.Grow(n) },
	}
}
