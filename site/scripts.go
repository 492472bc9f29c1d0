package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dop251/goja"
)

// scripts runs the JavaScript packages that have no counterpart in Go.
type scripts struct {
	js      *goja.Runtime
	typeset goja.Callable
	index   goja.Callable
}

// functions are called from Go. The body of terms is that of the page's script.
const functions = `
var symmomTypeset = function (tex, display) {
	return katex.renderToString(tex, { displayMode: display, output: "htmlAndMathml", strict: "error", throwOnError: true });
};
var symmomIndex = function (text, terms) {
	var index = new MiniSearch({ fields: ["heading", "page", "text"], storeFields: ["heading", "page", "path", "excerpt"], tokenize: new Function("text", terms) });
	index.addAll(JSON.parse(text));
	return JSON.stringify(index);
};`

func newScripts(modules string) (*scripts, error) {
	s := &scripts{js: goja.New()}
	for _, name := range []string{"katex/dist/katex.min.js", "minisearch/dist/umd/index.js"} {
		name = filepath.Join(modules, filepath.FromSlash(name))
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%w: scripts/site.sh installs it", err)
		}
		if _, err := s.js.RunScript(name, string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if _, err := s.js.RunScript("scripts.go", functions); err != nil {
		return nil, err
	}
	s.typeset, _ = goja.AssertFunction(s.js.Get("symmomTypeset"))
	s.index, _ = goja.AssertFunction(s.js.Get("symmomIndex"))
	return s, nil
}

// formula typesets TeX.
func (s *scripts) formula(tex string, display bool) (string, error) {
	v, err := s.typeset(goja.Undefined(), s.js.ToValue(tex), s.js.ToValue(display))
	if err != nil {
		return "", fmt.Errorf("formula %q: %w", tex, err)
	}
	return v.String(), nil
}

// search makes the index of documents, given as JSON.
func (s *scripts) search(documents []byte) ([]byte, error) {
	page, err := assets.ReadFile("page/search.js")
	if err != nil {
		return nil, err
	}
	_, after, _ := strings.Cut(string(page), "// terms\n")
	terms, _, found := strings.Cut(after, "// end\n")
	if !found {
		return nil, fmt.Errorf("page/search.js does not say how it splits a text into terms")
	}
	v, err := s.index(goja.Undefined(), s.js.ToValue(string(documents)), s.js.ToValue(terms))
	if err != nil {
		return nil, fmt.Errorf("index of the search: %w", err)
	}
	return []byte(v.String()), nil
}
