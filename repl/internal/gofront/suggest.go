package gofront

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// suggest returns what to write for a name at a position that is not there, or how to see what
// is, as the end of a message; "" if nothing is known.
func (sc *Scope) suggest(decls []ast.Decl, info *types.Info, pos token.Pos) (advice string) {
	found := func(name *ast.Ident, names []string, from string) {
		if near := nearest(name.Name, names, from != ""); near != "" {
			advice = "; did you mean " + near + "?"
		} else if from != "" {
			advice = "; " + from + "? lists what it has"
		}
	}
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Pos() == pos {
				names, from := selectable(info, n.X)
				found(n.Sel, names, from)
			} else if id, ok := n.X.(*ast.Ident); ok && id.Pos() == pos {
				if advice = sc.otherName(id.Name); advice == "" {
					found(id, append(sc.visible(info), sc.packages()...), "")
				}
			}
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && kv.Key.Pos() == pos {
					if key, ok := kv.Key.(*ast.Ident); ok {
						found(key, namesOf(Keys(info.TypeOf(n))), asked(info.TypeOf(n)))
					}
				}
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.ASSIGN && id.Pos() == pos {
					advice = "; to declare it, write " + id.Name + " := ..."
				}
			}
		case *ast.Ident:
			if n.Pos() != pos {
				break
			}
			if advice = sc.otherName(n.Name); advice == "" {
				found(n, sc.visible(info), "")
			}
		}
		return advice == ""
	}
	for _, d := range decls {
		ast.Inspect(d, look)
	}
	return advice
}

// visible returns the names of the language and of cells, and those that the cell declares.
func (sc *Scope) visible(info *types.Info) []string {
	names := types.Universe.Names()
	for id := range info.Defs {
		names = append(names, id.Name)
	}
	for name := range sc.objects {
		names = append(names, name)
	}
	return names
}

// packages returns the names of imported packages and of those that can be.
func (sc *Scope) packages() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(sc.Imports)), maps.Values(sc.s.Library.Names))
}

// selectable returns the names that can be selected from x, and what to ask about them.
func selectable(info *types.Info, x ast.Expr) (names []string, from string) {
	if id, ok := x.(*ast.Ident); ok {
		if p, ok := info.Uses[id].(*types.PkgName); ok {
			return slices.DeleteFunc(p.Imported().Scope().Names(), func(name string) bool { return !ast.IsExported(name) }), id.Name
		}
	}
	if t := info.TypeOf(x); t != nil && t != types.Typ[types.Invalid] {
		return namesOf(Members(t, info.Types[x].IsType())), asked(t)
	}
	return nil, ""
}

func namesOf(members []Member) (names []string) {
	for _, m := range members {
		names = append(names, m.Object.Name())
	}
	return names
}

// asked returns what to ask about a type, "" if it has no name that can be asked for.
func asked(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	if !ok || !n.Obj().Exported() || n.Obj().Pkg() == nil {
		return ""
	}
	if p := ShortNames(n.Obj().Pkg()); p != "" {
		return p + "." + n.Obj().Name()
	}
	return n.Obj().Name()
}

// Nearest returns the name that a misspelt word was meant to be, or "" if none is close: one
// that it begins, or that differs in a letter of three to six, or in two of more.
func Nearest(word string, names []string) string { return nearest(word, names, true) }

// nearest is Nearest, with or without the names that the word begins.
func nearest(word string, names []string, begins bool) string {
	most := min(2, (len(word)+1)/4)
	best, least := "", 0
	for _, name := range names {
		far := distance(strings.ToLower(word), strings.ToLower(name))
		switch {
		case name == word:
			continue
		case begins && len(word) > 1 && strings.HasPrefix(name, word):
			far = min(far, 1)
		case far > most:
			continue
		}
		if best == "" || cmp.Or(cmp.Compare(far, least), cmp.Compare(len(name), len(best)), strings.Compare(name, best)) < 0 {
			best, least = name, far
		}
	}
	return best
}

