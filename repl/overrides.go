package repl

import (
	"context"
	"maps"
	"os"
	"path"
	"reflect"

	"github.com/traefik/yaegi/interp"

	"symmom/widgets"
)

// overrides returns the functions that need to know the session in which they are
// called.
func (s *Session) overrides() interp.Exports {
	overrides := interp.Exports{"display/display": s.front.Library.Symbols["display"]}
	if bind := s.config.Library.Bind; bind != nil {
		for key, table := range bind(Host{Context: s.longCallContext, Progress: s.config.Progress}) {
			overrides[key] = table
			s.bound = append(s.bound, path.Dir(key))
		}
		overrides = shortened(overrides)
	}
	if s.config.Controls {
		overrides["symmom/widgets/widgets"] = map[string]reflect.Value{"Interact": reflect.ValueOf(widgets.Prepare)}
	}
	maps.Copy(overrides, s.support.Exports(s.front.Library))
	system := overrides["os/os"]
	// Cells can use the session's streams as files if they are files.
	stdin := any(s.config.Stdin)
	if other, ok := stdin.(interface{ ForCells() *os.File }); ok {
		stdin = other.ForCells()
	}
	for name, stream := range map[string]any{"Stdin": stdin, "Stdout": s.config.Stdout, "Stderr": s.config.Stderr} {
		if f := fileOf(stream); f != nil {
			system[name] = reflect.ValueOf(&f).Elem()
		}
	}
	if fileOf(stdin) == nil {
		in := &inputStream{File: os.Stdin, from: s.config.Stdin}
		system["Stdin"] = reflect.ValueOf(&in).Elem()
	}
	return overrides
}

// longCallContext is called by the library at the beginning of each long call.
func (s *Session) longCallContext() context.Context {
	x := s.mine()
	x.longCalls.Add(1)
	return x.ctx
}

// allowReads lets cells read their standard input, or ends their reads: one left behind would
// take the first key of the next line.
func (s *Session) allowReads(allow bool) {
	if in, ok := s.config.Stdin.(interface{ AllowReads(allow bool) }); ok {
		in.AllowReads(allow)
	}
}
