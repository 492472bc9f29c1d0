package support

import (
	"bufio"
	"bytes"
	"fmt"
	"hash"
	"io"
	"reflect"
	"strconv"
	"strings"
	"text/tabwriter"

	"symmom/repl/internal/boxed"
)

// printBuiltin implements print and println.
func (r *Runtime) printBuiltin(line bool, args ...any) {
	var b strings.Builder
	for i, x := range args {
		if line && i > 0 {
			b.WriteByte(' ')
		}
		if w, ok := x.(verbatim); ok {
			b.WriteString(string(w))
			continue
		}
		b.WriteString(printed(reflect.ValueOf(boxed.Raw(x))))
	}
	if line {
		b.WriteByte('\n')
	}
	fmt.Fprint(r.session.Stderr, b.String())
}

// printedInterface returns the output of print for an interface. For a non-nil
// interface Go writes two addresses; printedInterface returns the value.
func printedInterface(x any) any {
	if x == nil {
		return verbatim("(0x0,0x0)")
	}
	return x
}

// verbatim is text that is printed unchanged.
type verbatim string

// printed formats a value as print does.
func printed(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "nil"
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	case v.Kind() == reflect.String, v.Kind() == reflect.Bool, v.CanInt(), v.CanUint():
		return fmt.Sprint(v)
	case v.Kind() == reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case v.Kind() == reflect.Pointer, v.Kind() == reflect.Map, v.Kind() == reflect.Chan, v.Kind() == reflect.Func, v.Kind() == reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	}
	return "(" + v.Type().String() + ")"
}

func sprint(a ...any) string   { return fmt.Sprint(boxed.Spaced(a)...) }
func sprintln(a ...any) string { return fmt.Sprintln(boxed.Operands(false, a)...) }

func sprintf(f string, a ...any) string {
	a = boxed.Operands(false, a)
	return fmt.Sprintf(boxed.Verbs(f, a), a...)
}

// logText is the text of a log, made when it is written: a deferred call may come later.
type logText func() string

// String returns the text.
func (t logText) String() string { return t() }

// printers returns the functions of fmt that print, for operands that may be of types of
// cells.
func (r *Runtime) printers() map[string]reflect.Value {
	write := func(w io.Writer, text string) (int, error) { return w.Write([]byte(text)) }
	later := func(w io.Writer, text string) (n int, err error) {
		r.await("the write", func() { n, err = write(w, text) })
		return n, err
	}
	to := func(w io.Writer, text string) (int, error) {
		switch x := w.(type) {
		case *bytes.Buffer, *strings.Builder, *tabwriter.Writer, hash.Hash:
			return write(w, text)
		case *bufio.Writer:
			if x != nil && x.Available() >= len(text) {
				return write(w, text)
			}
		}
		return later(w, text)
	}
	return map[string]reflect.Value{
		"Sprint":   reflect.ValueOf(sprint),
		"Sprintln": reflect.ValueOf(sprintln),
		"Sprintf":  reflect.ValueOf(sprintf),
		"Print":    reflect.ValueOf(func(a ...any) (int, error) { return write(r.session.Stdout, sprint(a...)) }),
		"Println":  reflect.ValueOf(func(a ...any) (int, error) { return write(r.session.Stdout, sprintln(a...)) }),
		"Printf":   reflect.ValueOf(func(f string, a ...any) (int, error) { return write(r.session.Stdout, sprintf(f, a...)) }),
		"Fprint":   reflect.ValueOf(func(w io.Writer, a ...any) (int, error) { return to(w, sprint(a...)) }),
		"Fprintln": reflect.ValueOf(func(w io.Writer, a ...any) (int, error) { return to(w, sprintln(a...)) }),
		"Fprintf":  reflect.ValueOf(func(w io.Writer, f string, a ...any) (int, error) { return to(w, sprintf(f, a...)) }),
		"Append":   reflect.ValueOf(func(b []byte, a ...any) []byte { return append(b, sprint(a...)...) }),
		"Appendln": reflect.ValueOf(func(b []byte, a ...any) []byte { return append(b, sprintln(a...)...) }),
		"Appendf":  reflect.ValueOf(func(b []byte, f string, a ...any) []byte { return append(b, sprintf(f, a...)...) }),
		"Errorf": reflect.ValueOf(func(f string, a ...any) error {
			a = boxed.Operands(true, a)
			return fmt.Errorf(boxed.Verbs(f, a), a...)
		}),
	}
}
