package support

import (
	"bytes"
	"fmt"
	"math/bits"
	"reflect"
	"strings"

	"github.com/traefik/yaegi/interp"
	gonum "gonum.org/v1/gonum/mat"

	"symmom/internal/system/memory"
	"symmom/repl/internal/boxed"
	"symmom/repl/internal/syntax"
)

// If there is no memory for a slice, Go ends the process and nothing can recover from
// that. So large allocations by cells are checked first.

// reserve is the memory that Go takes besides: it gets it in pieces of 64 MB, and
// stacks of threads are in it, too.
const reserve = 128 << 20

// addressable is the number of bytes that Go can address.
const addressable = 1 << 48

// length returns n, the length of something with elements of this size, if there is
// enough memory.
func length(n, size int, what string) int {
	if over, need := bits.Mul64(uint64(max(n, 0)), uint64(size)); n < 0 || over > 0 || need > addressable {
		text := what + " out of range"
		if strings.HasPrefix(what, "makeslice") {
			text = "runtime error: " + text
		}
		panic(boxed.RuntimeError(text))
	}
	mustFit("make", float64(n)*float64(size))
	return n
}

// mustFit panics unless there is memory for something of so many bytes. Limits of
// containers and of the process count.
func mustFit(what string, bytes float64) {
	if bytes < syntax.LargeAllocation {
		return
	}
	text := "more bytes than any machine has"
	if bytes <= addressable {
		free := max(0, memory.Free()-reserve)
		if bytes <= free {
			return
		}
		text = fmt.Sprintf("%.1f GB, and %.1f GB are free", bytes/1e9, free/1e9)
	}
	panic(boxed.RuntimeError("out of memory: " + what + " of " + text))
}

// matrices are the functions of gonum that allocate if they are given no data, and the
// bytes that they allocate, from their arguments of type int.
var matrices = map[string]struct {
	make  any
	bytes func(n []float64) float64
}{
	"NewDense":        {gonum.NewDense, func(n []float64) float64 { return 8 * n[0] * n[1] }},
	"NewCDense":       {gonum.NewCDense, func(n []float64) float64 { return 16 * n[0] * n[1] }},
	"NewSymDense":     {gonum.NewSymDense, func(n []float64) float64 { return 8 * n[0] * n[0] }},
	"NewTriDense":     {gonum.NewTriDense, func(n []float64) float64 { return 8 * n[0] * n[0] }},
	"NewBandDense":    {gonum.NewBandDense, func(n []float64) float64 { return 8 * min(n[0], n[1]+n[2]) * (n[2] + n[3] + 1) }},
	"NewSymBandDense": {gonum.NewSymBandDense, func(n []float64) float64 { return 8 * n[0] * (n[1] + 1) }},
	"NewTriBandDense": {gonum.NewTriBandDense, func(n []float64) float64 { return 8 * n[0] * (n[1] + 1) }},
	"NewVecDense":     {gonum.NewVecDense, func(n []float64) float64 { return 8 * n[0] }},
	"NewDiagDense":    {gonum.NewDiagDense, func(n []float64) float64 { return 8 * n[0] }},
	"NewDiagonalRect": {gonum.NewDiagonalRect, func(n []float64) float64 { return 8 * min(n[0], n[1]) }},
	"NewTridiag":      {gonum.NewTridiag, func(n []float64) float64 { return 24 * n[0] }},
}

// roomy are functions of packages that allocate large pieces of memory.
func roomy() interp.Exports {
	mat := map[string]reflect.Value{}
	for name, m := range matrices {
		f := reflect.ValueOf(m.make)
		mat[name] = reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
			var n []float64
			for _, a := range args {
				if a.CanInt() {
					n = append(n, float64(max(a.Int(), 0))) // the function says that it is negative
				}
			}
			if args[len(args)-1].IsNil() {
				mustFit("a matrix", m.bytes(n))
			}
			return f.Call(args)
		})
	}
	repeat := func(s string, n int) string {
		mustFit("a string", float64(n)*float64(len(s)))
		return strings.Repeat(s, n)
	}
	repeatBytes := func(b []byte, n int) []byte {
		mustFit("a slice", float64(n)*float64(len(b)))
		return bytes.Repeat(b, n)
	}
	out := interp.Exports{
		"gonum.org/v1/gonum/mat/mat": mat,
		"strings/strings":            {"Repeat": reflect.ValueOf(repeat)},
		"bytes/bytes":                {"Repeat": reflect.ValueOf(repeatBytes)},
		"image/image":                imageMakers(),
		"reflect/reflect":            {},
	}
	for name, f := range reflected {
		out["reflect/reflect"][name] = reflect.ValueOf(f)
	}
	for key, table := range texts() {
		for name, f := range table {
			out[key][name] = reflect.ValueOf(f)
		}
	}
	return out
}

// Room returns why there is no memory for something of so many bytes, or "".
func (r *Runtime) Room(what string, bytes float64) (why string) {
	defer func() {
		if err := recover(); err != nil {
			why = fmt.Sprint(err)
		}
	}()
	mustFit(what, bytes)
	return ""
}
