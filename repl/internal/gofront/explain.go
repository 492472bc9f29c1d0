package gofront

import (
	"fmt"
	"go/types"
	"path"
	"regexp"
	"strconv"
	"strings"

	"symmom/repl/internal/syntax"
)

var (
	undefinedName = regexp.MustCompile(`^undefined: (\w+)$`)
	// notThere matches messages about a name that nothing more is known of.
	notThere       = regexp.MustCompile(`^undefined: [\w.]+$|has no field or method \w+\)$|^unknown field \w+ in struct literal of type \S+$`)
	undefinedIn    = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
	barePackage    = regexp.MustCompile(`^use of package (\w+) (?:without|not in) selector$`)
	indirectNumber = regexp.MustCompile(`cannot indirect [\d.]+ \(untyped`)
	bareType       = regexp.MustCompile(`^(.*) \(type\) is not an expression$`)
	twoForOne      = regexp.MustCompile(`^assignment mismatch: 1 variable but .* returns 2 values$|^multiple-value .* in single-value context$`)
	otherOfTheName = regexp.MustCompile(`\b(?:main\.)(\w+)`)
)

// explain rewrites an error of go/types in the session's terms and adds advice.
func (sc *Scope) explain(msg string) string {
	l := sc.s.Library
	if m := undefinedName.FindStringSubmatch(msg); m != nil {
		if m[1] == syntax.SupportName {
			return "undefined: " + m[1] + " (this name belongs to the session)"
		}
		paths := l.Paths(m[1])
		for i := range paths {
			paths[i] = strconv.Quote(paths[i])
		}
		switch last := len(paths) - 1; last {
		case -1:
			return msg + sc.elsewhere(m[1])
		case 0:
			return fmt.Sprintf("%s (write: import %s)", msg, paths[0])
		default:
			return fmt.Sprintf("%s (write: import %s or %s)", msg, strings.Join(paths[:last], ", "), paths[last])
		}
	}
	if m := undefinedIn.FindStringSubmatch(msg); m != nil {
		for _, p := range l.Preloaded {
			if name := path.Base(p); l.Symbols[p][m[2]].IsValid() && name != m[1] && sc.Imports[m[1]] != "" {
				return fmt.Sprintf("%s (there is %s.%s)", msg, name, m[2])
			}
		}
	}
	if m := barePackage.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("%s is a package: name something in it, such as %s.%s", m[1], m[1], l.example(sc.Imports[m[1]]))
	}
	if m := bareType.FindStringSubmatch(msg); m != nil {
		return m[1] + " is a type, not a value"
	}
	if indirectNumber.MatchString(msg) {
		return msg + "; x to the power of y is math.Pow(x, y)"
	}
	if twoForOne.MatchString(msg) {
		return msg + "; write x, err := or x, _ :="
	}
	if strings.HasPrefix(msg, "label ") && strings.HasSuffix(msg, " not declared") {
		return msg + "; goto finds labels of its own function, and not those at the top level of a cell"
	}
	if strings.HasPrefix(msg, "cannot use ") {
		for _, m := range otherOfTheName.FindAllStringSubmatch(msg, -1) {
			if sc.s.Lowered.Redeclared(m[1]) {
				msg += fmt.Sprintf(" (%s was declared again since: a value, function or method of the old type stays with it; run its cell again)", m[1])
				break
			}
		}
	}
	msg = strings.ReplaceAll(msg, " (declared at -)", "") // in a package
	return otherOfTheName.ReplaceAllString(Clean(msg), "$1")
}

// IsTop reports whether an object is declared at the top level.
func (sc *Scope) IsTop(o types.Object) bool { return sc.objects[o.Name()] == o }
