package kernelbuild

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program takes the place of another, but of nothing else.
func TestReplaceable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.csv")
	for content, want := range map[string]bool{"": true, "1,2,3\n": false, "x": false, "\x7fELF\x02": true, "MZ\x90\x00\x03\x00": true, "MZ,intensity\n100.1,5\n": false} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := replaceable(path); got != want {
			t.Errorf("%q: %v, want %v", content, got, want)
		}
	}
	if !replaceable(os.DevNull) {
		t.Error("a device cannot be written to")
	}
	if err := os.WriteFile(path, []byte("1,2,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Build(t.Context(), Options{With: []Request{{Path: "github.com/samber/lo"}}, Output: path})
	if err == nil || !strings.Contains(err.Error(), "is not a program") {
		t.Errorf("built over a file of text: %v", err)
	}
}

func TestParseRequest(t *testing.T) {
	for text, want := range map[string]string{
		"github.com/samber/lo":         "github.com/samber/lo",
		"github.com/samber/lo@v1.53.0": "github.com/samber/lo@v1.53.0",
		"example.org/x=/somewhere":     "example.org/x=/somewhere",
		"x=/somewhere":                 "x=/somewhere",
	} {
		r, err := ParseRequest(text)
		if err != nil || r.String() != want {
			t.Errorf("%q: %q, %v, want %q", text, r, err, want)
		}
	}
	for text, want := range map[string]string{
		"fmt":                       "with its host",
		"./x":                       "for a directory write MODULE=DIR",
		"/x/y":                      "for a directory write MODULE=DIR",
		"github.com/samber/lo@":     "want a version after @",
		"github.com/samber/lo@none": "want a version after @",
		"example.org/x@v1.0.0=/y":   "a directory has no version",
		"example.org/x=":            "want a directory after =",
		"github.com/a b":            "want the path of a module",
		"":                          "with its host",
	} {
		if _, err := ParseRequest(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		have, want string
		older      bool
	}{
		{"go1.26.8", "1.26.0", false}, {"go1.25.9", "1.26.0", true}, {"go1.9", "1.26", true}, {"go1.26rc1", "1.26.0", false},
		{"go1.27", "1.26.0", false}, {"go1.26.0", "1.26.1", true}, {"devel go1.28-abc", "1.26.0", false}, {"go2.0", "1.26", false},
	} {
		if got := older(c.have, c.want); got != c.older {
			t.Errorf("%s before %s: %v, want %v", c.have, c.want, got, c.older)
		}
	}
}

func TestOneLine(t *testing.T) {
	g := &goTool{dir: "/tmp/x"}
	for text, want := range map[string]string{
		"go: downloading a v1\ngo: a@v1 requires\n\tb@v2: not found\ngo: more\n": "a@v1 requires b@v2: not found",
		"# a/b\n/tmp/x/a/b.go:1:2: no\n/tmp/x/a/b.go:2:2: no\n":                  "a/b.go:1:2: no",
		"": "",
	} {
		if got := g.oneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
