package notebook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"symmom/internal/store/interruptible"
)

// code is a cell of code with tags.
func code(source string, tags ...string) map[string]any {
	return map[string]any{"cell_type": "code", "metadata": map[string]any{"tags": append([]string{}, tags...)}, "source": source, "outputs": []any{}, "execution_count": nil}
}

// of returns a notebook with the cells.
func of(t *testing.T, cells ...map[string]any) *Notebook {
	t.Helper()
	data, err := json.Marshal(map[string]any{"cells": cells, "metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	nb, err := Read("test.ipynb", data)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// shown returns the outputs of the cells as text, one line each.
func shown(nb *Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		fmt.Fprintf(&b, "%v:", c.fields["execution_count"])
		for _, o := range c.Outputs() {
			switch o.Type() {
			case "stream":
				fmt.Fprintf(&b, " %s %q", o.Text("name"), o.Text("text"))
			case "error":
				fmt.Fprintf(&b, " %s %q", o.Text("ename"), o.Text("evalue"))
			default:
				fmt.Fprintf(&b, " %s %q", o.Type(), o.Data("text/plain"))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Outputs are collected as nbclient does it, and adjacent text is merged as in JupyterLab.
func TestRun(t *testing.T) {
	nb := of(t,
		code("fmt.Println(1)\nprintln(2)\nprintln(3)\n4"),
		map[string]any{"cell_type": "markdown", "metadata": map[string]any{}, "source": "text"},
		code(" \n"),
		code("h := display.Show(5)\ndisplay.Show(6)"),
		code("h.Update(7)\ndisplay.Show(8)\ndisplay.Clear()\ndisplay.Show(9)"),
		code("panic(10)", "raises-exception"),
		code("panic(11)", "skip-execution"),
		code("fmt.Print(12)"),
	)
	var progress []string
	o := Options{Progress: func(cell, of int, doing string) { progress = append(progress, fmt.Sprint(cell, of, doing)) }}
	if err := nb.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	const want = `1: stdout "1\n" stderr "2\n3\n" execute_result "4"
<nil>:
<nil>:
2: display_data "7" display_data "6"
3: display_data "9"
4: panic "panic: 10"
<nil>:
5: stdout "12"
`
	if got := shown(nb); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(progress) != 5 || progress[4] != "5 5" {
		t.Errorf("progress %q", progress)
	}
	if nb.Ran() != 5 {
		t.Errorf("%d cells ran, want 5", nb.Ran())
	}
	if nb.Language() != "go" || object(nb.doc["metadata"])["language_info"] == nil {
		t.Errorf("metadata %v, want the language", nb.doc["metadata"])
	}
}

// A run stops at the first error, and later cells have no outputs.
func TestErrors(t *testing.T) {
	old := code("1")
	old["outputs"] = []any{map[string]any{"output_type": "stream", "name": "stdout", "text": "old"}}
	for _, c := range []struct {
		cells []map[string]any
		want  string
		lines int // of the traceback
	}{
		{[]map[string]any{code("x := 1\nx + nosuch"), old}, "test.ipynb: cell 1, line 2: undefined: nosuch", 3},
		{[]map[string]any{code("1"), code("\nvar m []int\nm[0] = 1"), old}, "test.ipynb: cell 2, line 3: panic: runtime error: index out of range", 3},
		{[]map[string]any{code("import \"os\"\nos.Exit(3)"), old}, "test.ipynb: cell 1: os.Exit(3): a cell cannot end the kernel; use the client's menu, or quit in a console", 1},
		{[]map[string]any{code("var s string\nfmt.Scanln(&s)"), old}, "test.ipynb: cell 1: it reads input, which nobody gives here; write the input into the cell, or tag it raises-exception", 1},
	} {
		nb := of(t, c.cells...)
		err := nb.Run(t.Context(), Options{})
		var failed *CellError
		if !errors.As(err, &failed) || err.Error() != c.want || len(strings.Split(failed.Traceback, "\n")) != c.lines {
			t.Errorf("got %v, want %s", err, c.want)
			continue
		}
		if last := nb.Cells[len(nb.Cells)-1]; len(last.Outputs()) > 0 || last.fields["execution_count"] != nil || last.number > 0 {
			t.Errorf("%s: the cell after it has %v", c.want, last.fields)
		}
	}
	nb := of(t, code("print(1)"))
	nb.doc["metadata"] = map[string]any{"kernelspec": map[string]any{"language": "python"}}
	if err := nb.Run(t.Context(), Options{}); err == nil || err.Error() != "test.ipynb is a notebook in python; want one in Go" {
		t.Error(err)
	}
}

// An interrupt ends the running cell and keeps what it has shown.
func TestInterrupt(t *testing.T) {
	nb := of(t, code("fmt.Println(1)"), code("import \"time\"\nfmt.Println(2)\ntime.Sleep(time.Hour)"), code("3"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := Options{Progress: func(cell, _ int, _ string) {
		if cell == 2 {
			time.AfterFunc(100*time.Millisecond, cancel)
		}
	}}
	if err := nb.Run(ctx, o); !errors.Is(err, interruptible.Err) || err.Error() != "test.ipynb: cell 2: interrupted" {
		t.Error(err)
	}
	if got := strings.Split(shown(nb), "\n"); got[0] != `1: stdout "1\n"` || !strings.HasPrefix(got[1], `2: stdout "2\n" interrupted `) || got[2] != "<nil>:" {
		t.Errorf("shown: %q", got)
	}
}

// clear_output with wait takes effect with the next output.
func TestClearOutput(t *testing.T) {
	c := &Cell{fields: code("")}
	k := collector{shown: map[string][]map[string]any{}}
	k.begin(c)
	take := func(msgType, content string) {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(content), &fields); err != nil {
			t.Fatal(err)
		}
		k.take(msgType, []byte(content), fields)
	}
	var all []string
	for _, m := range [][2]string{
		{"stream", `{"name":"stdout","text":"a"}`},
		{"clear_output", `{"wait":true}`},
		{"status", `{}`},
		{"stream", `{"name":"stdout","text":"b"}`},
		{"stream", `{"name":"stdout","text":"c"}`},
		{"stream", `{"name":"stderr","text":"d"}`},
		{"clear_output", `{"wait":false}`},
		{"comm_open", `{"data":{}}`},
		{"execute_result", `{"execution_count":3,"data":{"text/plain":"e"},"metadata":{}}`},
	} {
		take(m[0], m[1])
		now := ""
		for _, o := range c.Outputs() {
			now += o.Text("text") + o.Data("text/plain") + " "
		}
		all = append(all, now)
	}
	if want := []string{"a ", "a ", "a ", "b ", "bc ", "bc d ", "", "", "e "}; !slices.Equal(all, want) {
		t.Errorf("outputs %q, want %q", all, want)
	}
	if got := c.fields["execution_count"]; got != 3. {
		t.Errorf("execution count %v", got)
	}
}
