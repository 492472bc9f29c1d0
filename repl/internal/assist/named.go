package assist

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// names returns what the library says that a string in a call of its packages names, such as
// columns of the table: an argument of a method, or a field of options, or an element of one.
func (a *Assistant) names(at *site) []Completion {
	where, of := at.named()
	if where == "" {
		return nil
	}
	variable, text := at.origin(of)
	var out []Completion
	for _, name := range a.of.Names(where, variable, text) {
		if strconv.Quote(name) == `"`+name+`"` { // as it can be typed
			out = append(out, Completion{Text: name, Kind: "constant", Signature: "string"})
		}
	}
	return out
}

// named returns where the string stands, "symmom/symmom.Session.Select" or
// "symmom/symmom.LoadOptions.Labels", and what the method is called on, or the first argument of
// the call with the options.
func (s *site) named() (where string, of ast.Expr) {
	if call, _ := s.call(); call != nil {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return "", nil
		}
		selection := s.info.Selections[sel]
		if selection == nil {
			return "", nil
		}
		return fullName(selection.Recv(), sel.Sel.Name), sel.X
	}
	owner, name, _ := s.field()
	if owner == nil {
		return "", nil
	}
	for i := 1; s.parent(i) != nil; i++ {
		if call, ok := s.parent(i).(*ast.CallExpr); ok && len(call.Args) > 1 {
			return fullName(owner, name), call.Args[0]
		}
	}
	return "", nil
}

// fullName is the name of a method or a field of a named type, or "".
func fullName(of types.Type, name string) string {
	if p, ok := types.Unalias(of).(*types.Pointer); ok {
		of = p.Elem()
	}
	named, ok := types.Unalias(of).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name() + "." + name
}

// origin returns what a chain of calls begins with: a variable, or a string that is the first
// argument of a function, as data and "iris.csv" in data.Center() and symmom.Load("iris.csv"). It
// goes on to what the cell gives a variable before: the value of an earlier cell is another.
func (s *site) origin(x ast.Expr) (variable, text string) {
	above, here := s.above, true // in the item of the cursor
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.Ident:
			if here && s.declares(y) {
				return "", ""
			}
			i := len(above) - 1
			for i >= 0 && above[i].name != y.Name {
				i--
			}
			if i < 0 {
				return y.Name, ""
			}
			if x, above, here = above[i].value, above[:i], false; x == nil {
				return "", ""
			}
		case *ast.BasicLit:
			if y.Kind == token.STRING {
				text, _ = strconv.Unquote(y.Value) // "" if it is cut off
			}
			return "", text
		case *ast.SelectorExpr:
			x = y.X
		case *ast.CallExpr:
			switch q := qualifier(y.Fun); {
			case q == nil:
				return "", ""
			case s.packageOf(q) == "":
				x = q
			case len(y.Args) == 0:
				return "", ""
			default:
				x = y.Args[0]
			}
		default:
			return "", ""
		}
	}
}

// declares reports whether the item of the cursor declares a name above it, which has no value yet.
func (s *site) declares(name *ast.Ident) bool {
	for id := range s.info.Defs {
		if id.Name == name.Name && id.Pos() < name.Pos() {
			return true
		}
	}
	return false
}
