package support

import (
	"reflect"
	"strconv"
	"strings"
)

// listed returns the functions that read the constants of long literals, see lower/long.go.
func listed() map[string]reflect.Value {
	integer := func(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }
	natural := func(s string) uint64 { n, _ := strconv.ParseUint(s, 10, 64); return n }
	float := func(s string) float64 { f, _ := strconv.ParseFloat(s, 64); return f }
	return map[string]reflect.Value{
		"Listedint": list[int](integer), "Listedint8": list[int8](integer), "Listedint16": list[int16](integer),
		"Listedint32": list[int32](integer), "Listedint64": list[int64](integer), "Listedrune": list[int32](integer),
		"Listeduint": list[uint](natural), "Listeduint8": list[uint8](natural), "Listeduint16": list[uint16](natural),
		"Listeduint32": list[uint32](natural), "Listeduint64": list[uint64](natural), "Listedbyte": list[uint8](natural), "Listeduintptr": list[uintptr](natural),
		"Listedfloat32": list[float32](float), "Listedfloat64": list[float64](float),
		"Listedstring": reflect.ValueOf(func(text string) []string {
			var out []string
			for text != "" {
				length, rest, _ := strings.Cut(text, " ")
				n, _ := strconv.Atoi(length)
				out = append(out, strings.Clone(rest[:n]))
				text = rest[n:]
			}
			return out[:len(out):len(out)]
		}),
	}
}

func list[T, F int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr | float32 | float64](read func(string) F) reflect.Value {
	return reflect.ValueOf(func(text string) []T {
		out := make([]T, 0, strings.Count(text, " "))
		for text != "" {
			var s string
			s, text, _ = strings.Cut(text, " ")
			out = append(out, T(read(s)))
		}
		return out
	})
}
