// Package wire is the language of a session and the program of a compiled cell. It is compiled
// with each cell, so it imports the standard library only.
package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"unsafe"
)

// Mark separates output of calls; the session draws it at random.
type Mark [16]byte

// File is the name of the cell's source.
const File = "cell.go"

// Stream sends values of Go through pipes, to a program on the same machine. The receiver
// knows their types: bool, numbers, strings, slices of these, and error, of which only the
// text is sent. Numbers are sent as they are in memory.
type Stream struct {
	r    *bufio.Reader
	w    *bufio.Writer
	fail error // the first one of reading

	// Room is called before something large is read, with its bytes; it panics if they do not fit.
	Room func(bytes float64)
}

// NewStream returns a Stream.
func NewStream(r io.Reader, w io.Writer) *Stream {
	return &Stream{r: bufio.NewReaderSize(r, 1<<16), w: bufio.NewWriterSize(w, 1<<16), Room: func(float64) {}}
}

// Flush sends what was put, and returns the first error of putting.
func (s *Stream) Flush() error { return s.w.Flush() }

// Err returns the first error of getting. What was got since is meaningless.
func (s *Stream) Err() error { return s.fail }

// flat reports whether values of a type are bytes without pointers: bool and numbers.
func flat(t reflect.Type) bool { return t.Kind() <= reflect.Complex128 }

// memory returns the bytes of the elements of a slice of flat ones.
func memory(v reflect.Value) []byte {
	if v.Len() == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}

func bytesOf(p reflect.Value) []byte {
	return unsafe.Slice((*byte)(p.UnsafePointer()), p.Type().Elem().Size())
}

// PutLen sends a number that is not negative.
func (s *Stream) PutLen(n int) { s.PutBytes(binary.AppendUvarint(nil, uint64(n))) }

// PutBytes sends bytes whose number the receiver knows.
func (s *Stream) PutBytes(b []byte) { _, _ = s.w.Write(b) } // Flush returns the error

// Len returns a number that PutLen has sent.
func (s *Stream) Len() int {
	n, err := binary.ReadUvarint(s.r)
	if err == nil && int(n) < 0 {
		err = errors.New("not a length")
	}
	if s.fail == nil {
		s.fail = err
	}
	if s.fail != nil {
		return 0
	}
	return int(n)
}

// Bytes fills b.
func (s *Stream) Bytes(b []byte) {
	if s.fail == nil {
		_, s.fail = io.ReadFull(s.r, b)
	}
}

// Put sends a value.
func (s *Stream) Put(v reflect.Value) {
	switch t := v.Type(); {
	case flat(t):
		p := reflect.New(t)
		p.Elem().Set(v)
		s.PutBytes(bytesOf(p))
	case t.Kind() == reflect.String:
		s.PutLen(v.Len())
		_, _ = s.w.WriteString(v.String())
	case t.Kind() == reflect.Interface: // error
		if v.IsNil() {
			s.PutLen(0)
			return
		}
		s.PutLen(1)
		s.Put(reflect.ValueOf(v.Interface().(error).Error()))
	case v.IsNil():
		s.PutLen(0)
	default:
		s.PutLen(v.Len() + 1)
		if flat(t.Elem()) {
			s.PutBytes(memory(v))
			return
		}
		for i := range v.Len() {
			s.Put(v.Index(i))
		}
	}
}

// Get receives a value of type t.
func (s *Stream) Get(t reflect.Type) reflect.Value {
	p := reflect.New(t)
	v := p.Elem()
	switch {
	case flat(t):
		s.Bytes(bytesOf(p))
	case t.Kind() == reflect.String:
		n := s.Len()
		s.Room(float64(n))
		b := make([]byte, n)
		s.Bytes(b)
		v.SetString(unsafe.String(unsafe.SliceData(b), n))
	case t.Kind() == reflect.Interface:
		if s.Len() > 0 {
			v.Set(reflect.ValueOf(errors.New(s.Get(reflect.TypeFor[string]()).String())))
		}
	default:
		n := s.Len() - 1
		if n < 0 {
			return v
		}
		s.Room(float64(n) * float64(t.Elem().Size()))
		v.Set(reflect.MakeSlice(t, n, n))
		if flat(t.Elem()) {
			s.Bytes(memory(v))
			return v
		}
		for i := 0; i < n && s.fail == nil; i++ {
			v.Index(i).Set(s.Get(t.Elem()))
		}
	}
	return v
}

// Kept is a copy of a slice, to find out later which elements have changed.
type Kept struct {
	shallow reflect.Value
	within  []Kept // of slices of slices
}

// Keep copies a slice.
func Keep(v reflect.Value) Kept {
	k := Kept{shallow: reflect.MakeSlice(v.Type(), v.Len(), v.Len())}
	reflect.Copy(k.shallow, v)
	if v.Type().Elem().Kind() == reflect.Slice {
		for i := range v.Len() {
			k.within = append(k.within, Keep(v.Index(i)))
		}
	}
	return k
}

// PutChanges sends the elements of a slice that are no longer as they were. Only these, so that
// what was written through one of two slices that share memory is not undone by the other.
func (s *Stream) PutChanges(v reflect.Value, k Kept) {
	if t := v.Type().Elem(); flat(t) {
		s.putRuns(memory(v), memory(k.shallow), int(t.Size()))
		return
	}
	for i := range v.Len() {
		x, was := v.Index(i), k.shallow.Index(i)
		switch {
		case x.Kind() == reflect.Slice && x.UnsafePointer() == was.UnsafePointer() && x.Len() == was.Len():
			s.PutLen(0)
			s.PutChanges(x, k.within[i])
		case x.Kind() == reflect.String && x.String() == was.String():
			s.PutLen(0)
		default:
			s.PutLen(1)
			s.Put(x)
		}
	}
}

// putRuns sends the runs of elements that differ: the length of each, where it begins, and its
// bytes.
func (s *Stream) putRuns(b, was []byte, size int) {
	if !bytes.Equal(b, was) {
		same := func(i int) bool { return bytes.Equal(b[i:i+size], was[i:i+size]) }
		for i := 0; i < len(b); i += size {
			if same(i) {
				continue
			}
			begin := i
			for i < len(b) && !same(i) {
				i += size
			}
			s.PutLen(i - begin)
			s.PutLen(begin)
			s.PutBytes(b[begin:i])
		}
	}
	s.PutLen(0)
}

// GetChanges sets the elements of v that the sender's slice has changed.
func (s *Stream) GetChanges(v reflect.Value) {
	t := v.Type().Elem()
	if flat(t) {
		b := memory(v)
		for n := s.Len(); n > 0 && s.fail == nil; n = s.Len() {
			begin := s.Len()
			if begin > len(b) || n > len(b)-begin {
				s.fail = errors.New("not a part of the slice")
				return
			}
			s.Bytes(b[begin : begin+n])
		}
		return
	}
	for i := 0; i < v.Len() && s.fail == nil; i++ {
		switch x := v.Index(i); {
		case s.Len() > 0:
			if y := s.Get(t); s.fail == nil {
				x.Set(y)
			}
		case t.Kind() == reflect.Slice:
			s.GetChanges(x)
		}
	}
}
