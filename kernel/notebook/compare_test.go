package notebook

import (
	"strings"
	"testing"
)

func result(data ...string) map[string]any {
	bundle := map[string]any{}
	for i := 0; i < len(data); i += 2 {
		bundle[data[i]] = data[i+1]
	}
	return map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": bundle}
}

func stream(text string) map[string]any {
	return map[string]any{"output_type": "stream", "name": "stdout", "text": text}
}

// What differs is shown, but for what always differs.
func TestCompare(t *testing.T) {
	type list = []any
	for _, c := range []struct {
		stored, fresh list
		tolerance     float64
		want          string
	}{
		{list{}, list{}, 0, ""},
		{list{stream("a\nb\nc\n")}, list{stream("a\nB\nc\n")}, 0, "- b\n+ B"},
		{list{stream("a\n")}, list{}, 0, "- a"},
		{list{}, list{stream("1\n2\n3\n4\n5\n6\n")}, 0, "+ 1\n+ 2\n+ 3\n+ 4\n+ ... and 2 lines more"},
		{list{stream("took 1.5 s  (at 0xc000012345)")}, list{stream("took 12 ms (at 0xc000054321)")}, 0, ""},
		{list{stream("1m2.5s, 3µs, 2 minutes")}, list{stream("250ms, 4.1ns, 1 minute")}, 0, ""},
		{list{stream("5 starts")}, list{stream("6 starts")}, 0, "- 5 starts\n+ 6 starts"},
		{list{stream("x 1,000.5")}, list{stream("x 1,000.6")}, 1e-3, ""},
		{list{stream("x 1,000.5")}, list{stream("x 1,000.6")}, 1e-6, "- x 1,000.5\n+ x 1,000.6"},
		{list{stream("x 1")}, list{stream("y 1")}, .5, "- x 1\n+ y 1"},
		{list{stream("1 2")}, list{stream("1 2 3")}, .5, "- 1 2\n+ 1 2 3"},
		{list{stream("a"), result("text/plain", "done: rank 5, 3.4 s", "text/html", "<div>")}, list{stream("a")}, 0, ""},
		{list{result("text/plain", "t", "image/png", "a")}, list{result("text/plain", "t", "image/png", "b")}, 0, ""},
		{list{result("text/plain", "t", "image/png", "a")}, list{result("text/plain", "t")}, 0, "- [image/png]"},
		{list{stream("\x1b[31mred\x1b[0m")}, list{stream("red")}, 0, ""},
	} {
		nb := of(t, code("x"), code("y", "nbval-ignore-output"))
		for i, cell := range nb.Cells {
			cell.number = i + 1
			for _, o := range c.stored {
				cell.before = append(cell.before, Output(object(o)))
			}
			cell.fields["outputs"] = c.fresh
		}
		found := nb.Compare(c.tolerance)
		got := ""
		for _, d := range found {
			if d.Cell != 1 || d.Source != "x" {
				t.Errorf("%v: a difference of cell %d, %q", c, d.Cell, d.Source)
			}
			got += strings.Join(d.Lines, "\n")
		}
		if got != c.want {
			t.Errorf("%v, %v: got\n%s\nwant\n%s", c.stored, c.fresh, got, c.want)
		}
	}
}

// Cells tagged nbval-skip run, but where outputs are compared.
func TestSkipped(t *testing.T) {
	for checking, want := range map[bool]int{false: 2, true: 1} {
		nb := of(t, code("1", "nbval-skip"), code("fmt.Print()"))
		if err := nb.Run(t.Context(), Options{Checking: checking}); err != nil || nb.Ran() != want {
			t.Errorf("checking %v: %v, %d cells ran, want %d", checking, err, nb.Ran(), want)
		}
		if found := nb.Compare(0); len(found) != want-1 {
			t.Errorf("checking %v: %v", checking, found)
		}
	}
}
