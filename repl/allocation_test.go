package repl

import (
	"go/token"
	"runtime"
	"strings"
	"testing"

	"symmom/repl/internal/gofront"
)

// TestNoRoom makes what no machine has memory for, in one piece. It must end the
// cell, not the process.
func TestNoRoom(t *testing.T) {
	s := newSession(t)
	for _, cell := range []string{
		"n := 1 << 46\nb := make([]byte, n)",
		"make([]byte, 1<<46)",
		"make([]byte, 0, n)",
		"make(chan [2]byte, n)",
		"import \"strings\"\nstrings.Repeat(\"ab\", n)",
		"import \"bytes\"\nbytes.Repeat([]byte(\"ab\"), n)",
		"mat.NewDense(n, n, nil)",
		"mat.NewSymDense(n, nil)",
		"mat.NewTriDense(1<<23, mat.Upper, nil)",
		"mat.NewCDense(n, n, nil)",
		"mat.NewVecDense(n, nil)",
		"mat.NewDiagDense(n, nil)",
		"mat.NewDiagonalRect(n, n, nil)",
		"mat.NewBandDense(n, n, 1, 1, nil)",
		"mat.NewSymBandDense(n, 1, nil)",
		"mat.NewTriBandDense(n, 1, mat.Lower, nil)",
		"mat.NewTridiag(n, nil, nil, nil)",
		"a := mat.NewDense(1<<23, 1, nil)\nvar d mat.Dense\nd.Mul(a, a.T())",
		"d.Outer(1, a.ColView(0), a.ColView(0))",
		"d.Kronecker(a, a)",
		"d.Product(a, a.T())",
		"a.Grow(0, 1<<23)",
		"d.Solve(a.T(), a.T())",
		"mat.NewSymDense(1, nil).SymOuterK(1, a)",
		"var svd mat.SVD\nsvd.Factorize(a, mat.SVDFull)",
		"import \"image\"\nimage.NewRGBA(image.Rect(0, 0, 1<<24, 1<<24))",
		"image.NewGray16(image.Rect(0, 0, 1<<24, 1<<24))",
		"var b [1 << 44]byte",
		"func() { var b [1 << 44]byte; _ = b }()",
		"type Large struct { b [1 << 44]byte }\nvar l Large",
		"import \"reflect\"\nreflect.MakeSlice(reflect.TypeFor[[]byte](), n, n)",
		"reflect.MakeMapWithSize(reflect.TypeFor[map[int]int](), n)",
		"import \"math/big\"\nnew(big.Int).Lsh(big.NewInt(1), 1<<50)",
		"new(big.Int).SetBit(new(big.Int), 1<<50, 1)",
		"new(big.Int).Exp(big.NewInt(10), big.NewInt(1<<50), nil)",
		"strings.ReplaceAll(strings.Repeat(\"a\", 1<<22), \"a\", strings.Repeat(\"b\", 1<<22))",
		"bytes.ReplaceAll(bytes.Repeat([]byte(\"a\"), 1<<22), []byte(\"a\"), bytes.Repeat([]byte(\"b\"), 1<<22))",
		"strings.Join(make([]string, 1<<22), strings.Repeat(\"b\", 1<<22))",
		"func() { var b bytes.Buffer; b.Grow(n) }()",
		"func() { var b strings.Builder; b.Grow(n) }()",
	} {
		_, err := s.Eval(t.Context(), cell)
		if err == nil || !strings.Contains(err.Error(), "out of memory: ") {
			t.Errorf("%s\nends with %v", cell, err)
		}
	}
	if r, err := s.Eval(t.Context(), "n = 3; []any{mat.Sum(mat.NewTriDense(2, mat.Upper, []float64{1, 2, 3, 4})), mat.NewVecDense(n, nil).Len(), mat.NewBandDense(5, 4, 1, 0, nil).RawBand().Data}"); err != nil || r.String() != "[7 3 [0 0 0 0 0 0 0 0 0 0]]" {
		t.Errorf("matrices for which there is room: %v, %v", r, err)
	}
	if _, err := s.Eval(t.Context(), "mat.NewVecDense(-1, nil)"); err == nil || !strings.Contains(err.Error(), "negative dimension") {
		t.Errorf("a negative length: %v", err)
	}
	s.must(t, "n = 1 << 46")
	if r, err := s.Eval(t.Context(), "len(make([]int, n>>40))"); err != nil || r.String() != "64" {
		t.Errorf("a slice for which there is room: %v, %v", r, err)
	}
}

// TestParseInProportion: four times the methods take four times the memory to parse, although
// each is tried as a call first.
func TestParseInProportion(t *testing.T) {
	allocated := func(n int) uint64 {
		c, err := gofront.NewCell(1, "", strings.Repeat("func (t T) Get() int {\n\treturn 1\n}\n", n))
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = c.Parse(t.Context(), token.NewFileSet())
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if a, b := allocated(1000), allocated(4000); b > 6*a {
		t.Errorf("1,000 methods take %d bytes, 4,000 take %d", a, b)
	}
}
