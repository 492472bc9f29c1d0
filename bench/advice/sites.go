package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/text/diag"
)

// site is a place in the source where a warning is made.
type site struct {
	at   token.Position
	code string // "" if it is a variable
	text string // its format, "" if it is one
	help []string
}

// codes are the values of the constants of internal/text/diag by name, from its source.
func codes(root string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "internal/text/diag/notice.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	of := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 {
			if text := literal(v.Values[0]); text != "" {
				of[v.Names[0].Name] = text
			}
		}
		return true
	})
	if of["Zero"] != diag.Zero {
		return nil, fmt.Errorf("no codes of warnings in %s", root)
	}
	return of, nil
}

// warningsIn finds where the packages in root make warnings. Those that are given their help
// later, by With on a variable, have it.
func warningsIn(root string) (all []site, err error) {
	of, err := codes(root)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	for _, folder := range []string{"internal", "symmom"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Base(filepath.Dir(path)) == "diag" {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				all = append(all, within(files, d, of)...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// within finds the warnings that a declaration makes.
func within(files *token.FileSet, d ast.Decl, of map[string]string) (all []site) {
	made := map[ast.Node]int{}   // the call, or what wraps it: its site
	named := map[string]int{}    // variables that hold warnings
	local := map[string]string{} // functions that make warnings of a code
	known := func(e ast.Expr) (int, bool) {
		if id, ok := e.(*ast.Ident); ok {
			at, ok := named[id.Name]
			return at, ok
		}
		at, ok := made[e]
		return at, ok
	}
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, right := range n.Rhs {
					f, ok := right.(*ast.FuncLit)
					if id, is := n.Lhs[i%len(n.Lhs)].(*ast.Ident); ok && is {
						before := len(all)
						visit(f.Body)
						if len(all) == before+1 && all[before].text == "" {
							local[id.Name] = all[before].code
							all = all[:before]
							return false
						}
						all = all[:before]
					}
				}
				for _, right := range n.Rhs {
					visit(right)
				}
				for i, right := range n.Rhs {
					if at, ok := known(right); ok && len(n.Lhs) == len(n.Rhs) {
						if id, is := n.Lhs[i].(*ast.Ident); is {
							named[id.Name] = at
						}
					}
				}
				return false
			case *ast.CallExpr:
				for _, arg := range n.Args {
					visit(arg)
				}
				visit(n.Fun)
				s := site{at: files.Position(n.Pos())}
				first := ""
				if len(n.Args) > 0 {
					if sel, ok := n.Args[0].(*ast.SelectorExpr); ok && isName(sel.X, "diag") {
						first = of[sel.Sel.Name]
					}
				}
				switch f := n.Fun.(type) {
				case *ast.Ident:
					if code, ok := local[f.Name]; ok && len(n.Args) > 0 {
						s.code, s.text = code, literal(n.Args[0])
						made[n], all = len(all), append(all, s)
					}
				case *ast.SelectorExpr:
					switch {
					case f.Sel.Name == "With":
						if at, ok := known(f.X); ok {
							for _, arg := range n.Args {
								all[at].help = append(all[at].help, literal(arg))
							}
							made[n] = at
						}
					case (isName(f.X, "diag") && f.Sel.Name == "New" || f.Sel.Name == "warn") && len(n.Args) > 1 && (first != "" || f.Sel.Name == "New"):
						s.code, s.text = first, literal(n.Args[1])
						made[n], all = len(all), append(all, s)
					}
				}
				return false
			}
			return true
		})
	}
	visit(d)
	return all
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// literal is a string as it is written in the source, or "".
func literal(e ast.Expr) string {
	if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.STRING {
		text, _ := strconv.Unquote(b.Value)
		return text
	}
	return ""
}

// advises matches what a text advises.
var advises = regexp.MustCompile(`([:;,] |\bor )(take|try|center|standardize|choose|keep|give|use|name|leave|continue|allow)\b`)

// advising returns the sites that advise something, and complains of a text that does and names
// nothing that helps, or that names a flag: the command that prints it adds those that it has.
func advising(all []site) (some []site, complaints []string) {
	for _, s := range all {
		switch {
		case strings.Contains(s.text, "--"):
			complaints = append(complaints, fmt.Sprintf("%s: %q names a flag, which not every command has: name the option in With", s.at, s.text))
		case len(s.help) > 0:
			some = append(some, s)
		case advises.MatchString(s.text):
			complaints = append(complaints, fmt.Sprintf("%s: %q advises something and has no With", s.at, s.text))
		}
	}
	return some, complaints
}

// uncovered lists what helps at these sites and nobody follows.
func uncovered(some []site, all []advice) (complaints []string) {
	for _, s := range some {
		for _, help := range s.help {
			if s.code == "" {
				continue // a variable
			}
			if !slices.ContainsFunc(all, func(a advice) bool { return a.code == s.code && (a.help == help || help == "") }) {
				complaints = append(complaints, fmt.Sprintf("%s: nobody follows %s of %s: %q", s.at, help, s.code, s.text))
			}
		}
	}
	return complaints
}

// pairs counts the options that help at the sites.
func pairs(some []site) (n int) {
	for _, s := range some {
		n += len(s.help)
	}
	return n
}
