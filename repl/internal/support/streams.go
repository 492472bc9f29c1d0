package support

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"net"
	"os"
	"reflect"
	"strings"
)

// Methods that cells call for each line or byte are awaited without a function of the cell
// between, and called as they are where they read and write memory.

// below are the fields in which readers and writers hold those below them.
var below = map[reflect.Type]string{
	reflect.TypeFor[bufio.Scanner](): "r", reflect.TypeFor[bufio.Reader](): "rd", reflect.TypeFor[bufio.Writer](): "wr",
	reflect.TypeFor[csv.Reader](): "r", reflect.TypeFor[csv.Writer](): "w",
}

var fieldBelow = func() map[reflect.Type]int {
	out := map[reflect.Type]int{}
	for t, name := range below {
		if f, ok := t.FieldByName(name); ok && len(f.Index) == 1 {
			out[t] = f.Index[0]
		}
	}
	return out
}()

var inMemory = map[reflect.Type]bool{
	reflect.TypeFor[strings.Reader](): true, reflect.TypeFor[bytes.Reader](): true, reflect.TypeFor[bytes.Buffer](): true, reflect.TypeFor[strings.Builder](): true,
}

// neverWaits reports whether a reader or writer reads or writes memory.
func neverWaits(x any) bool {
	v := reflect.ValueOf(x)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true // it panics
		}
		if v = v.Elem(); v.Kind() != reflect.Struct {
			continue
		}
		if inMemory[v.Type()] {
			return true
		}
		i, ok := fieldBelow[v.Type()]
		if !ok {
			return false
		}
		v = v.Field(i)
	}
	return false
}

type pair[R, S any] struct {
	r R
	s S
}

func one[T, R any](r *Runtime, what string, f func(T) R) any {
	return func(x T) R {
		if neverWaits(x) {
			return f(x)
		}
		out := new(R)
		r.await(what, func() { *out = f(x) })
		return *out
	}
}

func two[T, R, S any](r *Runtime, what string, f func(T) (R, S)) any {
	return func(x T) (R, S) {
		if neverWaits(x) {
			return f(x)
		}
		out := new(pair[R, S])
		r.await(what, func() { out.r, out.s = f(x) })
		return out.r, out.s
	}
}

func oneOf[T, A, R any](r *Runtime, what string, f func(T, A) R) any {
	return func(x T, a A) R {
		if neverWaits(x) {
			return f(x, a)
		}
		out := new(R)
		r.await(what, func() { *out = f(x, a) })
		return *out
	}
}

func twoOf[T, A, R, S any](r *Runtime, what string, f func(T, A) (R, S)) any {
	return func(x T, a A) (R, S) {
		if neverWaits(x) {
			return f(x, a)
		}
		out := new(pair[R, S])
		r.await(what, func() { out.r, out.s = f(x, a) })
		return out.r, out.s
	}
}

// streams returns these methods, by their names in lower/sync.go.
func (r *Runtime) streams() map[string]any {
	return map[string]any{
		"ScannerScan": one(r, "bufio.Scanner.Scan", (*bufio.Scanner).Scan),

		"ReaderReadByte":   two(r, "bufio.Reader.ReadByte", (*bufio.Reader).ReadByte),
		"ReaderReadString": twoOf(r, "bufio.Reader.ReadString", (*bufio.Reader).ReadString),
		"ReaderReadBytes":  twoOf(r, "bufio.Reader.ReadBytes", (*bufio.Reader).ReadBytes),
		"ReaderRead":       twoOf(r, "bufio.Reader.Read", (*bufio.Reader).Read),

		"WriterFlush":       one(r, "bufio.Writer.Flush", (*bufio.Writer).Flush),
		"WriterWriteByte":   oneOf(r, "bufio.Writer.WriteByte", (*bufio.Writer).WriteByte),
		"WriterWriteRune":   twoOf(r, "bufio.Writer.WriteRune", (*bufio.Writer).WriteRune),
		"WriterWriteString": twoOf(r, "bufio.Writer.WriteString", (*bufio.Writer).WriteString),
		"WriterWrite":       twoOf(r, "bufio.Writer.Write", (*bufio.Writer).Write),

		"CSVRead":  two(r, "csv.Reader.Read", (*csv.Reader).Read),
		"CSVWrite": oneOf(r, "csv.Writer.Write", (*csv.Writer).Write),

		"FileRead":        twoOf(r, "os.File.Read", (*os.File).Read),
		"FileWrite":       twoOf(r, "os.File.Write", (*os.File).Write),
		"FileWriteString": twoOf(r, "os.File.WriteString", (*os.File).WriteString),
		"ConnRead":        twoOf(r, "net.Conn.Read", net.Conn.Read),
		"ConnWrite":       twoOf(r, "net.Conn.Write", net.Conn.Write),
	}
}
