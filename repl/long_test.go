package repl

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

// longCells are cells of many lines, a line of each given by its number.
var longCells = []struct{ name, begin, line, end string }{
	{"statements", "", "x += %d\n", ""},
	{"calls", "", "double(x + %d)\n", ""},
	{"variables", "", "v%[1]d := x + %[1]d\n", ""},
	{"functions", "", "func g%[1]d(a int) int { return a + %[1]d }\n", ""},
	{"types", "", "type T%d struct{ a, b int }\n", ""},
	{"methods", "type M struct{ a int }\n", "func (m M) F%[1]d() int { return m.a + %[1]d }\n", ""},
	{"branches", "", "if x < %d { x++ }\n", ""},
	{"loops", "", "for i := range 2 { x += i * %d }\n", ""},
	{"closures", "", "f = func(a int) int { return a + x + %d }\n", ""},
	{"body", "func body() {\n", "y%[1]d := x + %[1]d\n_ = y%[1]d\n", "}\n"},
	{"numbers", "z := []int{\n", "%d,\n", "}\n"},
	{"structs", "z := []P{\n", "{%d, 2},\n", "}\n"},
	{"words", "z := map[string]int{\n", "\"k%[1]d\": %[1]d,\n", "}\n"},
	{"comment", "", "// line %d\n", "x\n"},
}

// Cells of 10 to 100,000 lines: time and memory should grow with the length. The exponent
// is that from a tenth of the longest to the longest.
func BenchmarkLongCells(b *testing.B) {
	for _, c := range longCells {
		b.Run(c.name, func(b *testing.B) {
			var seconds, bytes [2]float64
			for b.Loop() {
				for lines := 10; lines <= 100_000; lines *= 10 {
					var source strings.Builder
					source.WriteString(c.begin)
					for i := range lines {
						fmt.Fprintf(&source, c.line, i)
					}
					source.WriteString(c.end)
					s := newSession(b)
					s.must(b, "type P struct{ a, b int }\nx := 1\ndouble := func(a int) int { return 2 * a }\nvar f func(int) int")
					var before, after runtime.MemStats
					runtime.GC()
					runtime.ReadMemStats(&before)
					begin := time.Now()
					s.must(b, source.String())
					took := time.Since(begin)
					runtime.ReadMemStats(&after)
					seconds = [2]float64{seconds[1], took.Seconds()}
					bytes = [2]float64{bytes[1], float64(after.TotalAlloc - before.TotalAlloc)}
					b.Logf("%6d lines: %8.3f s, %8.1f MB", lines, seconds[1], bytes[1]/1e6)
				}
			}
			b.ReportMetric(seconds[1]/1e5*1e6, "µs/line")
			b.ReportMetric(math.Log10(seconds[1]/seconds[0]), "exponent-of-time")
			b.ReportMetric(math.Log10(bytes[1]/bytes[0]), "exponent-of-memory")
		})
	}
}
