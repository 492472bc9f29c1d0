package support

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"net"
	"os"
	"reflect"
	"strings"
	"unsafe"
)

// Methods that cells call for each line or byte are awaited without a function of the cell
// between, and called as they are where they read and write memory.

// The readers and writers below others, which are read often.
var (
	belowScanner   = field[bufio.Scanner, io.Reader]("r")
	belowReader    = field[bufio.Reader, io.Reader]("rd")
	belowWriter    = field[bufio.Writer, io.Writer]("wr")
	belowCSVReader = field[csv.Reader, *bufio.Reader]("r")
	belowCSVWriter = field[csv.Writer, *bufio.Writer]("w")
)

// field returns a function that returns a field of a struct, of type F, or if there is none
// something else.
func field[T, F any](name string) func(*T) any {
	f, ok := reflect.TypeFor[T]().FieldByName(name)
	if !ok || f.Type != reflect.TypeFor[F]() {
		return func(*T) any { return struct{}{} }
	}
	return func(x *T) any {
		if x == nil {
			return nil
		}
		return *(*F)(unsafe.Add(unsafe.Pointer(x), f.Offset))
	}
}

// neverWaits reports whether a reader or writer reads or writes memory, or is nil and panics.
func neverWaits(x any) bool {
	for x != nil {
		switch y := x.(type) {
		case *strings.Reader, *bytes.Reader, *bytes.Buffer, *strings.Builder:
			return true
		case *bufio.Scanner:
			x = belowScanner(y)
		case *bufio.Reader:
			x = belowReader(y)
		case *bufio.Writer:
			x = belowWriter(y)
		case *csv.Reader:
			x = belowCSVReader(y)
		case *csv.Writer:
			x = belowCSVWriter(y)
		default:
			return false
		}
	}
	return true
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
