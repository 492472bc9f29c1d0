package repl

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"time"

	"symmom/internal/text/words"
	"symmom/repl/internal/display"
	"symmom/repl/internal/gofront"
)

// One round of %timeit takes at least as long as Session.turnTime says, and all rounds together
// some seconds.
const (
	turnTime = 200 * time.Millisecond
	turns    = 5
	mostRuns = 1e9
)

func runTimeit(s *Session, c invocation) (Result, error) {
	source := strings.TrimSpace(c.args + "\n" + c.body)
	if source == "" {
		return Result{}, c.problem("expected Go to run: %%timeit math.Sqrt(2)")
	}
	forms, err := repeatable(source)
	if err != nil {
		return Result{}, c.problem("%v", err)
	}
	repeat := func(form string, n int) (time.Duration, error) {
		r, err := s.evalGo(c.ctx, "", fmt.Sprintf("for range %d {\n%s\n}", n, form), nil)
		var e *gofront.Error
		if errors.As(err, &e) && e.Line > 0 {
			e.Line-- // the line of the loop is not the user's
		}
		return r.took, err
	}
	form := forms[0]
	took, err := repeat(form, 1)
	var e *gofront.Error
	if errors.As(err, &e) && e.Kind == "compile" && len(forms) > 1 {
		form = forms[1]
		took, err = repeat(form, 1)
	}
	if err != nil {
		return Result{}, err
	}
	n := 1
	for took < s.turnTime && n < mostRuns {
		// Use the count that the last round suggests, unless that round was short.
		next := 10 * n
		if took > s.turnTime/20 {
			next = int(1.2*float64(s.turnTime)/float64(took)*float64(n)) + 1
		}
		n = min(next, mostRuns)
		if took, err = repeat(form, n); err != nil {
			return Result{}, err
		}
	}
	best, worst := took, took
	done := 1
	for begin := time.Now(); done < turns && (time.Since(begin) < 5*time.Second || done < 2); done++ {
		if took, err = repeat(form, n); err != nil {
			return Result{}, err
		}
		best, worst = min(best, took), max(worst, took)
	}
	each := func(d time.Duration) string { return perRun(float64(d) / float64(n)) }
	return answer(plainText(fmt.Sprintf("%s a run at best, %s at worst: %s of %s", each(best), each(worst),
		words.Plural(done, "turn"), words.Plural(n, "run"))))
}

// perRun formats nanoseconds with three digits.
func perRun(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= .9995*u.size {
			return fmt.Sprintf("%.3g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}

// repeatable returns the forms in which Go may accept source in a loop: the value of
// an expression, if any, must be assigned, and variables must be used.
func repeatable(source string) (forms []string, err error) {
	const head = "package p; func _() {\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+source+"\n}", parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return nil, fmt.Errorf("expected statements that can stand in a loop, got %s", display.Shorten(source, 60))
	}
	list := f.Decls[0].(*ast.FuncDecl).Body.List
	if len(list) == 1 {
		if _, ok := list[0].(*ast.ExprStmt); ok {
			return []string{"_ = " + source, source}, nil
		}
	}
	var used []string
	for _, st := range list {
		if a, ok := st.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
					used = append(used, "_ = "+id.Name)
				}
			}
		}
	}
	return []string{strings.Join(append([]string{source}, used...), "\n")}, nil
}
