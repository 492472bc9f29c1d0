package gofront

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wrongArgument matches messages about an argument of another type, and what they say of methods.
var wrongArgument = regexp.MustCompile(`^(cannot use .* as .* value in argument to [^:]*)(: .* does not implement .*)?$`)

// mostTries is how many expressions are suggested.
const mostTries = 3

// suggestArgument adds to the message about an argument of another type what is wanted, and what
// of the session has that type. Functions that cells declare are their author's.
func (sc *Scope) suggestArgument(msg string, decls []ast.Decl, info *types.Info, pos token.Pos) string {
	m := wrongArgument.FindStringSubmatch(msg)
	if m == nil {
		return msg
	}
	call, i := argumentAt(decls, pos)
	if call == nil {
		return msg
	}
	f := called(info, call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() == "main" {
		return msg
	}
	arg, want := call.Args[i], parameter(f.Signature(), i)
	if wants := sc.s.Library.Wants[fullName(f)]; wants != "" {
		return m[1] + "; want " + wants
	}
	if tries := sc.tries(info, f, i, arg, want, pos); len(tries) > 0 {
		return m[1] + "; try " + strings.Join(tries[:min(len(tries), mostTries)], " or ")
	}
	if named, ok := types.Unalias(want).(*types.Named); ok && sc.s.Library.Wants[fullName(named.Obj())] != "" {
		return m[1] + "; want " + sc.s.Library.Wants[fullName(named.Obj())]
	}
	return msg
}

// tries lists expressions of the type that is wanted of an argument: the number in a string or the
// string of a number; results of methods of the argument, and its fields; functions with a like name
// that take the argument; a literal of options; and variables.
func (sc *Scope) tries(info *types.Info, f *types.Func, i int, arg ast.Expr, want types.Type, pos token.Pos) (out []string) {
	tv := info.Types[arg]
	if tv.Type == nil || want == nil {
		return nil
	}
	if basic, ok := types.Unalias(want).(*types.Basic); ok {
		return converted(arg, basic)
	}
	if arg := types.ExprString(arg); len(arg) <= 40 {
		out = sc.parts(arg, tv.Type, want, 2)
	}
	if f.Signature().Recv() == nil {
		names := f.Pkg().Scope().Names()
		for _, name := range names {
			g, ok := f.Pkg().Scope().Lookup(name).(*types.Func)
			if ok && g != f && g.Exported() && alike(f.Name(), name) && g.Signature().Params().Len() == f.Signature().Params().Len() &&
				types.Identical(g.Signature().Results(), f.Signature().Results()) && types.AssignableTo(types.Default(tv.Type), parameter(g.Signature(), i)) {
				out = append(out, f.Pkg().Name()+"."+name)
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	if name := asked(want); name != "" {
		if _, ok := want.Underlying().(*types.Struct); ok {
			return []string{name + "{}"}
		}
	}
	add := func(name string, o types.Object) {
		if v, ok := o.(*types.Var); ok && token.IsIdentifier(name) && v.Type() != nil && types.AssignableTo(v.Type(), want) {
			out = append(out, name)
		}
	}
	for name, o := range sc.objects {
		add(name, o)
	}
	for id, o := range info.Defs {
		if id.Pos() < pos && o != nil && sc.objects[id.Name] == nil {
			add(id.Name, o)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}

// parts lists what of a value has a type: fields, their fields, and results of methods without
// parameters.
func (sc *Scope) parts(of string, t, want types.Type, depth int) (out []string) {
	for _, m := range Members(t, false) {
		name := of + "." + m.Object.Name()
		switch o := m.Object.(type) {
		case *types.Var:
			if types.AssignableTo(o.Type(), want) {
				out = append(out, name)
			} else if p, ok := o.Type().(*types.Pointer); ok && depth > 1 {
				out = append(out, sc.parts(name, p, want, depth-1)...)
			}
		case *types.Func:
			s := o.Signature()
			if s.Params().Len() == 0 && s.Results().Len() == 1 && !types.Identical(s.Results().At(0).Type(), t) && types.AssignableTo(s.Results().At(0).Type(), want) {
				out = append(out, name+"()")
			}
		}
	}
	return out
}

// decimal matches numbers that read the same in a string and in Go.
var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,15})(\.[0-9]+)?$`)

// converted returns a literal as one of another type: the number in a string, or the string of a number.
func converted(arg ast.Expr, want *types.Basic) []string {
	lit, ok := ast.Unparen(arg).(*ast.BasicLit)
	if !ok {
		return nil
	}
	switch {
	case lit.Kind != token.STRING && want.Info()&types.IsString != 0:
		if decimal.MatchString(lit.Value) {
			return []string{strconv.Quote(lit.Value)}
		}
	case lit.Kind == token.STRING && want.Info()&types.IsNumeric != 0:
		number, _ := strconv.Unquote(lit.Value)
		if decimal.MatchString(number) && (want.Info()&types.IsInteger == 0 || !strings.Contains(number, ".")) {
			return []string{number}
		}
	}
	return nil
}

// alike reports whether names of functions begin alike, as FromRows and FromMatrix do.
func alike(a, b string) bool {
	const letters = 4
	return len(a) >= letters && strings.HasPrefix(b, a[:letters])
}

// argumentAt returns the innermost call with an argument at a position.
func argumentAt(decls []ast.Decl, pos token.Pos) (call *ast.CallExpr, i int) {
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				for j, a := range c.Args {
					if a.Pos() <= pos && pos < a.End() {
						call, i = c, j
					}
				}
			}
			return true
		})
	}
	return call, i
}

// called returns the function or the method of a call, nil if it has no name.
func called(info *types.Info, call *ast.CallExpr) *types.Func {
	name, ok := call.Fun.(*ast.Ident)
	if sel, selects := call.Fun.(*ast.SelectorExpr); selects {
		name, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	f, _ := info.Uses[name].(*types.Func)
	return f
}

// parameter returns the type of the parameter of an argument, nil if there is none.
func parameter(s *types.Signature, i int) types.Type {
	last := s.Params().Len() - 1
	switch {
	case last < 0 || i > last && !s.Variadic():
		return nil
	case i >= last && s.Variadic():
		return s.Params().At(last).Type().(*types.Slice).Elem()
	}
	return s.Params().At(i).Type()
}

// fullName returns "symmom/symmom.Session", "symmom/symmom.Load" or "symmom/symmom.Session.Select".
func fullName(o types.Object) string {
	if o.Pkg() == nil {
		return ""
	}
	name := o.Name()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		name = TypeNameOf(f.Signature().Recv().Type()) + "." + name
	}
	return o.Pkg().Path() + "." + name
}
