package notebook

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Parameter is a value for a variable of a notebook.
type Parameter struct{ Name, Value string }

// ParseParameter parses NAME=VALUE.
func ParseParameter(s string) (Parameter, error) {
	name, value, is := strings.Cut(s, "=")
	if name = strings.TrimSpace(name); !is || !token.IsIdentifier(name) || name == "_" {
		return Parameter{}, fmt.Errorf("got %q, want NAME=VALUE with the name of a variable", s)
	}
	return Parameter{name, value}, nil
}

// The tags of papermill.
const (
	declaring = "parameters"          // of the cell that declares them
	injected  = "injected-parameters" // of the cell that sets them
)

// declared is a variable of the cell that declares parameters.
type declared struct {
	name     string
	constant bool
	isText   bool // its values are strings, whatever they look like
}

// Inject adds a cell that sets the parameters: in place of the one of an earlier run,
// else after the cell tagged parameters, else at the top. If a cell declares parameters,
// others than these are refused.
func (nb *Notebook) Inject(parameters []Parameter) error {
	if err := nb.checkLanguage(); err != nil || len(parameters) == 0 {
		return err
	}
	tagged := func(tag string) int {
		return slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.tagged(tag) })
	}
	at, old := tagged(declaring), tagged(injected)
	var known []declared
	if at >= 0 {
		var err error
		if known, err = declarations(nb.Cells[at].Source()); err != nil {
			return fmt.Errorf("%s: the cell tagged %s: %w", nb.name, declaring, err)
		}
	}
	source := "// Parameters"
	for i, p := range parameters {
		if slices.ContainsFunc(parameters[:i], func(q Parameter) bool { return q.Name == p.Name }) {
			return fmt.Errorf("%s: parameter %s is given twice", nb.name, p.Name)
		}
		k := slices.IndexFunc(known, func(d declared) bool { return d.name == p.Name })
		switch {
		case at < 0:
			source += fmt.Sprintf("\n%s := %s", p.Name, literal(p.Value, false))
		case k < 0:
			return fmt.Errorf("%s has no parameter %s; its cell tagged %s declares %s", nb.name, p.Name, declaring, names(known))
		case known[k].constant:
			source += fmt.Sprintf("\nconst %s = %s", p.Name, literal(p.Value, known[k].isText))
		default:
			source += fmt.Sprintf("\n%s = %s", p.Name, literal(p.Value, known[k].isText))
		}
	}
	cell := &Cell{fields: map[string]any{"cell_type": "code", "source": source, "outputs": []any{}, "execution_count": nil,
		"metadata": map[string]any{"tags": []any{injected}}}}
	if nb.hasIDs() {
		cell.fields["id"] = injected
	}
	switch {
	case old >= 0:
		nb.Cells[old] = cell
	default:
		nb.Cells = slices.Insert(nb.Cells, at+1, cell)
	}
	return nil
}

// hasIDs reports whether cells have IDs, as they do from version 4.5 of the format on.
func (nb *Notebook) hasIDs() bool {
	minor, err := strconv.Atoi(fmt.Sprint(nb.doc["nbformat_minor"]))
	return err == nil && minor >= 5
}

func names(of []declared) string {
	var all []string
	for _, d := range of {
		all = append(all, d.name)
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// declarations returns the variables that a cell declares or sets at its top level.
func declarations(source string) (all []declared, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+source+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("want declarations alone, such as rank := 3: %w", err)
	}
	add := func(name ast.Expr, of ast.Expr, constant bool) {
		if id, is := name.(*ast.Ident); is && id.Name != "_" && !slices.ContainsFunc(all, func(d declared) bool { return d.name == id.Name }) {
			value, _ := of.(*ast.BasicLit)
			kind, _ := of.(*ast.Ident)
			all = append(all, declared{id.Name, constant, value != nil && value.Kind == token.STRING || kind != nil && kind.Name == "string"})
		}
	}
	at := func(list []ast.Expr, i int) ast.Expr {
		if i < len(list) {
			return list[i]
		}
		return nil
	}
	for _, s := range file.Decls[0].(*ast.FuncDecl).Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for i, name := range s.Lhs {
				add(name, at(s.Rhs, i), false)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				v, is := spec.(*ast.ValueSpec)
				for i := 0; is && i < len(v.Names); i++ {
					of := v.Type
					if of == nil {
						of = at(v.Values, i)
					}
					add(v.Names[i], of, s.Decl.(*ast.GenDecl).Tok == token.CONST)
				}
			}
		}
	}
	return all, nil
}

// Numbers as Python's int and float read them.
var (
	wholeNumber = regexp.MustCompile(`^\s*[+-]?\d+(_\d+)*\s*$`)
	realNumber  = regexp.MustCompile(`^\s*[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)([eE][+-]?\d+(_\d+)*)?\s*$`)
	noNumber    = regexp.MustCompile(`^(?i)\s*([+-]?)(nan|inf|infinity)\s*$`)
)

// literal returns a value in Go. As papermill does it takes what looks like a truth value,
// nothing, or a number for that; also true, false and nil as Go writes them.
func literal(value string, isText bool) string {
	bare := strings.TrimPrefix(strings.TrimSpace(value), "+")
	special := noNumber.FindStringSubmatch(value)
	switch {
	case isText:
	case value == "True" || value == "true":
		return "true"
	case value == "False" || value == "false":
		return "false"
	case value == "None" || value == "nil":
		return "nil"
	case wholeNumber.MatchString(value):
		n, _ := new(big.Int).SetString(strings.ReplaceAll(bare, "_", ""), 10) // 010 is octal in Go
		return n.String()
	case realNumber.MatchString(value):
		sign, digits := "", strings.ReplaceAll(bare, "_", "")
		if rest, negative := strings.CutPrefix(digits, "-"); negative {
			sign, digits = "-", rest
		}
		if strings.HasPrefix(digits, ".") {
			digits = "0" + digits
		}
		return sign + digits
	case special != nil && strings.EqualFold(special[2], "nan"):
		return "math.NaN()"
	case special != nil:
		return "math.Inf(" + special[1] + "1)"
	}
	return strconv.Quote(value)
}
