package kernel

import (
	"cmp"
	"path"
	"runtime"
	"strings"
	"unicode/utf8"

	"symmom/repl"
	"symmom/repl/with"
)

// kernelInfo describes the kernel.
func (k *kernel) kernelInfo(*shell, *message) dict {
	library := cmp.Or(k.config.Library, &repl.Library{})
	name := cmp.Or(library.Name, "go")
	banner := strings.Join(strings.Fields(name+" "+k.config.Version), " ") + ": " + cmp.Or(library.About, "Go") + " (" + runtime.Version() + ")\n"
	for _, p := range library.Preloaded {
		banner += path.Base(p) + ", "
	}
	banner += "widgets, display, gonum's mat, fmt and math are there without an import. %help lists commands."
	for _, m := range with.Modules() {
		banner += "\nWith " + m.Path + " " + m.Version + "."
	}
	if k.config.Unrestricted {
		banner += "\nThis session is unrestricted: it has os/exec, net/http/cgi, syscall and unsafe, and changes the environment of the process."
	}
	links := []dict{{"text": "Go", "url": "https://go.dev/doc/"}, {"text": "gonum/mat", "url": "https://pkg.go.dev/gonum.org/v1/gonum/mat"}}
	for _, l := range library.Links {
		links = append(links, dict{"text": l[0], "url": l[1]})
	}
	return ok(dict{
		"protocol_version":       protocolVersion,
		"implementation":         name,
		"implementation_version": k.config.Version,
		"language_info": dict{
			"name": "go", "version": strings.TrimPrefix(runtime.Version(), "go"), "mimetype": "text/x-go", "file_extension": ".go",
			"pygments_lexer": "go", "codemirror_mode": "go", "nbconvert_exporter": "script",
		},
		"banner": banner, "debugger": false, "supported_features": features(),
		"help_links": links,
	})
}

// features are those that clients need not expect. JupyterLite has no subshells: a page has
// one thread.
func features() []string {
	if runtime.GOOS == "js" {
		return []string{}
	}
	return []string{"kernel subshells"}
}

// Clients count the characters of a cell, Go its bytes.

func byteOffset(text string, characters int) int {
	for i := range text {
		if characters <= 0 {
			return i
		}
		characters--
	}
	return len(text)
}

func characterOffset(text string, bytes int) int {
	return utf8.RuneCountInString(text[:min(max(bytes, 0), len(text))])
}

// complete proposes completions.
func (k *kernel) complete(_ *shell, m *message) dict {
	var r struct {
		Code   string `json:"code"`
		Cursor *int   `json:"cursor_pos"` // default: the end
	}
	if bad := m.read(&r); bad != nil {
		return bad
	}
	cursor := len(r.Code)
	if r.Cursor != nil {
		cursor = byteOffset(r.Code, *r.Cursor)
	}
	c := k.cells.Complete(r.Code, cursor)
	start, end := characterOffset(r.Code, c.Start), characterOffset(r.Code, c.End)
	matches, kinds := []string{}, []dict{}
	for _, item := range c.Items {
		matches = append(matches, item.Text)
		kinds = append(kinds, dict{"text": item.Text, "type": kind(item), "signature": item.Signature, "start": start, "end": end})
	}
	return ok(dict{"matches": matches, "cursor_start": start, "cursor_end": end,
		"metadata": dict{"_jupyter_types_experimental": kinds}})
}

// kind returns JupyterLab's word for the kind of a completion.
func kind(c repl.Completion) string {
	switch c.Kind {
	case "package":
		return "module"
	case "variable":
		return "instance"
	case "field":
		return "property"
	case "constant":
		return "constant"
	case "type":
		return "class"
	case "command":
		return "magic"
	case "file":
		return "path"
	}
	return c.Kind // function, method, keyword
}

// inspect describes the name at the cursor.
func (k *kernel) inspect(_ *shell, m *message) dict {
	var r struct {
		Code   string `json:"code"`
		Cursor *int   `json:"cursor_pos"`
		Detail int    `json:"detail_level"`
	}
	if bad := m.read(&r); bad != nil {
		return bad
	}
	cursor := len(r.Code)
	if r.Cursor != nil {
		cursor = byteOffset(r.Code, *r.Cursor)
	}
	i, is := k.cells.Inspect(r.Code, cursor, r.Detail)
	data := dict{}
	if is {
		data["text/plain"], data["text/markdown"] = i.Text(), i.Markdown()
	}
	return ok(dict{"found": is, "data": data, "metadata": dict{}})
}

// isComplete reports whether Enter should run the cell.
func (k *kernel) isComplete(_ *shell, m *message) dict {
	var r struct {
		Code string `json:"code"`
	}
	if bad := m.read(&r); bad != nil {
		return bad
	}
	status, indent := k.cells.Completeness(r.Code)
	reply := dict{"status": string(status)}
	if status == repl.Incomplete {
		reply["indent"] = indent
	}
	return reply
}

// leaves are the words with which people leave a console.
var leaves = map[string]bool{"exit": true, "quit": true}

// leaving reports whether a cell is one of these words and the session has no such
// name.
func (k *kernel) leaving(code string) bool {
	word := strings.TrimSuffix(strings.TrimSpace(code), "()")
	if !leaves[word] {
		return false
	}
	_, taken := k.cells.Inspect(word, len(word), 0)
	return !taken
}

// page returns documentation that a cell asked for, in the form of IPython: the
// client shows it next to the cells.
func page(values []any) (payload dict, is bool) {
	if len(values) != 1 {
		return nil, false
	}
	i, is := values[0].(repl.Inspection)
	if !is {
		return nil, false
	}
	return dict{"source": "page", "data": dict{"text/plain": i.Text(), "text/markdown": i.Markdown()}, "start": 0}, true
}
