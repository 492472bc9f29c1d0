package assist

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/reference"
)

// fieldValues returns the strings that a field takes, where one of them is being typed: as its
// value in a literal, assigned to it, or compared with it. They are the constants of its package
// that begin with its name, as CovarianceFull does with that of MixtureOptions.Covariance: those that
// its documentation has in quotes, if it has any; or the words in quotes alone.
func (a *Assistant) fieldValues(at *site) []Completion {
	owner, name, element := at.field()
	if element {
		return nil
	}
	named, ok := types.Unalias(owner).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	var out []Completion
	for _, m := range a.exports(named.Obj().Pkg().Path()) {
		c, ok := m.Object.(*types.Const)
		if !ok || !strings.HasPrefix(c.Name(), name) || c.Val().Kind() != constant.String {
			continue
		}
		item := Completion{Text: constant.StringVal(c.Val()), Kind: "constant", Signature: c.Pkg().Name() + "." + c.Name()}
		if d := at.scope.documentation(m); d != nil {
			item.Doc = reference.Synopsis(d.Doc)
		}
		out = append(out, item)
	}
	var quoted []Completion
	for _, m := range gofront.Keys(named) {
		d := at.scope.documentation(m)
		if m.Object.Name() != name || d == nil {
			continue
		}
		for _, word := range quotes.FindAllStringSubmatch(d.Doc, -1) {
			item := Completion{Text: word[1], Kind: "constant", Signature: "string"}
			if !slices.Contains(quoted, item) {
				quoted = append(quoted, item)
			}
		}
	}
	if len(out) == 0 {
		return quoted
	}
	// A field may take some of the constants, of which others are results.
	some := slices.DeleteFunc(slices.Clone(out), func(c Completion) bool {
		return !slices.ContainsFunc(quoted, func(q Completion) bool { return q.Text == c.Text })
	})
	if len(some) > 1 { // one alone is an example
		return some
	}
	return out
}

var quotes = regexp.MustCompile(`"([^"\s]+)"`)

// field returns the struct type and the name of the string field that the identifier is the value
// of, or an element of its value, nil if it is no such value.
func (s *site) field() (owner types.Type, name string, element bool) {
	var of ast.Expr
	value, up := ast.Expr(s.id), 1
	if list, ok := s.parent(1).(*ast.CompositeLit); ok {
		value, up, element = list, 2, true
	}
	switch p := s.parent(up).(type) {
	case *ast.KeyValueExpr:
		key, ok := p.Key.(*ast.Ident)
		lit, inside := s.parent(up + 1).(*ast.CompositeLit)
		if !ok || !inside || p.Value != value {
			return nil, "", false
		}
		owner, name = s.info.Types[lit].Type, key.Name
	case *ast.AssignStmt:
		if i := slices.Index(p.Rhs, value); i >= 0 && i < len(p.Lhs) {
			of = p.Lhs[i]
		}
	case *ast.BinaryExpr:
		if of = p.X; of == value {
			of = p.Y
		}
	}
	if sel, ok := of.(*ast.SelectorExpr); ok {
		owner, name = s.info.Types[sel.X].Type, sel.Sel.Name
	}
	if p, ok := owner.(*types.Pointer); ok {
		owner = p.Elem()
	}
	if owner == nil {
		return nil, "", false
	}
	want := types.Type(types.Typ[types.String])
	if element {
		want = types.NewSlice(want)
	}
	o, _, _ := types.LookupFieldOrMethod(owner, true, nil, name)
	if v, ok := o.(*types.Var); !ok || !types.Identical(v.Type().Underlying(), want) {
		return nil, "", false
	}
	return owner, name, element
}
