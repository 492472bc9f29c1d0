package files

import (
	"errors"
	"os"
	"testing"
)

// Saving in memory gives the same bytes as a file, and makes none.
func TestInMemory(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Chdir(dir)
	var path string
	data, err := InMemory(".json", func(p string) error {
		path = p
		if Ext(p) != ".json" {
			t.Errorf("%s ends in %q", p, Ext(p))
		}
		return Write(t.Context(), p, []byte("text"))
	})
	if err != nil || string(data) != "text" {
		t.Errorf("got %q, %v", data, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := Write(t.Context(), path, nil); err == nil {
		t.Error("the path can be written to later")
	}
	failed := errors.New("no")
	if _, err := InMemory("", func(string) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}
