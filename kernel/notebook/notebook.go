// Package notebook runs Jupyter notebooks in a session of package kernel, without Jupyter.
//
//	nb, err := notebook.Read("tour.ipynb", data)
//	err = nb.Inject(parameters)
//	err = nb.Run(ctx, notebook.Options{Kernel: kernel.Config{Library: lab.Library()}})
//	data = nb.Bytes()
//
// Files are read and written as Python's package nbformat does it (format.go). The runner
// is a client of a kernel in the same process (run.go); it collects outputs as nbclient
// does (outputs.go). Parameters are those of papermill (parameters.go). [Notebook.Compare]
// compares the outputs of a run with those that were stored (compare.go), and [Page] and
// [Renderer] write HTML (render.go, page.go).
package notebook

import (
	"fmt"
	"slices"
	"strings"
)

// Notebook is a notebook of version 4 of the format.
type Notebook struct {
	Cells []*Cell
	name  string
	doc   map[string]any // everything else, as it was read
}

// Cell is a cell of a notebook.
type Cell struct {
	fields map[string]any // as read, with texts in one piece
	number int            // of code cells, in the order in which they ran; 0: it did not
	before []Output       // the outputs before it ran
}

// Output is an output of a cell, with texts in one piece.
type Output map[string]any

// Type is "code", "markdown" or "raw".
func (c *Cell) Type() string { return str(c.fields["cell_type"]) }

// Source is the code or the text of the cell.
func (c *Cell) Source() string { return str(c.fields["source"]) }

// tagged reports whether the cell has one of the tags.
func (c *Cell) tagged(tags ...string) bool {
	has, _ := object(c.fields["metadata"])["tags"].([]any)
	return slices.ContainsFunc(has, func(tag any) bool { return slices.Contains(tags, str(tag)) })
}

// Outputs are the outputs of the cell.
func (c *Cell) Outputs() (all []Output) {
	list, _ := c.fields["outputs"].([]any)
	for _, o := range list {
		all = append(all, Output(object(o)))
	}
	return all
}

// runs reports whether the cell has something to run.
func (c *Cell) runs() bool {
	return c.Type() == "code" && strings.TrimSpace(c.Source()) != "" && !c.tagged("skip-execution")
}

// Type is "stream", "display_data", "execute_result" or "error".
func (o Output) Type() string { return str(o["output_type"]) }

// Text returns a field, such as "text" of a stream and "ename" of an error.
func (o Output) Text(field string) string { return str(o[field]) }

// Data returns the representation of a result in a format, "" if there is none.
func (o Output) Data(format string) string { return str(object(o["data"])[format]) }

// Traceback is that of an error.
func (o Output) Traceback() string {
	lines, _ := o["traceback"].([]any)
	var all []string
	for _, line := range lines {
		all = append(all, str(line))
	}
	return strings.Join(all, "\n")
}

// Ran is the number of cells that ran.
func (nb *Notebook) Ran() (n int) {
	for _, c := range nb.Cells {
		if c.number > 0 {
			n++
		}
	}
	return n
}

// Language returns the language that the notebook's metadata name, "" if none.
func (nb *Notebook) Language() string {
	meta := object(nb.doc["metadata"])
	for _, of := range []string{"kernelspec", "language_info"} {
		key := map[string]string{"kernelspec": "language", "language_info": "name"}[of]
		if name := str(object(meta[of])[key]); name != "" {
			return name
		}
	}
	return ""
}

// checkLanguage refuses a notebook in another language than Go. One that names none may
// be in any.
func (nb *Notebook) checkLanguage() error {
	if l := nb.Language(); l != "" && !strings.EqualFold(l, "go") {
		return fmt.Errorf("%s is a notebook in %s; want one in Go", nb.name, l)
	}
	return nil
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
