package kernel

import (
	"strings"
	"testing"

	"symmom/repl"
)

// A part of a page is in the first output that asks for it, and again in that of the same cell.
func TestPartsAreSentOnce(t *testing.T) {
	o := &once{parts: map[string]func() string{"p": func() string { return "PART" }}}
	shown := func(cell string) string {
		t.Helper()
		o.begin(cell)
		b := repl.Bundle{"text/plain": "chart", "text/html": "a<!--once p-->b<!--once p-->c<!--once other-->"}
		d := o.complete(dict{"data": b, "metadata": dict{}}).(dict)
		if !strings.Contains(b["text/html"].(string), "<!--once p-->") {
			t.Error("the value's own bundle has changed")
		}
		if d["metadata"] == nil || d["data"].(repl.Bundle)["text/plain"] != "chart" {
			t.Errorf("the message is %v", d)
		}
		return d["data"].(repl.Bundle)["text/html"].(string)
	}
	for _, c := range [][2]string{{"first", "aPARTbc"}, {"second", "abc"}, {"first", "aPARTbc"}, {"", "abc"}, {"", "abc"}} {
		if got := shown(c[0]); got != c[1] {
			t.Errorf("cell %s shows %q, want %q", c[0], got, c[1])
		}
	}
	plain := dict{"name": "stdout", "text": "<!--once p-->"}
	if got := o.complete(plain).(dict)["text"]; got != "<!--once p-->" {
		t.Errorf("a stream has become %q", got)
	}
	unseen := &once{}
	if got := unseen.complete(dict{"data": repl.Bundle{"text/html": "<!--once p-->"}}).(dict)["data"].(repl.Bundle)["text/html"]; got != "<!--once p-->" {
		t.Errorf("without parts the output has become %q", got)
	}
}
