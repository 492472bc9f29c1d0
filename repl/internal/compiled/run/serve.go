// Package run is the part of the program of a compiled cell that answers the session. Package
// compiled embeds it and compiles it with each cell, and the session must not import it.
//
// The session sends the number of a function and its arguments to the standard input. When the
// function has returned, the answer goes to the standard output: its results, and the elements
// of arguments that it has changed. What the cell prints goes to the standard error, in which
// the Mark shows where the output of a call ends. The program ends with its standard input,
// also while it computes, and thus with the session.
package run

import (
	"fmt"
	"os"
	"os/signal"
	"path"
	"reflect"
	"runtime"
	"sync"

	"symmom/repl/internal/compiled/wire"
)

var in, out = os.Stdin, os.Stdout

// The variables of the cell are initialized after those of packages that it imports, so they
// see these streams.
func init() {
	os.Stdout = os.Stderr
	os.Stdin, _ = os.Open(os.DevNull)
}

// call is a call of a function of the cell.
type call struct {
	function reflect.Value
	args     []reflect.Value
	kept     map[int]wire.Kept // copies of those that are slices
	results  []reflect.Value
	failed   string // why the function has not returned
	line     int    // of the cell, where it has panicked; 0 if unknown
}

// Serve calls functions for the session until that ends.
func Serve(functions ...any) {
	signal.Ignore(os.Interrupt) // Ctrl-C in a terminal is for the session, which ends this program if need be
	s := wire.NewStream(in, out)
	var mark wire.Mark
	var answering sync.Mutex // the next call may come before Flush returns
	s.Bytes(mark[:])
	_, _ = os.Stderr.Write(mark[:])
	for {
		c := &call{kept: map[int]wire.Kept{}}
		if n := s.Len(); s.Err() == nil {
			c.function = reflect.ValueOf(functions[n])
			for i := range c.function.Type().NumIn() {
				v := s.Get(c.function.Type().In(i))
				if c.args = append(c.args, v); v.Kind() == reflect.Slice {
					c.kept[i] = wire.Keep(v)
				}
			}
		}
		if s.Err() != nil {
			os.Exit(0)
		}
		go func() {
			defer func() { // also after runtime.Goexit
				answering.Lock()
				defer answering.Unlock()
				c.answer(s, mark)
			}()
			c.run()
		}()
	}
}

func (c *call) run() {
	c.failed = "the function has called runtime.Goexit"
	defer func() {
		if r := recover(); r != nil {
			c.failed, c.line = fmt.Sprint(r), line()
		}
	}()
	if c.function.Type().IsVariadic() {
		c.results = c.function.CallSlice(c.args)
	} else {
		c.results = c.function.Call(c.args)
	}
	c.failed = ""
}

func (c *call) answer(s *wire.Stream, mark wire.Mark) {
	_, _ = os.Stderr.Write(mark[:])
	s.PutBytes(mark[:])
	s.Put(reflect.ValueOf(c.failed))
	s.PutLen(c.line)
	for _, v := range c.results {
		s.Put(v)
	}
	for i, v := range c.args {
		if v.Kind() == reflect.Slice {
			s.PutChanges(v, c.kept[i])
		}
	}
	if s.Flush() != nil {
		os.Exit(0)
	}
}

// line returns the line of the cell that panics.
func line() int {
	pc := make([]uintptr, 100)
	frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc)])
	for {
		f, more := frames.Next()
		if path.Base(f.File) == wire.File {
			return f.Line
		}
		if !more {
			return 0
		}
	}
}
