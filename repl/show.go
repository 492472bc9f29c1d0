package repl

import (
	"fmt"
	"reflect"
	"strconv"
	"sync/atomic"
)

// Display is something that a cell shows while it runs.
type Display struct {
	Result Result // that is shown
	Bundle Bundle // its forms
	ID     string // names what was shown, to be changed later
	Update bool   // of what was shown under ID before
	Clear  bool   // only takes away what the cell has shown so far
	Wait   bool   // takes it away when the next thing comes
}

// Handle stands for something that a cell has shown.
type Handle struct {
	session *Session
	id      string
}

var handles atomic.Int64

// displaySymbols is the package display, which is there in cells only.
func (s *Session) displaySymbols() map[string]reflect.Value {
	return map[string]reflect.Value{
		"Show":     reflect.ValueOf(s.displayShow),
		"Clear":    reflect.ValueOf(s.displayClear),
		"Out":      reflect.ValueOf(s.outputOf),
		"HTML":     reflect.ValueOf(richText("text/html")),
		"Markdown": reflect.ValueOf(richText("text/markdown")),
		"LaTeX":    reflect.ValueOf(richText("text/latex")),
		"SVG":      reflect.ValueOf(richText("image/svg+xml")),
		"PNG":      reflect.ValueOf(richPNG),
		"JSON":     reflect.ValueOf(richJSON),
		"Handle":   reflect.ValueOf((*Handle)(nil)),
		"Rich":     reflect.ValueOf((*Rich)(nil)),
	}
}

// displayShow shows values one below the other, and returns a handle by which
// the last of them can be changed.
func (s *Session) displayShow(values ...any) *Handle {
	h := &Handle{session: s, id: "symmom-" + strconv.FormatInt(handles.Add(1), 10)}
	for i, v := range values {
		d := Display{Result: Result{Values: []any{v}}}
		if i == len(values)-1 {
			d.ID = h.id
		}
		s.display(d)
	}
	return h
}

// Update puts v in the place of what the handle stands for. A terminal, which
// cannot, shows it below.
func (h *Handle) Update(v any) {
	if h == nil || h.session == nil {
		return
	}
	h.session.display(Display{Result: Result{Values: []any{v}}, ID: h.id, Update: true})
}

// displayClear takes away what the cell has shown, at once or, with
// Clear(true), when something new comes, which flickers less.
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
		fmt.Fprintln(s.config.Stdout, d.Bundle[textPlain])
	}
}
