package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// inspection is the way in which a compiled function inspects an argument of type
// any.
type inspection int

const (
	inspectsNothing inspection = iota
	writes                     // as text
	fills                      // sets fields by name
	visits                     // uses fields and methods by name
	reflects                   // inspects everything, as package reflect does
)

// inspectors are the functions that inspect the fields or methods of a value.
var inspectors = map[string]inspection{
	"encoding/json.Marshal":                     writes,
	"encoding/json.MarshalIndent":               writes,
	"(*encoding/json.Encoder).Encode":           writes,
	"encoding/json.Unmarshal":                   fills,
	"(*encoding/json.Decoder).Decode":           fills,
	"encoding/xml.Marshal":                      writes,
	"encoding/xml.MarshalIndent":                writes,
	"(*encoding/xml.Encoder).Encode":            writes,
	"(*encoding/xml.Encoder).EncodeElement":     writes,
	"encoding/xml.Unmarshal":                    fills,
	"(*encoding/xml.Decoder).Decode":            fills,
	"(*encoding/xml.Decoder).DecodeElement":     fills,
	"(*encoding/gob.Encoder).Encode":            fills,
	"(*encoding/gob.Decoder).Decode":            fills,
	"encoding/gob.Register":                     reflects,
	"encoding/gob.RegisterName":                 reflects,
	"(*text/template.Template).Execute":         visits,
	"(*text/template.Template).ExecuteTemplate": visits,
	"(*html/template.Template).Execute":         visits,
	"(*html/template.Template).ExecuteTemplate": visits,
	"reflect.TypeOf":                            reflects,
	"reflect.ValueOf":                           reflects,
	"net/rpc.Register":                          reflects,
	"net/rpc.RegisterName":                      reflects,
	"(*net/rpc.Server).Register":                reflects,
	"(*net/rpc.Server).RegisterName":            reflects,
	"encoding/asn1.Marshal":                     reflects,
	"encoding/asn1.Unmarshal":                   reflects,
}

// inspected lowers an argument that the called function inspects.
func (l *Lowering) inspected(x ast.Expr, how inspection, by string) ast.Expr {
	p, t := syntax.At(x.Pos()), l.info.TypeOf(x)
	if repr.IsNilType(t) {
		return l.expr(x)
	}
	if path, method, ok := strings.Cut(by, ")."); ok { // (*text/template.Template).Execute
		by = path[strings.LastIndexAny(path, "/*(")+1:] + "." + method
	}
	if !types.IsInterface(t) {
		l.refuseInspection(p, t, how, by)
	} else if id, ok := ast.Unparen(x).(*ast.Ident); how == reflects && (!ok || !l.parameters[l.info.Uses[id]]) && l.reflected == nil {
		l.reflected = func() { l.refuseReflected(p, by) }
	}
	y := l.value(x, repr.AnyType)
	switch how {
	case writes: // the called function takes boxes
		return y
	case visits:
		return p.Support("Visited", y)
	case fills:
		return p.Support("Target", y)
	}
	return p.Support("Reflected", p.Quoted(by), y)
}

// encodes lowers a call of a method of an encoder to one that knows the types of cells, or
// returns nil.
func (l *Lowering) encodes(p syntax.At, x, out *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	f := l.callee(x)
	if !ok || f == nil || inspectors[f.FullName()] != writes || l.info.Selections[sel] == nil || l.info.Selections[sel].Kind() != types.MethodVal {
		return nil
	}
	to := strings.ToUpper(f.Pkg().Name())
	return p.Support(f.Name(), append([]ast.Expr{p.Quoted(to), l.methodValue(sel, l.info.Selections[sel])}, out.Args...)...)
}

// refuseInspection rejects the argument if the function would observe a difference
// from compiled Go.
func (l *Lowering) refuseInspection(p syntax.At, t types.Type, how inspection, by string) {
	switch how {
	case reflects:
		if repr.NeedsBox(t) {
			l.Fail(p, "%s would not see the names and methods of %s, which a cell declares; %%T, %%+v and %%#v of fmt print them", by, repr.TypeTitle(t))
		}
	case visits:
		if named := l.within(t, func(t types.Type) bool { return exportedMethod(t) != "" }); named != nil {
			l.Fail(p, "%s would not find the method %s of %s, which a cell declares; give the template functions (Funcs), or fields with the values", by, exportedMethod(named), repr.TypeTitle(named))
		}
	case fills:
		names := []string{"UnmarshalJSON", "UnmarshalText", "UnmarshalXML", "GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary"}
		if named := l.within(t, func(t types.Type) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				return methodOf(t, name) && strings.HasPrefix(by[strings.LastIndex(by, "/")+1:], map[byte]string{
					'J': "json",
					'X': "xml",
					'G': "gob",
					'M': "gob",
					'U': "gob",
					'T': "",
				}[kindOfName(name)])
			})
		}); named != nil {
			l.Fail(p, "%s would not call the methods of %s, which a cell declares; read into another type and convert", by, repr.TypeTitle(named))
		}
		if named := l.within(t, func(t types.Type) bool {
			if _, ok := t.Underlying().(*types.Interface); ok {
				return !repr.IsCompiled(t)
			}
			return l.within(t.Underlying(), func(inner types.Type) bool { return types.Identical(inner, t) }) != nil
		}); named != nil {
			l.Fail(p, "%s cannot fill %s here: a type that refers to itself, or an interface that a cell declares; read into another type and convert", by, repr.TypeTitle(named))
		}
	}
}

func kindOfName(name string) byte {
	for _, k := range []string{"JSON", "XML", "Gob", "Text"} {
		if strings.Contains(name, k) {
			return k[0]
		}
	}
	return 'M'
}

// within returns t or a component of t that is declared in cells and for which is
// returns true, or nil if none.
func (l *Lowering) within(t types.Type, is func(types.Type) bool) types.Type {
	seen := map[types.Type]bool{}
	var visit func(t types.Type) types.Type
	visit = func(t types.Type) types.Type {
		t = types.Unalias(t)
		if seen[t] {
			return nil
		}
		seen[t] = true
		if n, ok := t.(*types.Named); ok {
			if !gofront.Interpreted(n.Obj()) {
				return nil
			}
			if is(n) {
				return n
			}
		}
		var parts []types.Type
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			parts = append(parts, u.Elem())
		case *types.Slice:
			parts = append(parts, u.Elem())
		case *types.Array:
			parts = append(parts, u.Elem())
		case *types.Map:
			parts = append(parts, u.Key(), u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if f.Exported() || f.Embedded() { // nobody looks at others
					parts = append(parts, f.Type())
				}
			}
		}
		for _, part := range parts {
			if found := visit(part); found != nil {
				return found
			}
		}
		return nil
	}
	return visit(t)
}

// exportedMethod returns the name of an exported method of *t, or "" if none.
func exportedMethod(t types.Type) string {
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if name := m.Obj().Name(); token.IsExported(name) {
			return name
		}
	}
	return ""
}

func methodOf(t types.Type, name string) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := o.(*types.Func)
	return ok
}
