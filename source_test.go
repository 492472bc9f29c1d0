package source

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFilesAreWhole(t *testing.T) {
	var want []string
	for _, dir := range []string{"symmom", "datasets", "charts", "widgets", "paper"} {
		names, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				want = append(want, filepath.ToSlash(name))
			}
		}
	}
	var got []string
	err := fs.WalkDir(Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, path)
		}
		return err
	})
	slices.Sort(want)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) || len(want) < 10 {
		t.Errorf("embedded %v, %v, want %v (a file is missing: add a pattern for its name to source.go)", got, err, want)
	}
}
