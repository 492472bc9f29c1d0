package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a site of pages with links.
func linked(t *testing.T, pages map[string]string) *site {
	t.Helper()
	s := &site{out: t.TempDir()}
	for name, body := range pages {
		if err := s.write(name, []byte("<!DOCTYPE html><title>t</title>"+body)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestCheckLinks(t *testing.T) {
	for _, c := range []struct{ name, link, want string }{
		{"a page", `<a href="b/c.html#there">x</a>`, ""},
		{"another site", `<a href="https://example.org/x">x</a>`, ""},
		{"no page", `<a href="b/d.html">x</a>`, "leads nowhere"},
		{"a folder", `<a href="b/">x</a>`, "leads nowhere"},
		{"above the site", `<a href="../x.html">x</a>`, "leads nowhere"},
		{"no element", `<a href="b/c.html#gone">x</a>`, "names an element that is not there"},
		{"no element here", `<a href="#gone">x</a>`, "names an element that is not there"},
		{"no picture", `<img src="x.png">`, "leads nowhere"},
		{"a picture from elsewhere", `<img src="https://example.org/x.png">`, "is loaded from elsewhere"},
		{"an ID twice", `<p id="a"><p id="a">`, `the ID "a"`},
	} {
		s := linked(t, map[string]string{"index.html": c.link, "b/c.html": `<h2 id="there">x</h2>`})
		switch err := s.checkLinks(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	s := &site{root: t.TempDir(), sources: map[string]string{"docs/b.md": "/guide/b.html"}}
	for _, name := range []string{"docs/a.md", "docs/b.md", "docs/c.md"} {
		name = filepath.Join(s.root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := s.markdown("docs/a.md", []byte(`# A title

First *words*, `+"`$x$`"+`, 5$ and $6.

## Twice
[b](b.md#two) [c](c.md)
## Twice

| a | b |
|---|--:|
| 1 | 2 |

    fit := data.Moment(3)
`), map[string]bool{})
	if err != nil {
		t.Fatal(err)
	}
	if doc.title != "A title" || doc.summary != "First words, $x$, 5$ and $6." {
		t.Errorf("title %q, summary %q", doc.title, doc.summary)
	}
	body := string(doc.body)
	for _, want := range []string{
		`<h2 id="twice">`, `<h2 id="twice-2">`, `<a href="/guide/b.html#two">b</a> c`, `<code>$x$</code>`,
		`<th class="number" scope="col">`, `<td class="number">2</td>`, `<span class="f">Moment</span>`,
	} {
		if !strings.Contains(strings.ReplaceAll(body, ` scope="col" class="number"`, ` class="number" scope="col"`), want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if strings.Contains(body, "<h1") {
		t.Error("the title is in the body, too")
	}
	if _, err := s.markdown("docs/a.md", []byte("[x](gone.md)"), map[string]bool{}); err == nil || !strings.Contains(err.Error(), "gone.md") {
		t.Errorf("a link to a file that is not there: %v", err)
	}
}

// The cells that pages show are the bodies of the functions that were run.
func TestBodies(t *testing.T) {
	code, err := bodies("gallery.go")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := code["convergence"], "fit := datasets.Digits().Moment(3).Decompose(10)\ncharts.Convergence(fit)"; got != want {
		t.Errorf("convergence is %q, want %q", got, want)
	}
}

// All references of the manual are on the site: each document and each page of results.
func TestDocumentsHavePages(t *testing.T) {
	s, pages := &site{root: ".."}, map[string]bool{}
	for _, group := range []documents{guide, benchmarks, design} {
		files, err := s.filesOf(group)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			pages[f.source] = true
		}
	}
	for _, pattern := range []string{"*.md", "docs/*/*.md", "bench/*.md"} {
		found, err := fs.Glob(os.DirFS(s.root), pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		for _, source := range found {
			if !pages[source] {
				t.Errorf("%s has no page", source)
			}
		}
	}
}

func TestShorten(t *testing.T) {
	long := "The first sentence is as long as this one is. The second follows it, and is longer than that."
	for n, want := range map[int]string{200: long, 60: "The first sentence is as long as this one is.", 20: "The first sentence …"} {
		if got := shorten(long, n); got != want {
			t.Errorf("shorten to %d: %q, want %q", n, got, want)
		}
	}
}

// Every colour of the site has a light and a dark form, those of the pages that charts makes.
func TestColours(t *testing.T) {
	sheet, err := (&site{root: ".."}).style()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--bg: light-dark(#f6f6f3, #121518);", "--negative: light-dark(#d55e00, #f58549);"} {
		if !strings.Contains(string(sheet), want) {
			t.Errorf("the style sheet has no %s", want)
		}
	}
}
