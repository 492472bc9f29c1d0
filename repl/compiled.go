package repl

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"symmom/repl/internal/compiled"
	"symmom/repl/internal/gofront"
)

// %%compile compiles the functions of a cell. Those that can be called from other cells are
// declared for these:
//
//	var Sum = display.Compiled(0).(func([]float64) float64)
//
// For completion and help they are the functions that they are in the cell.

const compileHelp = "The functions are ordinary Go, with imports of the standard library only. They run in a process of their own and see " +
	"neither the session's variables nor its environment. Those whose parameters and results are bool, numbers, strings, " +
	"slices of these, or error can be called from later cells; other functions, types, constants and variables are for these. " +
	"Variables last until the cell is compiled again, or the process ends: after an interrupt, os.Exit or a crash the next call starts it again.\n\n" +
	"Arguments are copied, and elements of slices that a function has changed are copied back. A call takes about 30 microseconds, and " +
	"a million float64 another 15 milliseconds, 25 if all of them are changed: compile the loop, not what it calls. Calls take turns."

func runCompile(s *Session, c invocation) (Result, error) {
	if c.args != "" || strings.TrimSpace(c.body) == "" {
		return Result{}, c.problem("expected nothing behind it, and functions in the lines below")
	}
	if err := compiled.Available(); err != nil {
		return Result{}, c.problem("%v", err)
	}
	number, _ := c.ctx.Value(numberKey{}).(int)
	cell, err := gofront.NewCell(number, "", "\n"+c.body)
	if err != nil {
		return Result{}, err
	}
	functions, err := s.compilables(c.ctx, cell)
	if err != nil {
		return Result{}, err
	}
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.name
	}
	evaluated := "" // its number
	done := s.reportCompiling()
	p, err := compiled.New(c.ctx, cell.Source, names, compiled.Session{
		Context: func() context.Context { return s.mine().ctx },
		Stdout:  s.config.Stdout,
		Room: func(bytes float64) {
			if why := s.support.Room("a result", bytes); why != "" {
				panic(errors.New(why))
			}
		},
		Where: func(line int) string { return s.where(evaluated, strconv.Itoa(line)) },
	})
	done()
	switch e, is := errors.AsType[*compiled.Error](err); {
	case c.ctx.Err() != nil:
		p.Stop()
		return Result{}, cell.Interrupted()
	case is:
		return Result{}, cell.ErrorIn("compile", e.Line, e.Column, e.Message)
	case err != nil:
		return Result{}, c.problem("%v", err)
	case len(names) == 0:
		p.Stop()
		return Result{}, c.problem("no function of the cell can be called from others: want parameters and results that are bool, numbers, strings, slices of these, or error")
	}
	defer s.enter(c.ctx)()
	var declared strings.Builder
	declared.WriteString("import \"display\"\n")
	s.mu.Lock()
	for i, f := range functions {
		fmt.Fprintf(&declared, "var %s = display.Compiled(%d).(%s)\n", f.name, len(s.compiled), f.typ)
		s.compiled = append(s.compiled, p.Func(i, f.typ).Interface())
	}
	s.mu.Unlock()
	r, err := s.evalLocked(c.ctx, "", declared.String(), nil)
	if err != nil {
		p.Stop()
		return Result{}, c.problem("%s", gofront.Message(err))
	}
	evaluated = strconv.Itoa(s.cells)
	for _, f := range functions {
		s.assistant.Declarations.Add(f.text)
	}
	s.replace(names, p)
	r.portable = newPortable(cell, nil, nil, number)
	s.journal.add(r, c.body)
	r.Values = []any{plainText("compiled: " + strings.Join(names, ", "))}
	return r, nil
}

// replace records where functions are now, and stops the programs that have no others.
func (s *Session) replace(names []string, p *compiled.Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := slices.Collect(maps.Values(s.programs))
	if s.programs == nil {
		s.programs = map[string]*compiled.Program{}
	}
	for _, name := range names {
		s.programs[name] = p
	}
	for _, old := range before {
		if !slices.Contains(slices.Collect(maps.Values(s.programs)), old) {
			old.Stop()
		}
	}
}

// Close ends the programs of compiled cells, which end with the process, too.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.programs {
		p.Stop()
	}
	s.programs = nil
}

// compiledFunction implements display.Compiled.
func (s *Session) compiledFunction(i int) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.compiled[i]
}

