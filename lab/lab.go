// Package lab is the laboratory: a Go session in which symmom, charts, datasets and paper
// are available.
//
//	s, err := repl.New(repl.Config{Library: lab.Library()})
//	r, err := s.Eval(ctx, `symmom.Load("data.npy").Moment(3).Decompose(5)`)
//
// Sessions, terminals and kernels know nothing of moments; this package tells them what
// they need to know of the library: its names and types, the functions that are bound to
// a session, how progress and data are described, and texts.
package lab

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	source "symmom"
	"symmom/datasets"
	"symmom/lab/symbols"
	"symmom/paper"
	"symmom/repl"
	"symmom/symmom"
)

// Library returns symmom for sessions, terminals and kernels.
func Library() *repl.Library { return library() }

var library = sync.OnceValue(func() *repl.Library {
	const draws = "package charts draws: charts? lists its charts"
	const size = "a matrix has x.Dims(), data have x.Observations() and x.N()"
	return &repl.Library{
		Symbols:   symbols.All(),
		Types:     symbols.Types,
		Sources:   sources,
		Preloaded: []string{"symmom/symmom", "symmom/datasets", "symmom/charts"},
		Bind:      bind,
		Describe:  describe,
		Advice:    map[string]string{"plot": draws, "figure": draws, "scatter": draws, "hist": draws, "size": size, "shape": size},
		Name:      "symmom",
		About:     "moments of data, in Go",
		Example:   "datasets.Uniform(20, 500, 1).Moment(3).Decompose(2)",
		Load:      "symmom.Load",
		Build:     "symmom kernel build",
		Links:     [][2]string{{"The paper", "https://arxiv.org/abs/1911.03813"}},
	}
})

// sources returns the files of one of the public packages.
func sources(importPath string) (texts [][]byte, err error) {
	dir, own := strings.CutPrefix(importPath, "symmom/")
	if !own {
		return nil, nil
	}
	names, err := fs.Glob(source.Files, dir+"/*.go")
	for _, name := range names {
		text, err := source.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, err
}

// bind returns the functions that load, draw or run something, with the context and the
// progress of the session.
func bind(h repl.Host) map[string]map[string]reflect.Value {
	env := &symmom.Environment{Context: h.Context}
	if h.Progress != nil {
		var last atomic.Int64
		env.Progress = func(p symmom.Progress) { // in words once a millisecond: an iteration may take less than these
			if now := time.Now().UnixMilli(); last.Swap(now) != now || p.Done {
				h.Progress(progress(p))
			}
		}
	}
	return map[string]map[string]reflect.Value{
		"symmom/symmom/symmom": {
			"Load":        reflect.ValueOf(env.Load),
			"Stream":      reflect.ValueOf(env.Stream),
			"Read":        reflect.ValueOf(env.Read),
			"Query":       reflect.ValueOf(env.Query),
			"Describe":    reflect.ValueOf(env.Describe),
			"LoadMatrix":  reflect.ValueOf(env.LoadMatrix),
			"LoadMixture": reflect.ValueOf(env.LoadMixture),
			"LoadModel":   reflect.ValueOf(env.LoadModel),
			"FromRows":    reflect.ValueOf(env.FromRows),
			"FromCSR":     reflect.ValueOf(env.FromCSR),
			"FromMatrix":  reflect.ValueOf(env.FromMatrix),
		},
		"symmom/datasets/datasets": {
			"Digits": reflect.ValueOf(func() *symmom.Session { return env.Adopt(datasets.Digits()) }),
			"Iris":   reflect.ValueOf(func() *symmom.Session { return env.Adopt(datasets.Iris()) }),
			"Wine":   reflect.ValueOf(func() *symmom.Session { return env.Adopt(datasets.Wine()) }),
			"GaussianMixture": reflect.ValueOf(func(g datasets.MixtureOptions) *datasets.Mixture {
				x := datasets.GaussianMixtureContext(h.Context(), g)
				x.Session = env.Adopt(x.Session)
				return x
			}),
			"Uniform": reflect.ValueOf(func(n, observations int, seed uint64) *symmom.Session {
				return env.Adopt(datasets.UniformContext(h.Context(), n, observations, seed))
			}),
		},
		"symmom/paper/paper": {
			// An interrupt of the cell also ends an experiment.
			"Run": reflect.ValueOf(func(ctx context.Context, name string, settings paper.Settings) (*paper.Result, error) {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				defer context.AfterFunc(h.Context(), cancel)()
				return paper.Run(ctx, name, settings)
			}),
		},
	}
}

// describe tells what %data lists, and the shape of data.
func describe(v any) (what, shape string) {
	switch x := v.(type) {
	case *symmom.Session:
		if x.Err() == nil {
			shape = fmt.Sprintf("%d x %d", x.Observations(), x.N())
		}
		return "data", shape
	case *symmom.Moment, *symmom.Fit, *symmom.Sweep, *symmom.Model, *symmom.Score:
		return strings.ToLower(reflect.TypeOf(x).Elem().Name()), ""
	}
	return "", ""
}
