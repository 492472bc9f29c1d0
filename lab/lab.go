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
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/mat"

	source "symmom"
	"symmom/charts"
	"symmom/datasets"
	"symmom/internal/data/describe"
	"symmom/internal/data/load"
	"symmom/internal/estimate/progress"
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
	const components = "the true components, a matrix with one in each column, or the means of groups, data.GroupMeans() of a table with labels"
	return &repl.Library{
		Symbols:   symbols.All(),
		Types:     symbols.Types,
		Sources:   sources,
		Preloaded: []string{"symmom/symmom", "symmom/datasets", "symmom/charts"},
		Bind:      bind,
		Describe:  summary,
		Names:     names,
		Once:      charts.Once(),
		Advice:    map[string]string{"plot": draws, "figure": draws, "scatter": draws, "hist": draws, "size": size, "shape": size},
		Wants: map[string]string{
			"symmom/symmom.Fit.Score": components, "symmom/symmom.Model.Score": components, "symmom/symmom.Sweep.Score": components, "symmom/symmom.Evaluation.Score": components,
			"symmom/symmom.Mixture.Score":   "the true means, a matrix with one in each column; known groups are compared by mix.Agreement(data)",
			"gonum.org/v1/gonum/mat.Matrix": "a matrix, such as fit.Model.Factors, data.Matrix() or mat.NewDense(2, 2, []float64{1, 2, 3, 4})",
		},
		Name:    "symmom",
		About:   "moments of data, in Go",
		Example: "datasets.Uniform(20, 500, 1).Moment(3).Decompose(2)",
		Load:    "symmom.Load",
		Build:   "symmom kernel build",
		Links:   [][2]string{{"The paper", "https://arxiv.org/abs/1911.03813"}},
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
	host := &progress.Host{Context: h.Context}
	if h.Progress != nil {
		var last atomic.Int64
		host.Progress = func(r progress.Report) { // in words once a millisecond: an iteration may take less than these
			if now := time.Now().UnixMilli(); last.Swap(now) != now || r.Done {
				h.Progress(describeProgress(symmom.Progress(r)))
			}
		}
	}
	ctx := host.In()
	options := func(given []symmom.LoadOptions) []symmom.LoadOptions {
		if len(given) == 0 {
			return []symmom.LoadOptions{{Context: ctx}}
		}
		own := slices.Clone(given)
		if own[0].Context == nil {
			own[0].Context = ctx
		}
		return own
	}
	load := func(from func(string, ...symmom.LoadOptions) *symmom.Session) reflect.Value {
		return reflect.ValueOf(func(path string, o ...symmom.LoadOptions) *symmom.Session { return from(path, options(o)...) })
	}
	own := func(of func() *symmom.Session) reflect.Value {
		return reflect.ValueOf(func() *symmom.Session { return of().WithContext(ctx) })
	}
	return map[string]map[string]reflect.Value{
		"symmom/symmom/symmom": {
			"Load":   load(symmom.Load),
			"Stream": load(symmom.Stream),
			"Read": reflect.ValueOf(func(r io.Reader, format string, o ...symmom.LoadOptions) *symmom.Session {
				return symmom.Read(r, format, options(o)...)
			}),
			"Texts": reflect.ValueOf(func(path string, o ...symmom.TextOptions) *symmom.Session {
				if len(o) == 0 {
					o = []symmom.TextOptions{{}}
				}
				own := slices.Clone(o)
				if own[0].Context == nil {
					own[0].Context = ctx
				}
				return symmom.Texts(path, own...)
			}),
			"Query": reflect.ValueOf(func(db *sql.DB, text string, args ...any) *symmom.Session {
				var given []symmom.LoadOptions
				if n := len(args); n > 0 {
					if o, ok := args[n-1].(symmom.LoadOptions); ok {
						given, args = append(given, o), args[:n-1]
					}
				}
				return symmom.Query(db, text, append(slices.Clone(args), options(given)[0])...)
			}),
			"Describe": reflect.ValueOf(func(path string, o ...symmom.LoadOptions) *symmom.Description {
				return symmom.Describe(path, options(o)...)
			}),
			"LoadMatrix": reflect.ValueOf(func(path string, o ...symmom.LoadOptions) (*mat.Dense, error) {
				return symmom.LoadMatrix(path, options(o)...)
			}),
			"LoadTopics": reflect.ValueOf(func(path string, o ...symmom.LoadOptions) (*symmom.Topics, error) {
				return symmom.LoadTopics(path, options(o)...)
			}),
			"LoadMixture": reflect.ValueOf(func(path string, o ...symmom.LoadOptions) (*symmom.Mixture, error) {
				return symmom.LoadMixture(path, options(o)...)
			}),
			"LoadModel": reflect.ValueOf(func(path string, o ...symmom.LoadOptions) (*symmom.Model, error) {
				return symmom.LoadModel(path, options(o)...)
			}),
			"FromRows": reflect.ValueOf(func(rows [][]float64) *symmom.Session { return symmom.FromRows(rows).WithContext(ctx) }),
			"FromCSR": reflect.ValueOf(func(n int, start, index []int, values []float64) *symmom.Session {
				return symmom.FromCSR(n, start, index, values).WithContext(ctx)
			}),
			"FromMatrix": reflect.ValueOf(func(m mat.Matrix) *symmom.Session { return symmom.FromMatrix(m).WithContext(ctx) }),
		},
		"symmom/datasets/datasets": {
			"Digits": own(datasets.Digits),
			"Iris":   own(datasets.Iris),
			"Wine":   own(datasets.Wine),
			"GaussianMixture": reflect.ValueOf(func(g datasets.MixtureOptions) *datasets.Mixture {
				x := datasets.GaussianMixtureContext(h.Context(), g)
				x.Session = x.Session.WithContext(ctx)
				return x
			}),
			"Uniform": reflect.ValueOf(func(n, observations int, seed uint64) *symmom.Session {
				return datasets.UniformContext(h.Context(), n, observations, seed).WithContext(ctx)
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

// names returns the columns of a table where one is named: of a session, or of a file.
func names(ctx context.Context, where string, of any) []string {
	switch where {
	case "symmom/symmom.Session.Select", "symmom/symmom.LoadOptions.Columns", "symmom/symmom.LoadOptions.Labels", "symmom/symmom.LoadOptions.Weights", "symmom/symmom.TextOptions.Column":
	default:
		return nil
	}
	switch x := of.(type) {
	case *symmom.Session:
		return x.Columns()
	case string:
		// What waits in a pipe can be read once, and a server is not asked before the call is run.
		if info, err := os.Stat(x); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			return nil
		}
		out, _ := describe.Names(ctx, x, load.Options{})
		return out
	}
	return nil
}

// summary tells what %data lists, and the shape of data.
func summary(v any) (what, shape string) {
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
