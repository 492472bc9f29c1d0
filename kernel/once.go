package kernel

import (
	"maps"
	"regexp"
	"strings"
	"sync"

	"symmom/repl"
)

// once puts what pages need once (repl.Library.Once) into the first output that asks for it, and
// again into that of the same cell if it is run again, which replaces the first.
type once struct {
	parts map[string]func() string

	mu   sync.Mutex
	cell string            // that runs
	in   map[string]string // name -> cell whose output has it
}

var wanted = regexp.MustCompile(`<!--once ([^<>]*)-->`)

// begin notes which cell runs; "" if that is not known.
func (o *once) begin(cell string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cell = cell
	maps.DeleteFunc(o.in, func(_, in string) bool { return in == cell && cell != "" })
}

// complete replaces the comments of an output, the content of a message, that ask for parts.
func (o *once) complete(content any) any {
	d, _ := content.(dict)
	b, _ := d["data"].(repl.Bundle)
	page, _ := b["text/html"].(string)
	if len(o.parts) == 0 || !strings.Contains(page, "<!--once ") {
		return content
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	d, whole := maps.Clone(d), maps.Clone(b)
	whole["text/html"] = wanted.ReplaceAllStringFunc(page, func(comment string) string {
		name := wanted.FindStringSubmatch(comment)[1]
		part := o.parts[name]
		if _, sent := o.in[name]; sent || part == nil {
			return ""
		}
		if o.in == nil {
			o.in = map[string]string{}
		}
		o.in[name] = o.cell
		return part()
	})
	d["data"] = whole
	return d
}
