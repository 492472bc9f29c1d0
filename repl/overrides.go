package repl

import (
	"context"
	"maps"
	"os"
	"reflect"

	"github.com/traefik/yaegi/interp"

	"symmom/datasets"
	"symmom/paper"
	"symmom/symmom"
	"symmom/widgets"
)

// overrides returns the functions that need to know the session in which they are
// called.
func (s *Session) overrides() interp.Exports {
	env := s.env
	constructors := map[string]reflect.Value{
		"Load":       reflect.ValueOf(env.Load),
		"Stream":     reflect.ValueOf(env.Stream),
		"Read":       reflect.ValueOf(env.Read),
		"LoadMatrix": reflect.ValueOf(env.LoadMatrix),
		"LoadModel":  reflect.ValueOf(env.LoadModel),
		"FromRows":   reflect.ValueOf(env.FromRows),
		"FromCSR":    reflect.ValueOf(env.FromCSR),
		"FromMatrix": reflect.ValueOf(env.FromMatrix),
	}
	generators := map[string]reflect.Value{
		"Digits": reflect.ValueOf(func() *symmom.Session { return env.Adopt(datasets.Digits()) }),
		"Iris":   reflect.ValueOf(func() *symmom.Session { return env.Adopt(datasets.Iris()) }),
		"Wine":   reflect.ValueOf(func() *symmom.Session { return env.Adopt(datasets.Wine()) }),
		"GaussianMixture": reflect.ValueOf(func(g datasets.MixtureOptions) *datasets.Mixture {
			x := datasets.GaussianMixtureContext(s.longCallContext(), g)
			x.Session = env.Adopt(x.Session)
			return x
		}),
		"Uniform": reflect.ValueOf(func(n, observations int, seed uint64) *symmom.Session {
			return env.Adopt(datasets.UniformContext(s.longCallContext(), n, observations, seed))
		}),
	}
	// An interrupt of the cell also ends an experiment.
	run := func(ctx context.Context, name string, settings paper.Settings) (*paper.Result, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.longCallContext(), cancel)()
		return paper.Run(ctx, name, settings)
	}
	overrides := interp.Exports{
		"symmom/paper/paper":   {"Run": reflect.ValueOf(run)},
		"symmom/symmom/symmom": constructors, "symmom/symmom": constructors,
		"symmom/datasets/datasets": generators,
		"display/display":          s.front.Library.Symbols["display"],
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

// allowReads lets cells read their standard input, or ends their reads: one left behind would
// take the first key of the next line.
func (s *Session) allowReads(allow bool) {
	if in, ok := s.config.Stdin.(interface{ AllowReads(allow bool) }); ok {
		in.AllowReads(allow)
	}
}
