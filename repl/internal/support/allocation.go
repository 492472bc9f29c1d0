package support

import (
	"bytes"
	"fmt"
	"math/bits"
	"reflect"
	"strings"

	"github.com/shirou/gopsutil/v4/mem"
	"github.com/traefik/yaegi/interp"
	gonum "gonum.org/v1/gonum/mat"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/syntax"
)

// If there is no memory for a slice, Go ends the process and nothing can recover from
// that. So large allocations by cells are checked first.

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
	if n > 0 && n >= syntax.LargeAllocation/max(size, 1) {
		mustFit("make", n, size)
	}
	return n
}

func mustFit(what string, n, size int) {
	over, need := bits.Mul64(uint64(max(n, 0)), uint64(size))
	if over == 0 && need < syntax.LargeAllocation {
		return
	}
	free, err := mem.VirtualMemory()
	if over == 0 && (err != nil || need <= free.Available) {
		return
	}
	text := "more bytes than any machine has"
	if over == 0 {
		text = fmt.Sprintf("%.1f GB, and %.1f GB are free on this machine", float64(need)/1e9, float64(free.Available)/1e9)
	}
	panic(boxed.RuntimeError("out of memory: " + what + " of " + text))
}

// roomy are functions of packages that allocate large pieces of memory.
func roomy() interp.Exports {
	dense := func(rows, columns int, data []float64) *gonum.Dense {
		if data == nil && rows > 0 && columns > 0 {
			mustFit("a matrix", rows, 8*columns)
		}
		return gonum.NewDense(rows, columns, data)
	}
	symmetric := func(n int, data []float64) *gonum.SymDense {
		if data == nil && n > 0 {
			mustFit("a matrix", n, 8*n)
		}
		return gonum.NewSymDense(n, data)
	}
	repeat := func(s string, n int) string {
		mustFit("a string", n, len(s))
		return strings.Repeat(s, n)
	}
	repeatBytes := func(b []byte, n int) []byte {
		mustFit("a slice", n, len(b))
		return bytes.Repeat(b, n)
	}
	return interp.Exports{
		"gonum.org/v1/gonum/mat/mat": {"NewDense": reflect.ValueOf(dense), "NewSymDense": reflect.ValueOf(symmetric)},
		"strings/strings":            {"Repeat": reflect.ValueOf(repeat)},
		"bytes/bytes":                {"Repeat": reflect.ValueOf(repeatBytes)},
	}
}
