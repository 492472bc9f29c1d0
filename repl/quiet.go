package repl

import (
	"io"
	"log"
	"runtime"
	"strings"
	"sync"
)

// yaegi's compiler logs with the standard logger before it panics. That would appear
// on the screen next to the error of the cell. So while a session compiles, the
// writer of the standard logger drops these lines, and no others: goroutines of
// cells, and the program that contains the session, may log at the same time.
var quiet struct {
	sync.Mutex
	compiling int // number of sessions
	writer    *quietWriter
}

// hush drops what the interpreter logs until the returned function is called.
func hush() (end func()) {
	quiet.Lock()
	defer quiet.Unlock()
	if quiet.compiling == 0 {
		quiet.writer = &quietWriter{log.Writer()}
		log.SetOutput(quiet.writer)
	}
	quiet.compiling++
	return func() {
		quiet.Lock()
		defer quiet.Unlock()
		quiet.compiling--
		if quiet.compiling == 0 && log.Writer() == quiet.writer { // unless someone else has set another writer
			log.SetOutput(quiet.writer.Writer)
		}
	}
}

// quietWriter drops what the interpreter itself logs. It recognizes calls by cells,
// which reach package log through package reflect.
type quietWriter struct{ io.Writer }

func (q *quietWriter) Write(b []byte) (int, error) {
	pc := make([]uintptr, 16)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	frame, more := frames.Next()
	for more && strings.HasPrefix(frame.Function, "log.") {
		frame, more = frames.Next()
	}
	if strings.HasPrefix(frame.Function, "github.com/traefik/yaegi/interp.") {
		return len(b), nil
	}
	return q.Writer.Write(b)
}
