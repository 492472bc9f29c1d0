package boxed

import (
	"fmt"

	"symmom/internal/store/interruptible"
)

// A method that formats its own value calls itself without end, through fmt or another
// package. When it is stopped, its many calls end one after the other, and each would put
// the text of the one before into its own: all these texts together are large, and huge
// where quotes within them are quoted each time. So a method that is stopped has no text.

// ending returns f, a method of a cell, without the text of calls that are stopped.
func (o *Types) ending(f any) any {
	switch f := f.(type) {
	case func(any) string:
		return func(v any) string {
			text := f(v)
			if o.Stopped() {
				return ""
			}
			return text
		}
	case func(any) ([]byte, error):
		return func(v any) ([]byte, error) {
			text, err := f(v)
			if o.Stopped() {
				return nil, interruptible.Err
			}
			return text, err
		}
	case func(any, fmt.State, rune):
		return func(v any, to fmt.State, verb rune) { f(v, ending{to, o.Stopped}, verb) }
	}
	return f
}

// ending is the state of a method Format, which writes nothing once it is stopped.
type ending struct {
	fmt.State
	stopped func() bool
}

// Write implements io.Writer.
func (e ending) Write(p []byte) (int, error) {
	if e.stopped() {
		return len(p), nil
	}
	return e.State.Write(p)
}

// WriteString implements io.StringWriter, as the states of fmt do.
func (e ending) WriteString(s string) (int, error) { return e.Write([]byte(s)) }