// reportCompiling reports progress until the function that it returns is called. With an empty
// build cache compiling takes long.
func (s *Session) reportCompiling() (done func()) {
	if s.config.Progress == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for begin := time.Now(); ; {
			p := Progress{Doing: "compiling", Remaining: -1}
			select {
			case <-end:
				p.Done = true
				s.config.Progress(p)
				return
			case <-time.After(time.Second):
				p.Elapsed = time.Since(begin)
				s.config.Progress(p)
			}
		}
	}()
	return func() { close(end); <-ended }
}

// compilable is a function of a cell that can be called from others.
type compilable struct {
	name string
	typ  reflect.Type
	text string // with the comment above it
}

// compilables returns the functions of a cell that can be called.
func (s *Session) compilables(ctx context.Context, cell *gofront.Cell) ([]compilable, error) {
	fset := token.NewFileSet()
	units, err := cell.Parse(ctx, fset)
	if err != nil {
		return nil, err
	}
	file := &ast.File{Name: ast.NewIdent("main")}
	for _, u := range units {
		if u.Body != nil {
			return nil, cell.ErrorAt(u.Start, "compile", "a compiled cell has imports and declarations only; statements go into a function or another cell")
		}
		file.Decls = append(file.Decls, u.Decls...)
	}
	at := func(p token.Pos) place {
		q := fset.Position(p)
		return place{q.Column, q.Line} // the column for the offset
	}
	items := map[place]gofront.Item{}
	for _, it := range cell.Items {
		line, column := cell.Place(it.Start)
		items[place{column, line}] = it
	}
	// What the compiler says about types is enough, and it has all packages.
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: gofront.ImporterFunc(gofront.ImportTypes), Error: func(error) {}}
	_, _ = conf.Check("main", fset, []*ast.File{file}, info)
	var out []compilable
	for _, d := range file.Decls {
		if g, is := d.(*ast.GenDecl); is && g.Tok == token.IMPORT {
			for _, spec := range g.Specs {
				imported := spec.(*ast.ImportSpec).Path
				if why := s.refusal(imported.Value); why != "" {
					p := at(imported.Pos())
					return nil, cell.ErrorIn("import", p.line, p.offset, why)
				}
			}
		}
		f, is := d.(*ast.FuncDecl)
		if !is || f.Recv != nil {
			continue
		}
		p := at(f.Pos())
		o, _ := info.Defs[f.Name].(*types.Func)
		switch {
		case f.Name.Name == "main":
			return nil, cell.ErrorIn("compile", p.line, p.offset, "function main is never called; give it another name")
		case o == nil || f.Name.Name == "init" || f.Name.Name == "_":
			continue
		}
		if t := funcType(o.Signature()); t != nil {
			out = append(out, compilable{f.Name.Name, t, cell.Documented(items[p])})
		}
	}
	return out, nil
}

// refusal returns why a compiled cell cannot import a package, given its path in quotes, or "".
func (s *Session) refusal(quoted string) string {
	path, _ := strconv.Unquote(quoted)
	switch why := gofront.Guarded[path]; {
	case path == "C":
		return "a compiled cell cannot use C"
	case why != "" && !s.Unrestricted():
		return fmt.Sprintf("package %s %s: %s", path, why, gofront.GuardNote)
	}
	return ""
}

// funcType returns the type of a function whose arguments and results can be sent, or nil.
func funcType(sig *types.Signature) reflect.Type {
	if sig.TypeParams() != nil {
		return nil
	}
	list := func(vars *types.Tuple) (out []reflect.Type, ok bool) {
		for v := range vars.Variables() {
			t := sent(v.Type())
			if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
				t = reflect.TypeFor[error]()
			}
			if t == nil {
				return nil, false
			}
			out = append(out, t)
		}
		return out, true
	}
	in, ok := list(sig.Params())
	out, also := list(sig.Results())
	if !ok || !also {
		return nil
	}
	return reflect.FuncOf(in, out, sig.Variadic())
}

// basics are the types that can be sent, besides slices and error.
var basics = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
}

// sent returns a type whose values can be sent, or nil.
func sent(t types.Type) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return basics[t.Kind()]
	case *types.Slice:
		if e := sent(t.Elem()); e != nil {
			return reflect.SliceOf(e)
		}
	}
	return nil
}
