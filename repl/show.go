package repl

import (
	"fmt"
	"reflect"
	"strconv"
	"sync/atomic"

	"symmom/repl/internal/display"
)

// Bundle, Quick and String call methods of the values, which a cell may have declared:
// a host calls them within Session.Call, so that endless recursion in a method ends
// only that call, and an interrupt stops it.

// Bundle returns all representations of a single value, or the text of several. It is
// empty if there is nothing to display.
func (r Result) Bundle() Bundle { return display.New(r.Values) }

// Quick is like Bundle for what is shown live and replaced soon: with the text and one
// other representation at most.
func (r Result) Quick() Bundle { return display.Quick(r.Values) }

// String formats the values, one below the other: each by its String method or as fmt
// prints it, in part if it is large. It is empty if there is no value.
func (r Result) String() string {
	text := display.Text(r.Values)
	if r.stopped != nil && r.stopped() {
		panic(ErrInterrupted) // the text is not what the methods would have returned
	}
	return text
}

// Shown returns the values that String formats, without a nil error at the end.
func (r Result) Shown() []any { return display.Shown(r.Values) }

// PNG returns the picture that a value offers, or nothing: that of its method PNG, or the
// value itself if it is an image.Image or a display.PNG.
func PNG(v any) []byte { return display.PNG(v) }

// Display is something that a cell displays while it runs.
type Display struct {
	Result Result // values displayed
	Bundle Bundle // their representations
	ID     string // identifies it for later updates
	Update bool   // replaces what was displayed under ID before
	Clear  bool   // only removes what the cell has displayed so far
	Wait   bool   // delays the removal until the next output
}

var handles atomic.Int64

// displaySymbols returns the package display, which only cells can use.
func (s *Session) displaySymbols() map[string]reflect.Value {
	return map[string]reflect.Value{
		"Show":     reflect.ValueOf(s.displayShow),
		"Clear":    reflect.ValueOf(s.displayClear),
		"Out":      reflect.ValueOf(s.outputOf),
		"Output":   reflect.ValueOf(s.capturedOutput),
		"Compiled": reflect.ValueOf(s.compiledFunction),
		"Captured": reflect.ValueOf((*display.Captured)(nil)),
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

// displayShow displays values one below the other, and returns a handle with which
// the last of them can be replaced.
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

// displayClear removes what the cell has displayed: at once or, with Clear(true),
// when something new is displayed, which flickers less.
func (s *Session) displayClear(wait ...bool) {
	if s.config.Display != nil {
		s.config.Display(Display{Clear: true, Wait: len(wait) > 0 && wait[0]})
	}
}

func (s *Session) display(d Display) {
	if c := s.capturing(); c != nil && !d.Update {
		c.show(d.Result.Values)
		return
	}
	d.Bundle = d.Result.Bundle()
	switch {
	case len(d.Bundle) == 0:
	case s.config.Display != nil:
		s.config.Display(d)
	default:
		fmt.Fprintln(s.config.Stdout, d.Bundle[display.TextPlain])
	}
}