// distance returns the number of letters to insert, delete, replace or exchange with the next
// one to turn a into b (the optimal string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			row[j+1] = min(d, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

// otherLanguages maps messages to advice for users of other languages.
var otherLanguages = map[string]string{
	"expected 1 expression":         "; fmt.Println(a, b) shows several values",
	"illegal rune literal":          "; text stands in double quotes",
	"illegal character U+0023 '#'":  "; comments begin with //",
	"expected '==', found '='":      "; = assigns, == compares, and arguments have no names",
	"import path must be a string":  `; write import "fmt"`,
	"rune literal not terminated":   "; text stands in double quotes, and x.T() is the transpose of a matrix",
	"unexpected comma; expecting ]": asList,
	"expected operand, found '{'":   asList,
	"expected '{', found in":        asLoop,
	"expected '{', found ':'":       asLoop,
	"expected ';', found and":       asLogic,
	"expected ';', found or":        asLogic,
}

const (
	asList  = "; a list is written []float64{1, 2, 3}"
	asLoop  = "; a loop is written for i := range 10 { }"
	asLogic = "; && is and, || is or, ! is not"
)

// advised adds advice for users of other languages to a message.
func advised(msg string) string {
	if last := len(msg) - 1; strings.HasPrefix(msg, "expected ']', found ") && '0' <= msg[last] && msg[last] <= '9' { // [1 2]
		return msg + asList
	}
	return msg + otherLanguages[msg]
}

// otherNames are names of other languages, and of their shells, with what is here instead.
var otherNames = map[string]string{
	"help": "; NAME? explains a name, and %help lists the commands",
	"who":  asWho, "whos": asWho, "vars": asWho, "dir": "; NAME? describes a value, and %who lists the variables",
	"ls": asDirectory, "pwd": asDirectory, "cd": asDirectory,
	"tic": asTime, "toc": asTime,
	"disp": asPrint, "printf": asPrint, "echo": asPrint,
	"size": asSize, "shape": asSize,
	"zeros": asMatrix, "ones": asMatrix, "array": asMatrix, "np": asGonum, "numpy": asGonum,
	"None": "; write nil", "null": "; write nil",
	"pi": "; write math.Pi", "nan": "; write math.NaN()", "NaN": "; write math.NaN()",
	"str": "; write fmt.Sprint(x)", "float": "; write float64(x)", "double": "; write float64(x)",
}

const (
	asWho       = "; %who lists the variables"
	asDirectory = "; %cd shows the directory, and changes it"
	asTime      = "; %time before a statement shows how long it takes"
	asPrint     = "; the value of the last line is shown, and fmt.Println(x) prints one"
	asSize      = "; a matrix has x.Dims()"
	asGonum     = "; package mat has matrices; stat and floats of gonum.org/v1/gonum can be imported"
	asMatrix    = "; mat.NewDense(2, 2, []float64{1, 2, 3, 4}) is a matrix"
)

// otherName returns what takes the place of a name of another language, or "".
func (sc *Scope) otherName(name string) string {
	if advice := sc.s.Library.Advice[name]; advice != "" {
		return "; " + advice
	}
	return otherNames[name]
}

// elsewhere returns which package has a function that a cell calls by its name alone, as other
// languages do, and how to import it, or "".
func (sc *Scope) elsewhere(name string) string {
	if sc.otherName(name) != "" {
		return ""
	}
	exported := strings.ToUpper(name[:1]) + name[1:]
	for _, p := range append([]string{"gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/floats"}, sc.s.Library.Preloaded...) {
		if sc.s.Library.Symbols[p][exported].Kind() != reflect.Func {
			continue
		}
		there := "there is " + path.Base(p) + "." + exported
		if !sc.s.Library.IsPreloaded(p) {
			there += "; write: import " + strconv.Quote(p)
		}
		return " (" + there + ")"
	}
	return ""
}
