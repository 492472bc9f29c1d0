package repl

import (
	"fmt"
	"reflect"
	"strconv"
	"sync/atomic"

	"symmom/repl/internal/display"
)

// Bundle returns all forms of a single value, and the text of several. It is empty
// if there is nothing to show.
func (r Result) Bundle() Bundle { return display.New(r.Values) }

// String describes the values, one below the other: each by its String method or
// as fmt prints it. It is empty if there is no value.
func (r Result) String() string { return display.Text(r.Values) }

// Shown returns the values that String describes, without a nil error at the end.
func (r Result) Shown() []any { return display.Shown(r.Values) }

// Display is something that a cell shows while it runs.
type Display struct {
	Result Result // that is shown
	Bundle Bundle // its forms
	ID     string // by which it can be replaced later
	Update bool   // replaces what was shown under ID before
	Clear  bool   // only removes what the cell has shown so far
	Wait   bool   // removes it when the next thing is shown
}

var handles atomic.Int64

// displaySymbols is the package display, which only cells can use.
func (s *Session) displaySymbols() map[string]reflect.Value {
	return map[string]reflect.Value{
		"Show":     reflect.ValueOf(s.displayShow),
		"Clear":    reflect.ValueOf(s.displayClear),
		"Out":      reflect.ValueOf(s.outputOf),
		"HTML":     reflect.ValueOf(display.RichText("text/html")),
		"Markdown": reflect.ValueOf(display.RichText("text/markdown")),
		"LaTeX":    reflect.ValueOf(display.RichText("text/latex")),
		"SVG":      reflect.ValueOf(display.RichText("image/svg+xml")),
		"PNG":      reflect.ValueOf(display.RichPNG),
		"JSON":     reflect.ValueOf(display.RichJSON),
		"Handle":   reflect.ValueOf((*Handle)(nil)),
		"Rich":     reflect.ValueOf((*Rich)(nil)),
	}
}

// displayShow shows values one below the other, and returns a handle by which the
// last of them can be replaced.
func (s *Session) displayShow(values ...any) *Handle {
	id := "symmom-" + strconv.FormatInt(handles.Add(1), 10)
	for i, v := range values {
		d := Display{Result: Result{Values: []any{v}}}
		if i == len(values)-1 {
			d.ID = id
		}
		s.display(d)
	}
	return display.NewHandle(func(v any) {
		s.display(Display{Result: Result{Values: []any{v}}, ID: id, Update: true})
	})
}

// displayClear removes what the cell has shown: at once or, with Clear(true), when
// something new is shown, which flickers less.
func (s *Session) displayClear(wait ...bool) {
	if s.config.Display != nil {
		s.config.Display(Display{Clear: true, Wait: len(wait) > 0 && wait[0]})
	}
}

func (s *Session) display(d Display) {
	d.Bundle = d.Result.Bundle()
	switch {
	case len(d.Bundle) == 0:
	case s.config.Display != nil:
		s.config.Display(d)
	default:
		fmt.Fprintln(s.config.Stdout, d.Bundle[display.TextPlain])
	}
}
